import { isUint8Array } from 'node:util/types';
import ky from 'ky';
import { transportFailure, type TransportFailure } from './failures.js';

/** The `fetch` that carries the requests: the global one, or one of the caller's. */
export type Fetch = (input: string | URL, init?: RequestInit) => Promise<Response>;

/** One request, ready to go: the same bytes for every attempt. */
export interface WireRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  readonly onProgress?: ((transferredBytes: number) => void) | undefined;
}

/** How the body of an answer arrived. */
export type BodyState =
  | { readonly arrived: 'whole' }
  | { readonly arrived: 'too_large' }
  | { readonly arrived: 'cut'; readonly failure: TransportFailure };

/** An answer: its status, and as much of its body as there was, decoded, up to the limit. */
export interface Answer {
  readonly kind: 'answer';
  readonly httpStatus: number;
  readonly redirect: boolean;
  readonly retryAfter: string | null;
  readonly body: Uint8Array;
  readonly state: BodyState;
}

/** What became of one request. */
export type Exchange = Answer | { readonly kind: 'failure'; readonly failure: TransportFailure };

/** Answers are small; a larger one is a mistake or an attack, and is not read. */
export const maxAnswerBytes = 1024 * 1024;

/** Bun and Deno pass for Node, but need not send a stream's length. */
const isNode = process.versions['bun'] === undefined && process.versions['deno'] === undefined;

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
// Small pieces tell of progress smoothly; large ones cost less.
const progressChunkBytes = 64 * 1024;
const chunkBytes = 512 * 1024;

/** The frozen bytes as a stream, so that each piece is counted when it is taken. */
function streamOf(
  body: Uint8Array,
  onProgress: ((transferredBytes: number) => void) | undefined,
): ReadableStream<Uint8Array> {
  const size = onProgress ? progressChunkBytes : chunkBytes;
  let sent = 0;
  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (sent > 0) onProgress?.(sent);
        if (sent === body.length) {
          controller.close();
          return;
        }
        const chunk = body.subarray(sent, sent + size);
        sent += chunk.length;
        controller.enqueue(chunk);
      },
    },
    { highWaterMark: 0 },
  );
}

/**
 * True for a body that goes out as a stream. Node's fetch copies the bytes that it is given, and copies the copy; a
 * stream over them it does not, so that many large uploads at once take their size and not three times as much.
 * An injected `fetch` gets bytes unless there is progress to tell: not every one takes a stream.
 */
function isStreamed({ body, onProgress }: WireRequest, fetch: Fetch): boolean {
  return onProgress !== undefined || (fetch === globalFetch && isNode && body.length > chunkBytes);
}

function initOf(request: WireRequest, fetch: Fetch, signal: AbortSignal): RequestInit {
  const { headers, body, onProgress } = request;
  const common = { method: 'POST', redirect: 'manual', signal } as const;
  if (!isStreamed(request, fetch)) return { ...common, headers: { ...headers }, body };
  // With its length given, a stream is not sent in chunked encoding, which not every server takes.
  return {
    ...common,
    headers: { ...headers, 'Content-Length': String(body.length) },
    body: streamOf(body, onProgress),
    duplex: 'half',
  };
}

/** The pieces of a body, one by one. */
interface Pieces {
  readonly next: () => Promise<{ readonly done?: boolean | undefined; readonly value?: unknown }>;
  /** Tells the source that no more is wanted; nothing waits for its answer. */
  readonly stop: () => Promise<unknown>;
}

/** An injected `fetch` may answer with a stream of another kind, which can only be iterated. */
type ForeignBody = AsyncIterable<unknown> | Iterable<unknown>;

function piecesOf(body: ReadableStream | ForeignBody): Pieces {
  // The stream's own iterator takes several promises for each piece, which shows where answers are small.
  if ('getReader' in body) {
    const reader = body.getReader();
    return { next: () => reader.read(), stop: () => reader.cancel() };
  }
  const iterator = (async function* () {
    yield* body;
  })();
  return { next: () => iterator.next(), stop: () => iterator.return(undefined) };
}

/** Reads a body up to the limit; what arrived before a failure is kept, since it may be a whole answer. */
async function readBody(response: Response): Promise<Pick<Answer, 'body' | 'state'>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  let state: BodyState = { arrived: 'whole' };
  let pieces: Pieces | undefined;
  try {
    pieces = piecesOf(response.body ?? []);
    for (;;) {
      const { done, value: chunk } = await pieces.next();
      if (done) break;
      if (!isUint8Array(chunk)) throw new TypeError('a body of bytes was expected of fetch');
      chunks.push(chunk);
      size += chunk.length;
      if (size > maxAnswerBytes) {
        state = { arrived: 'too_large' };
        break;
      }
    }
  } catch (error) {
    state = { arrived: 'cut', failure: transportFailure(error) };
  }
  if (state.arrived !== 'whole') pieces?.stop().catch(() => undefined);
  return { body: chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks), state };
}

/**
 * One attempt by ky, with nothing of its own around it: no retry, no limit, no error for a status. Given a body, ky
 * would clone and pipe it; here the frozen bytes go straight to fetch.
 */
function attemptWithKy(url: string, send: () => Promise<Response>): Promise<Response> {
  let sent: Promise<Response> | undefined;
  const once = () => (sent ??= send());
  return ky.post(url, {
    retry: 0,
    timeout: false,
    throwHttpErrors: false,
    // An answer from here spares ky the copy of its Request that it keeps for a retry: a third of what it costs.
    hooks: { beforeRequest: [once] },
    // What ky does not know for a Response, as another realm's, comes to it this way.
    fetch: once,
  });
}

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
  const init = initOf(request, fetch, signal);
  let response: Response;
  let head: Omit<Answer, 'body' | 'state'>;
  try {
    response = await attemptWithKy(request.url, async () => fetch(request.url, init));
    head = headOf(response);
  } catch (error) {
    return { kind: 'failure', failure: transportFailure(error) };
  }
  return { ...head, ...(await readBody(response)) };
}

/** The global `fetch`, looked up at each call: interceptors replace it while a process runs. */
export const globalFetch: Fetch = (input, init) => globalThis.fetch(input, init);
