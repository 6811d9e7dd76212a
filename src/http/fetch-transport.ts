import { isUint8Array } from 'node:util/types';
import { ignoreErrors } from '../errors/ignore-errors.js';
import type { Phase } from '../errors/call-metadata.js';
import { failureAt, failureOf, type TransportFailure } from './classify-failure.js';
import {
  isRedirectStatus,
  maxResponseBytes,
  type BodyState,
  type Fetch,
  type Transmission,
  type Transport,
  type TransportResult,
  type WireRequest,
} from './transport.js';

/** Sends through a `fetch`: an injected one, or that of a runtime where it is the safer choice. */
export function fetchTransport(fetch: Fetch): Transport {
  return (request) => new FetchTransmission(request, fetch);
}

// Small pieces tell of progress smoothly; large ones cost less.
const progressBytes = 64 * 1024;
const pieceBytes = 512 * 1024;

/**
 * The frozen bytes as a stream. A runtime that repeats requests by itself repeats one whose body is bytes (Node's fetch
 * under 421, Deno's on a dead connection); a stream it cannot read again.
 */
function streamOf({ body, onProgress }: WireRequest): ReadableStream<Uint8Array> {
  const size = onProgress ? progressBytes : pieceBytes;
  let sent = 0;
  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (sent > 0) onProgress?.(sent);
        if (sent === body.length) {
          controller.close();
          return;
        }
        const piece = body.subarray(sent, sent + size);
        sent += piece.length;
        controller.enqueue(piece);
      },
    },
    { highWaterMark: 0 },
  );
}

/** The pieces of a body, whatever kind of stream the `fetch` has answered with. */
function piecesOf(body: unknown): AsyncIterator<unknown> {
  if (typeof body === 'object' && body !== null && 'getReader' in body) {
    const reader = (body as ReadableStream<unknown>).getReader();
    return {
      next: () => reader.read() as Promise<IteratorResult<unknown>>,
      return: async (): Promise<IteratorResult<unknown>> => {
        await reader.cancel();
        return { done: true, value: undefined };
      },
    };
  }
  return (async function* () {
    yield* (body ?? []) as AsyncIterable<unknown> | Iterable<unknown>;
  })();
}

class FetchTransmission implements Transmission {
  readonly result: Promise<TransportResult>;
  readonly #controller = new AbortController();
  #settle: (result: TransportResult) => void = () => undefined;
  #isOver = false;
  #phase: Phase | undefined;
  #response: Response | undefined;
  #pieces: AsyncIterator<unknown> | undefined;
  readonly #chunks: Uint8Array[] = [];
  #size = 0;

  constructor(request: WireRequest, fetch: Fetch) {
    this.result = new Promise((resolve) => (this.#settle = resolve));
    this.#send(request, fetch).catch((error: unknown) => {
      this.#end(this.#phase === undefined ? failureOf(error) : failureAt(this.#phase, error));
    });
  }

  stop(): void {
    this.#end();
  }

  async #send(request: WireRequest, fetch: Fetch): Promise<void> {
    const { url, headers, body } = request;
    const response = await fetch(url.href, {
      method: 'POST',
      redirect: 'manual',
      signal: this.#controller.signal,
      // With its length given, a stream is not sent in chunked encoding, which not every server takes.
      headers: { ...headers, 'Content-Length': String(body.length) },
      body: streamOf(request),
      duplex: 'half',
    });
    if (!(typeof response.status === 'number' && typeof response.headers.get === 'function')) {
      throw new TypeError('fetch answered with something other than a Response');
    }
    this.#pieces = piecesOf(response.body);
    if (this.#hasEnded()) {
      this.#release();
      return;
    }
    this.#response = response;
    this.#phase = 'receiving';
    for (;;) {
      const piece = await this.#pieces.next();
      if (this.#hasEnded()) return;
      if (piece.done) break;
      const chunk: unknown = piece.value;
      if (!isUint8Array(chunk)) throw new TypeError('the body of the Response is not made of bytes');
      this.#chunks.push(chunk);
      this.#size += chunk.length;
      if (this.#size > maxResponseBytes) {
        this.#end();
        return;
      }
    }
    this.#phase = 'complete';
    this.#end();
  }

  /** Asked anew after each wait. */
  #hasEnded(): boolean {
    return this.#isOver;
  }

  #end(failure?: TransportFailure): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const response = this.#response;
    this.#settle({
      phase: this.#phase,
      failure,
      response: response && {
        httpStatus: response.status,
        isRedirect:
          isRedirectStatus(response.status) || response.type === 'opaqueredirect' || response.redirected,
        retryAfter: response.headers.get('retry-after') ?? undefined,
        body: Buffer.concat(this.#chunks),
        bodyState: this.#bodyState(response.headers),
      },
    });
    if (this.#phase !== 'complete') this.#release();
  }

  /** Bytes come decoded, so that under an encoding nothing tells a cut from an end. */
  #bodyState(headers: Headers): BodyState {
    if (this.#size > maxResponseBytes) return 'too_large';
    if (this.#phase !== 'complete') return 'cut';
    if (headers.get('content-encoding') !== null) return 'ended';
    const isFramed =
      headers.get('content-length') === String(this.#size) ||
      /\bchunked$/i.test(headers.get('transfer-encoding') ?? '');
    return isFramed ? 'whole' : 'ended';
  }

  /** Tells the other side that no more is wanted. Nothing waits for it. */
  #release(): void {
    void ignoreErrors(() => this.#controller.abort());
    void ignoreErrors(() => this.#pieces?.return?.());
  }
}
