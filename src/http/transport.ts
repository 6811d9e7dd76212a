import type { Phase } from '../errors/call-metadata.js';
import type { Endpoint } from '../protocol/endpoints.js';
import type { TransportFailure } from './classify-failure.js';

/**
 * A replacement of the transport, such as the `fetch` of an interceptor, of undici or of the in-process mock. The type
 * lists the arguments that are passed, and the members of the response that are read.
 */
export type Fetch = (
  input: string,
  init: {
    readonly method: string;
    readonly redirect: 'manual';
    readonly signal: AbortSignal;
    readonly headers: Record<string, string>;
    /** The body, as a stream that a runtime cannot send twice. */
    readonly body?: ReadableStream<Uint8Array> & AsyncIterable<Uint8Array>;
    readonly duplex?: 'half';
  },
) => Promise<{
  readonly status: number;
  readonly headers: {
    /** The value of a header, or null. */
    get(name: string): string | null;
  };
  readonly body?: unknown;
  readonly type?: string;
  readonly redirected?: boolean;
}>;

/**
 * The request of one attempt. All attempts of a call have the same body and idempotency key; Request-Time differs, and
 * the Signature can differ.
 */
export interface WireRequest {
  readonly method: Endpoint['method'];
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** The body; absent if the operation has no body. */
  readonly body?: Uint8Array | undefined;
  /** A function that is called as bytes of the body are sent. */
  readonly onProgress?: ((transferredBytes: number, totalBytes: number) => void) | undefined;
}

/**
 * How the body of a response arrived:
 *
 * - `'whole'`: the length or the framing proves that the body is complete, and the body was not compressed.
 * - `'ended'`: the body ended, but nothing proves that it is complete.
 * - `'cut'`: the body did not end, or could not be decoded, for example because its Content-Encoding is unknown.
 * - `'too_large'`: the body was larger than `maxResponseBytes`, so reading stopped.
 */
export type BodyState = 'whole' | 'ended' | 'cut' | 'too_large';

/** A response, with the part of its body that arrived. */
export interface WireResponse {
  readonly httpStatus: number;
  /** The headers as received: each name is followed by its value. */
  readonly headers: readonly string[];
  readonly isRedirect: boolean;
  /** The body: decoded, and cut at the limit. */
  readonly body: Uint8Array;
  readonly bodyState: BodyState;
}

export type ResponseHead = Omit<WireResponse, 'body' | 'bodyState'>;

/** The value of a response header. If the header was sent several times, its values are joined. */
export function headerOf({ headers }: Pick<WireResponse, 'headers'>, lowerName: string): string | undefined {
  let joined: string | undefined;
  for (let i = 0; i < headers.length; i += 2) {
    if (headers[i]?.toLowerCase() !== lowerName) continue;
    joined = joined === undefined ? headers[i + 1] : `${joined}, ${headers[i + 1] ?? ''}`;
  }
  return joined;
}

export interface TransportResult {
  /**
   * How far the attempt got; absent if the transport does not report it. A custom `fetch` cannot report `'sending'`
   * and `'waiting'`, so there is no phase between the call of `fetch` and the beginning of the response.
   */
  readonly phase?: Phase | undefined;
  readonly response?: WireResponse | undefined;
  /** A hint at the possible cause, if no connection was made. */
  readonly hint?: string | undefined;
  /**
   * The reason why there is no complete response; absent if there is a complete response, if the response is too large,
   * or if the request was stopped.
   */
  readonly failure?: TransportFailure | undefined;
}

/** The connection for a request. If the caller passed an `agent` or a `fetch`, this choice has no effect. */
export interface ConnectionChoice {
  /** True for a new connection; false for an idle connection, if there is one. */
  readonly isFresh: boolean;
}

