import { once } from 'node:events';
import {
  encodedBody,
  firstHalf,
  SenderGoneError,
  type Reply,
  type IncomingRequest,
  type ResponseData,
} from '../common/exchange.js';
import type { MockFetch } from '../common/in-process-client.js';

/** The whole stream, or undefined when it is longer than the limit. */
async function readBounded(
  body: ReadableStream<Uint8Array> | null,
  maxBytes: number,
): Promise<Buffer | undefined> {
  if (!body) return Buffer.alloc(0);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    // Leaving the loop cancels the stream.
    if (size > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}

function incomingRequest(request: Request, baseUrl = new URL(request.url).origin): IncomingRequest {
  const isBelow = request.url.startsWith(`${baseUrl}/`);
  const url = new URL(isBelow ? new URL(baseUrl).origin + request.url.slice(baseUrl.length) : request.url);
  return {
    method: request.method,
    baseUrl,
    path: url.pathname,
    header: (name) => request.headers.get(name) ?? undefined,
    async readBody(maxBytes) {
      try {
        return await readBounded(request.body, maxBytes);
      } catch {
        throw new SenderGoneError();
      }
    },
    toRequest: (body, at = url.origin) => {
      const { method, headers } = request;
      const target = new URL(at).origin + url.pathname + url.search;
      return new Request(target, { method, headers, ...(body && { body }) });
    },
  };
}

/** The error of Node's fetch when the connection is lost before the response. */
function fetchFailed(cause: Error): TypeError {
  return new TypeError('fetch failed', { cause });
}

const reset = () => Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET', syscall: 'read' });
const closed = () => Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' });

// A Response with one of these statuses refuses even an empty body.
const bodiless: ReadonlySet<number> = new Set([204, 205, 304]);

function toResponse(
  response: ResponseData,
  sent: ReadableStream<Uint8Array> | ResponseData['body'] = response.body,
): Response {
  const { httpStatus: status, headers } = response;
  if (bodiless.has(status)) return new Response(null, { status, headers });
  // As a server sends it: by its length a caller can tell whether an answer is whole.
  const length = { 'content-length': String(encodedBody(response).length) };
  return new Response(sent, { status, headers: { ...length, ...headers } });
}

/** Resolves when the mock is reset; rejects with the caller's reason when the caller aborts. */
async function whenEnded(ended: AbortSignal, signal: AbortSignal): Promise<void> {
  const either = AbortSignal.any([ended, signal]);
  if (!either.aborted) await once(either, 'abort');
  signal.throwIfAborted();
}

/** The first half of a body, then the error that `end` resolves to. */
function halfBody(response: ResponseData, end: () => Promise<unknown>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(firstHalf(encodedBody(response)));
    },
    async pull(controller) {
      controller.error(await end());
    },
  });
}

const terminated = (cause: Error) => new TypeError('terminated', { cause });

/** A reply as `fetch` returns it. */
async function respond(reply: Reply, signal: AbortSignal): Promise<Response> {
  switch (reply.kind) {
    case 'response':
      return toResponse(reply.response);
    case 'page':
      return reply.response;
    case 'connection-reset':
      throw fetchFailed(reset());
    case 'empty-response':
      throw fetchFailed(closed());
    case 'hang':
      await whenEnded(reply.ended, signal);
      throw fetchFailed(reset());
    case 'stalled-body': {
      const { response, ended } = reply;
      const end = () =>
        whenEnded(ended, signal).then(
          () => terminated(reset()),
          (reason: unknown) => reason,
        );
      return toResponse(response, halfBody(response, end));
    }
    case 'truncated-body':
      return toResponse(
        reply.response,
        halfBody(reply.response, () => Promise.resolve(terminated(closed()))),
      );
  }
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

/** A `fetch` that reaches the mock without a socket. */
export function createFetch(serve: (request: IncomingRequest) => Promise<Reply>): MockFetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const { signal } = request;
    signal.throwIfAborted();
    if (!/^https?:/.test(request.url)) throw fetchFailed(new Error('unknown scheme'));
    const work = serve(incomingRequest(request, init?.baseUrl)).then((reply) => {
      if (signal.aborted && reply.kind === 'response') reply.abandoned?.();
      return reply;
    });
    return respond(await orAborted(work, signal), signal);
  };
}
