import {
  bytesOf,
  firstHalf,
  SenderGoneError,
  type Answer,
  type Delivery,
  type Incoming,
} from '../service/delivery.js';

/** The part of `fetch` that the mock stands in for. */
export type MockFetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** Reads a stream to its end, or gives up at the limit. */
export async function readBounded(
  body: ReadableStream<Uint8Array> | null,
  limit: number,
): Promise<Buffer | undefined> {
  if (!body) return Buffer.alloc(0);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    // Leaving the loop cancels the stream.
    if (size > limit) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}

/** Bytes that need no stream to be read: what most callers of `fetch` pass. */
function plainBytes(body: unknown): Buffer | undefined {
  if (typeof body === 'string') return Buffer.from(body);
  if (ArrayBuffer.isView(body)) return Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  return undefined;
}

function incomingOf(request: Request, body: Buffer | undefined): Incoming {
  const { origin, pathname } = new URL(request.url);
  return {
    method: request.method,
    origin,
    path: pathname,
    header: (name) => request.headers.get(name) ?? undefined,
    async readBody(limit) {
      if (body) return body.length <= limit ? body : undefined;
      try {
        return await readBounded(request.body, limit);
      } catch {
        throw new SenderGoneError();
      }
    },
    toRequest: (bytes) => {
      const { url, method, headers } = request;
      return new Request(url, { method, headers, ...(bytes && { body: bytes }) });
    },
  };
}

function networkError(code: string, message: string, syscall?: string): Error {
  return Object.assign(new Error(message), { code, ...(syscall && { syscall }) });
}

/** What Node's fetch rejects with when the connection breaks before there is an answer. */
function fetchFailed(cause: Error): TypeError {
  return new TypeError('fetch failed', { cause });
}

const reset = () => networkError('ECONNRESET', 'read ECONNRESET', 'read');
const closed = () => networkError('UND_ERR_SOCKET', 'other side closed');

// Statuses that have no body; a Response refuses even an empty one.
const bodiless: ReadonlySet<number> = new Set([204, 205, 304]);

function responseOf(answer: Answer, given: ReadableStream<Uint8Array> | Answer['body']): Response {
  const body = bodiless.has(answer.httpStatus) ? null : given;
  return new Response(body, { status: answer.httpStatus, headers: answer.headers });
}

/** Resolves when the mock is reset, rejects with the caller's reason when the caller gives up. */
function whenEnded(ended: AbortSignal, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const finish = () => {
      ended.removeEventListener('abort', finish);
      signal.removeEventListener('abort', finish);
      if (signal.aborted) reject(signal.reason as Error);
      else resolve();
    };
    ended.addEventListener('abort', finish);
    signal.addEventListener('abort', finish);
    if (ended.aborted || signal.aborted) finish();
  });
}

/** The first half of a body, then an error as soon as `end` has one. */
function halfBody(answer: Answer, end: () => Promise<unknown>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(firstHalf(bytesOf(answer)));
    },
    async pull(controller) {
      controller.error(await end());
    },
  });
}

const terminated = (cause: Error) => new TypeError('terminated', { cause });

/** A delivery as the caller of a `fetch` would meet it. */
export async function respond(delivery: Delivery, signal: AbortSignal): Promise<Response> {
  switch (delivery.kind) {
    case 'answer':
      return responseOf(delivery.answer, delivery.answer.body);
    case 'response':
      return delivery.response;
    case 'reset':
      throw fetchFailed(reset());
    case 'empty':
      throw fetchFailed(closed());
    case 'hang':
      await whenEnded(delivery.ended, signal);
      throw fetchFailed(reset());
    case 'stalled': {
      const { answer, ended } = delivery;
      const end = () =>
        whenEnded(ended, signal).then(
          () => terminated(reset()),
          (reason: unknown) => reason,
        );
      return responseOf(answer, halfBody(answer, end));
    }
    case 'truncated':
      return responseOf(
        delivery.answer,
        halfBody(delivery.answer, () => Promise.resolve(terminated(closed()))),
      );
  }
}

/** What comes first: a result, or the caller's giving up. The work goes on, as it would in a real service. */
function orAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      reject(signal.reason as Error);
    };
    signal.addEventListener('abort', abort);
    work.then(resolve, reject).finally(() => {
      signal.removeEventListener('abort', abort);
    });
  });
}

/** A `fetch` that reaches the mock without a socket. */
export function createFetch(serve: (incoming: Incoming) => Promise<Delivery>): MockFetch {
  return async (input, init) => {
    // A Request made from another one pipes its body through a stream of its own.
    const request = input instanceof Request && !init ? input : new Request(input, init);
    const { signal } = request;
    signal.throwIfAborted();
    if (!/^https?:/.test(request.url)) throw fetchFailed(new Error('unknown scheme'));
    const incoming = incomingOf(request, plainBytes(init?.body));
    return respond(await orAborted(serve(incoming), signal), signal);
  };
}
