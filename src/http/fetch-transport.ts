import { isUint8Array } from 'node:util/types';
import type { Phase } from '../errors/call-metadata.js';
import { hasMethods, ignoreErrors, orUndefined } from '../values/untrusted-values.js';
import { classifyFailure, type TransportFailure } from './classify-failure.js';
import { nextTurn } from '../values/timers.js';
import {
  BodyBuffer,
  isRedirectStatus,
  responseOf,
  type Fetch,
  type ResponseHead,
  type Transport,
  type TransportResult,
  type WireRequest,
} from './transport.js';

/** Creates a transport that sends with a custom `fetch`. */
export function fetchTransport(fetch: Fetch): Transport {
  return (request, { canBegin, registerStop }) =>
    new Promise((resolve) => {
      const attempt = new FetchAttempt(request, canBegin, resolve);
      registerStop(() => attempt.stop());
      void attempt.send(fetch);
    });
}

// Small pieces make the reported progress smooth. Large pieces cost less time.
const progressBytes = 64 * 1024;
const pieceBytes = 512 * 1024;

/** The pieces of a body, which can be a web stream or any iterable. */
function piecesOf(body: unknown) {
  if (typeof body === 'object' && body !== null && 'getReader' in body) {
    const reader = (body as ReadableStream<unknown>).getReader();
    return { next: () => reader.read(), return: () => reader.cancel() };
  }
  return (async function* () {
    yield* (body ?? []) as AsyncIterable<unknown> | Iterable<unknown>;
  })();
}

function headOf({ status, headers, type, redirected = false }: Awaited<ReturnType<Fetch>>): ResponseHead {
  // The response can come from any library. Its values can have any type, and its headers can lack all methods except
  // `get`.
  const received = orUndefined(() => [...(headers as unknown as Iterable<unknown>)].flat().map(String));
  if (typeof status !== 'number' || !(received ?? hasMethods(headers, ['get'])))
    throw new TypeError('fetch returned something other than a Response');
  return {
    httpStatus: status,
    headers: received ?? [],
    isRedirect: isRedirectStatus(status) || type === 'opaqueredirect' || redirected,
  };
}

/** The failure of a `fetch` that sent bytes other than the signed bytes, whatever its response is. */
const convertedBody: TransportFailure = {
  outcome: 'unknown',
  transient: false,
  code: 'fetch does not accept a stream',
  summary: 'fetch does not accept a stream',
  problem:
    'the option fetch does not accept a stream: it turned the body into text, so the signed bytes were not sent',
  meaning: 'Pass a fetch that accepts streams, such as globalThis.fetch, or leave the option out.',
};

class FetchAttempt {
  readonly #request: WireRequest;
  readonly #canBegin: () => boolean;
  readonly #resolve: (result: TransportResult) => void;
  readonly #controller = new AbortController();
  /** Whether the attempt has its result. After an early response, the fetch can still be sending the body. */
  #isOver = false;
  /** Whether the time limit or the caller stopped the attempt: the rest of the body must not be sent. */
  #isStopped = false;
  #phase: Phase | undefined = 'connecting';
  /**
   * True once a byte of the body was read. For a request without a body, this field is true from the start, because
   * such a request must count as possibly sent.
   */
  #wasBodyRead: boolean;
  /** Whether the stream was converted to text, as node-fetch and cross-fetch do with an object of an unknown class. */
  #wasBodyConverted = false;
  #head: ResponseHead | undefined;
  #pieces: ReturnType<typeof piecesOf> | undefined;
  readonly #body = new BodyBuffer();

  constructor(request: WireRequest, canBegin: () => boolean, resolve: (result: TransportResult) => void) {
    this.#request = request;
    this.#canBegin = canBegin;
    this.#resolve = resolve;
    this.#wasBodyRead = request.body === undefined;
  }

