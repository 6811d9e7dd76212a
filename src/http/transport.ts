import { readBody, type AnswerBody } from './answer-body.js';
import { transportFailure, type TransportFailure } from './failures.js';
import { bodyInit, type Sendable } from './request-body.js';

/** The `fetch` that carries the requests: the global one, or one of the caller's. */
export type Fetch = (input: string | URL, init?: RequestInit) => Promise<Response>;

/** One request, ready to go: the same bytes for every attempt. */
export interface WireRequest extends Sendable {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** An answer: its status, and as much of its body as there was, decoded, up to the limit. */
export interface Answer extends AnswerBody {
  readonly kind: 'answer';
  readonly httpStatus: number;
  readonly redirect: boolean;
  readonly retryAfter: string | null;
}

/** What became of one request. */
export type Exchange = Answer | { readonly kind: 'failure'; readonly failure: TransportFailure };

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** The global `fetch`, looked up at each call: interceptors replace it while a process runs. */
export const globalFetch: Fetch = (input, init) => globalThis.fetch(input, init);

function initOf(request: WireRequest, fetch: Fetch, signal: AbortSignal): RequestInit {
  const { headers, body } = request;
  const sent = bodyInit(request, fetch === globalFetch);
  // With its length given, a stream is not sent in chunked encoding, which not every server takes.
  const length = sent.body !== body && { 'Content-Length': String(body.length) };
  return { method: 'POST', redirect: 'manual', signal, headers: { ...headers, ...length }, ...sent };
}

// ky makes a Request as it loads, and with it comes all of Node's fetch: the first call loads it.
const loadSingleAttempt = () => import('./single-attempt.js');
let attempts: Awaited<ReturnType<typeof loadSingleAttempt>> | undefined;

function headOf({ status: httpStatus, headers, type, redirected }: Response): Omit<Answer, 'body' | 'state'> {
  return {
    kind: 'answer',
    httpStatus,
    redirect: redirects.has(httpStatus) || type === 'opaqueredirect' || redirected,
    retryAfter: headers.get('retry-after'),
  };
}

/**
 * Sends one request once and reads its answer. ky makes the single attempt: no retry, no limit, no redirect and no
 * hook of its own. It never rejects for what the network does; whatever it does reject with is a fault of this package.
 */
export async function sendOnce(request: WireRequest, fetch: Fetch, signal: AbortSignal): Promise<Exchange> {
  // Outside the try: a mistake made here is ours, not the connection's.
  attempts ??= await loadSingleAttempt();
  // The call may have ended meanwhile, and then nothing is sent.
  signal.throwIfAborted();
  const init = initOf(request, fetch, signal);
  let response: Response;
  let head: Omit<Answer, 'body' | 'state'>;
  try {
    response = await attempts.singleAttempt(request.url, async () => fetch(request.url, init));
    head = headOf(response);
  } catch (error) {
    return { kind: 'failure', failure: transportFailure(error) };
  }
  return { ...head, ...(await readBody(response)) };
}
