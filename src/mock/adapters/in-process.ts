import {
  encodedBody,
  firstHalf,
  isHalf,
  readBounded,
  type Cut,
  type Reply,
  type IncomingRequest,
  type ResponseData,
} from '../common/exchange.js';
import { toUrl } from '../../protocol/urls.js';
import { pause } from '../../values/time-limit.js';
import { MockUsageError } from '../../errors/usage-error.js';
import type { MockFetch } from './mock-client-options.js';

function incomingRequest(request: Request, baseUrl = new URL(request.url).origin): IncomingRequest {
  const isBelow = request.url.startsWith(`${baseUrl}/`);
  const url = new URL(isBelow ? new URL(baseUrl).origin + request.url.slice(baseUrl.length) : request.url);
  return {
    method: request.method,
    baseUrl,
    path: url.pathname,
    header: (name) => request.headers.get(name) ?? undefined,
    readBody: (maxBytes) => readBounded(request.body ?? [], maxBytes),
    gone: () => request.signal,
    toRequest: (body, at = url.origin) => {
      const { method, headers } = request;
      const target = new URL(at).origin + url.pathname + url.search;
      return new Request(target, { method, headers, ...(body && { body }) });
    },
  };
}

/** The error with which Node's `fetch` rejects if the connection is lost before the response. */
function fetchFailed(cause: Error): TypeError {
  return new TypeError('fetch failed', { cause });
}

// The Response constructor throws for a body, even an empty one, with one of these statuses.
const bodiless: ReadonlySet<number> = new Set([204, 205, 304]);

function toResponse(
  response: ResponseData,
  sent: ReadableStream<Uint8Array> | string = response.body,
): Response {
  const { httpStatus: status, headers } = response;
  if (bodiless.has(status)) return new Response(null, { status, headers });
  // A server sends the length too: callers use it to check that a response is whole.
  const length = { 'content-length': String(encodedBody(response).length) };
  return new Response(sent, { status, headers: { ...length, ...headers } });
}

/** Resolves to the error of a connection that was cut. Rejects with the caller's reason if the caller aborts. */
async function cutError(reply: Cut, signal: AbortSignal): Promise<Error> {
  if (reply.kind === 'hang' || reply.kind === 'stalled-body') {
    await pause(Infinity, [reply.resetSignal, signal]);
    signal.throwIfAborted();
  }
  return reply.kind === 'empty-response' || reply.kind === 'truncated-body'
    ? Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' })
    : Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET', syscall: 'read' });
}

/** Turns a reply into what `fetch` returns. */
async function respond(reply: Reply, signal: AbortSignal): Promise<Response> {
  if (reply.kind === 'page') return reply.response;
  if (reply.kind === 'response') return toResponse(reply.response);
  if (!isHalf(reply)) throw fetchFailed(await cutError(reply, signal));
  const bytes = firstHalf(encodedBody(reply.response));
  const half = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(bytes),
    async pull() {
      throw new TypeError('terminated', { cause: await cutError(reply, signal) });
    },
  });
  return toResponse(reply.response, half);
}

/** Rejects as soon as the signal of a request fires. The work continues, as it would in a real service. */
function orAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => {
      reject(signal.reason as Error);
    });
    work.then(resolve, reject);
  });
}

/**
 * Creates a `fetch` that reaches the mock without a socket. It serves only the mock's own addresses and the address
 * in `init.baseUrl`. If it served a client with any other address, the mock would approve that client's orders in
 * memory, and the client's log would name a service that never received them.
 */
export function createFetch(
  serve: (request: IncomingRequest) => Promise<Reply>,
  addresses: () => readonly string[],
): MockFetch {
  return async (input, init) => {
    const url = toUrl(input instanceof Request ? input.url : String(input));
    const served = [...addresses(), init?.baseUrl ?? []].flat();
    if (url && !served.some((each) => new URL(each).origin === url.origin)) {
      const message = `The mock's fetch serves ${served.join(' and ')}, and not ${url.protocol}//${url.host}. To call that address, remove fetch from the options.`;
      // This code tells the client's error handling that nothing was sent and that a retry does not help.
      throw Object.assign(new MockUsageError(message), { code: 'ERR_NOT_SERVED_BY_MOCK' });
    }
    const request = new Request(input, init);
    const { signal } = request;
    signal.throwIfAborted();
    const work = serve(incomingRequest(request, init?.baseUrl)).then((reply) => {
      if (signal.aborted && reply.kind === 'response') reply.abandoned?.();
      return reply;
    });
    return respond(await orAborted(work, signal), signal);
  };
}