  async send(fetch: Fetch): Promise<void> {
    try {
      await this.#exchange(fetch);
    } catch (error) {
      const failure = classifyFailure(error, this.#phase);
      // If the body was read, the request can have been sent once, and the failure can come from a second send by the
      // runtime.
      this.#end(this.#wasBodyRead ? { ...failure, outcome: 'unknown' } : failure);
    }
  }

  stop(): void {
    this.#isStopped = true;
    this.#end();
  }

  /**
   * Returns whether the request, or more of it, can be sent. Before the first byte of the body, the time limits are
   * checked, because a timer fires late if the event loop was blocked. If a limit has passed, the attempt is stopped
   * and counts as not sent: some runtimes have sent the headers by then, but the service cannot act without the body.
   */
  #canSend(hasBegun: boolean): boolean {
    if (!hasBegun && !this.#isOver && !this.#canBegin()) {
      // If there is a response already, the phase stays: a server can respond before it has received the body.
      if (!this.#head) this.#phase = 'connecting';
      this.stop();
    }
    return !this.#isStopped;
  }

  /**
   * The body as a stream, which a runtime cannot send twice. If the body were bytes, Node's fetch would send it again
   * after HTTP 421, and Deno's fetch after a dead connection. The stream fails if the attempt was stopped.
   */
  #upload(bytes: Uint8Array) {
    const { onProgress } = this.#request;
    const size = onProgress ? progressBytes : pieceBytes;
    let sent = 0;
    const stream = new ReadableStream<Uint8Array>(
      {
        // Node's fetch reads a piece before it connects. The first piece is empty, so that the outcome of a refused
        // connection is `not_sent`.
        start: (controller) => controller.enqueue(new Uint8Array()),
        pull: (controller) => {
          if (!this.#canSend(this.#wasBodyRead)) {
            controller.error(new Error('the attempt was stopped'));
            return;
          }
          this.#wasBodyRead = true;
          if (sent > 0) onProgress?.(sent, bytes.length);
          const piece = bytes.subarray(sent, sent + size);
          sent += piece.length;
          if (piece.length > 0) controller.enqueue(piece);
          else controller.close();
        },
      },
      { highWaterMark: 0 },
    );
    const toText = () => {
      this.#wasBodyConverted = true;
      return '[object ReadableStream]';
    };
    return Object.assign(stream, { toString: toText, toJSON: toText });
  }

  async #exchange(fetch: Fetch): Promise<void> {
    const { method, url, headers, body } = this.#request;
    // If unexpected bytes have arrived on an idle connection, the runtime reads them during one turn of the event loop,
    // and drops the connection, so this request uses a different connection.
    await nextTurn();
    if (!this.#canSend(false)) return;
    this.#phase = undefined;
    const response = await fetch(url.href, {
      method,
      redirect: 'manual',
      signal: this.#controller.signal,
      // With a Content-Length, a stream is not sent in chunked encoding, which not every server accepts.
      headers: { ...headers, ...(body && { 'Content-Length': String(body.length) }) },
      ...(body && { body: this.#upload(body), duplex: 'half' }),
    });
    const head = headOf(response);
    this.#pieces = piecesOf(response.body);
    if (this.#hasEnded()) {
      this.#release();
      return;
    }
    this.#head = head;
    this.#phase = 'receiving';
    for (;;) {
      const piece = await this.#pieces.next();
      if (this.#hasEnded()) return;
      if (piece.done) break;
      const chunk: unknown = piece.value;
      if (!isUint8Array(chunk)) throw new TypeError('the body of the Response is not made of bytes');
      if (!this.#body.add(chunk)) {
        this.#end();
        return;
      }
    }
    this.#phase = 'complete';
    this.#end();
  }

  /** Reads `#isOver` in a method, because the compiler assumes that a field does not change during an `await`. */
  #hasEnded(): boolean {
    return this.#isOver;
  }

  #end(failure?: TransportFailure): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const isComplete = this.#phase === 'complete';
    if (this.#wasBodyConverted && !this.#wasBodyRead) {
      this.#resolve({ phase: this.#phase, failure: convertedBody });
      this.#release();
      return;
    }
    const response = this.#head && responseOf(this.#head, this.#body, isComplete ? 'fetch' : undefined);
    this.#resolve({ phase: this.#phase, failure, response });
    if (!isComplete) this.#release();
  }

  /** Aborts the request and cancels the response, without waiting. */
  #release(): void {
    void ignoreErrors(() => this.#controller.abort());
    void ignoreErrors(() => this.#pieces?.return());
  }
}