export interface SendOptions extends ConnectionChoice {
  /**
   * Returns true unless a time limit of the attempt, or `sendBefore`, has passed. The transport calls this function
   * right before the first write, because a timer can fire late, and the process can have been suspended.
   */
  readonly canBegin: () => boolean;
  /**
   * Receives a function that stops the attempt. That function is called if the attempt times out, or if the caller has
   * aborted the call. An AbortSignal is not used: every attempt would need a new signal, and few attempts are stopped.
   */
  readonly registerStop: (stop: () => void) => void;
}

/**
 * Sends one request, once. A network error does not reject the promise: the error is the `failure` of the result. An
 * attempt that is stopped returns its result at once, with the part of the response that has arrived.
 */
export type Transport = (request: WireRequest, options: SendOptions) => Promise<TransportResult>;

const mostHeaders = 50;
const longestValue = 1024;

/** The headers of a response as a plain object. */
export function readableHeaders(response: Pick<WireResponse, 'headers'>): Readonly<Record<string, string>> {
  const all = response.headers.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase());
  const names = [...new Set(all)].slice(0, mostHeaders);
  const shown = (name: string) => headerOf(response, name)?.slice(0, longestValue) ?? '';
  return Object.freeze(Object.fromEntries(names.map((name) => [name, shown(name)])));
}

/** The maximum size of a response. Responses are small, so a larger response is a mistake or an attack. */
export const maxResponseBytes = 1024 * 1024;

/**
 * The number of pieces that are kept before they are joined. Without joining, a body in pieces of one byte would need
 * a hundred times its size in memory.
 */
const mostPieces = 1024;

/** The pieces of a body, up to `maxResponseBytes`. */
export class BodyBuffer {
  #pieces: Uint8Array[] = [];
  #size = 0;

  /** Adds a piece. Returns false once the limit is exceeded. */
  add(piece: Uint8Array): boolean {
    this.#pieces.push(piece);
    this.#size += piece.length;
    if (this.#pieces.length === mostPieces) this.#pieces = [Buffer.concat(this.#pieces)];
    return !this.isTooLarge;
  }

  get size(): number {
    return this.#size;
  }

  get isTooLarge(): boolean {
    return this.#size > maxResponseBytes;
  }

  bytes(): Uint8Array {
    const [first] = this.#pieces;
    return this.#pieces.length === 1 && first ? first : Buffer.concat(this.#pieces);
  }
}

/** The reason why a body counts as ended: the HTTP framing shows it, or a `fetch` reports it. */
export type EndSignal = 'framing' | 'fetch';

/**
 * True if no chunk of a chunked body can be missing. With `Connection: close`, the fetch of Node 20 also reports a lost
 * connection as the end of the chunks.
 */
function provesAllChunks(head: ResponseHead, endedBy: EndSignal): boolean {
  return endedBy === 'framing' || !/(?:^|[\s,])close(?:$|[\s,])/i.test(headerOf(head, 'connection') ?? '');
}

function bodyStateOf(head: ResponseHead, body: BodyBuffer, endedBy: EndSignal | undefined): BodyState {
  if (body.isTooLarge) return 'too_large';
  if (endedBy === undefined) return 'cut';
  // An encoded body never counts as `whole`, even if it decodes completely: the client asked for no encoding, so
  // another party, such as a proxy, has changed the body.
  if (headerOf(head, 'content-encoding') !== undefined) return 'ended';
  // A 204 and a 304 end with their headers (RFC 9112, 6.3).
  const isFramed =
    [204, 304].includes(head.httpStatus) ||
    headerOf(head, 'content-length') === String(body.size) ||
    (headerOf(head, 'transfer-encoding')?.trim().toLowerCase() === 'chunked' &&
      provesAllChunks(head, endedBy));
  return isFramed ? 'whole' : 'ended';
}

/** A response with the part of its body that has arrived. `endedBy` is undefined if the body did not end. */
export function responseOf(
  head: ResponseHead,
  body: BodyBuffer,
  endedBy: EndSignal | undefined,
): WireResponse {
  return { ...head, body: body.bytes(), bodyState: bodyStateOf(head, body, endedBy) };
}

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

export function isRedirectStatus(httpStatus: number): boolean {
  return redirects.has(httpStatus);
}
