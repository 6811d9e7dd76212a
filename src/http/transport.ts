import type { Phase } from '../errors/call-metadata.js';
import type { Endpoint } from '../protocol/endpoints.js';
import type { TransportFailure } from './classify-failure.js';

/**
 * A replacement of the transport, such as the `fetch` of an interceptor, of undici or of the in-process mock: what is passed
 * to it, and what is read of its response.
 */
export type Fetch = (
  input: string,
  init: {
    readonly method: string;
    readonly redirect: 'manual';
    readonly signal: AbortSignal;
    readonly headers: Record<string, string>;
    /** A stream, which a runtime cannot send twice. */
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

/** One request. Every attempt of a call sends the same bytes. */
export interface WireRequest {
  readonly method: Endpoint['method'];
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** Absent for an operation without a body. */
  readonly body?: Uint8Array | undefined;
  /** Called as bytes of the body are sent. */
  readonly onProgress?: ((transferredBytes: number, totalBytes: number) => void) | undefined;
}

/**
 * How the body of a response arrived:
 *
 * - `'whole'`: its length or its framing proves that it is complete, and it was not compressed.
 * - `'ended'`: it ended, and nothing proves that it is complete.
 * - `'cut'`: it did not end.
 * - `'too_large'`: it was stopped at the limit.
 */
export type BodyState = 'whole' | 'ended' | 'cut' | 'too_large';

/** A response, and as much of its body as arrived. */
export interface WireResponse {
  readonly httpStatus: number;
  /** Names and values in turn, as received. */
  readonly headers: readonly string[];
  readonly isRedirect: boolean;
  /** Decoded, up to the limit. */
  readonly body: Uint8Array;
  readonly bodyState: BodyState;
}

/** The beginning of a response. */
export type ResponseHead = Omit<WireResponse, 'body' | 'bodyState'>;

/** A header of a response; the values of one that was sent several times are joined. */
export function headerOf({ headers }: Pick<WireResponse, 'headers'>, name: string): string | undefined {
  let joined: string | undefined;
  for (let i = 0; i < headers.length; i += 2) {
    if (headers[i]?.toLowerCase() !== name) continue;
    joined = joined === undefined ? headers[i + 1] : `${joined}, ${headers[i + 1] ?? ''}`;
  }
  return joined;
}

export interface TransportResult {
  /** How far it came; absent if the transport cannot tell. */
  readonly phase?: Phase | undefined;
  readonly response?: WireResponse | undefined;
  /** What may be the cause if no connection was made. */
  readonly hint?: string | undefined;
  /** Why there is no complete response; absent if there is one, or if the request was stopped. */
  readonly failure?: TransportFailure | undefined;
}

/** Over which connection a request is sent. An `agent` or `fetch` of the caller chooses by itself. */
export interface ConnectionChoice {
  /** True for a new connection, false for an idle one if there is any. */
  readonly isFresh: boolean;
}

/** How one request is sent. */
export interface SendOptions extends ConnectionChoice {
  /** Asked in the turn of the first write: a timer may fire late, and the process may have been suspended. */
  readonly mayBegin: () => boolean;
  /**
   * Takes the function that ends the attempt early: the time is over, or the caller has aborted the call. An AbortSignal
   * would be made for every attempt, and is needed by few.
   */
  readonly onStop: (end: () => void) => void;
}

/**
 * Sends one request, once. An error of the network is a result, not a rejection. An attempt that is ended early has its
 * result at once, with the part of the response that has arrived.
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

/** Responses are small: a larger one is a mistake or an attack. */
export const maxResponseBytes = 1024 * 1024;

/** Pieces are joined: a body in pieces of one byte would take a hundred times its size. */
const piecesAtATime = 1024;

/** The pieces of a body, up to the limit. */
export class BodyBuffer {
  #pieces: Uint8Array[] = [];
  #size = 0;

  /** Takes a piece; returns false once the limit is exceeded. */
  add(piece: Uint8Array): boolean {
    this.#pieces.push(piece);
    this.#size += piece.length;
    if (this.#pieces.length === piecesAtATime) this.#pieces = [Buffer.concat(this.#pieces)];
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

/** How a transport saw the body end: by its framing, or by what a `fetch` says. */
export type BodyEnd = 'framing' | 'fetch';

/**
 * True if the end of a chunked body proves that nothing is missing. Node's fetch takes the end of a connection that is to
 * close for the end of the chunks (undici of Node 20).
 */
function provesChunks(head: ResponseHead, end: BodyEnd): boolean {
  return end === 'framing' || !/(?:^|[\s,])close(?:$|[\s,])/i.test(headerOf(head, 'connection') ?? '');
}

function bodyStateOf(head: ResponseHead, body: BodyBuffer, end: BodyEnd | undefined): BodyState {
  if (body.isTooLarge) return 'too_large';
  if (end === undefined) return 'cut';
  // Under an encoding that was not asked for, nothing proves that the body is complete.
  if (headerOf(head, 'content-encoding') !== undefined) return 'ended';
  // A 204 and a 304 end with their headers (RFC 9112, 6.3).
  const isFramed =
    [204, 304].includes(head.httpStatus) ||
    headerOf(head, 'content-length') === String(body.size) ||
    (headerOf(head, 'transfer-encoding')?.trim().toLowerCase() === 'chunked' && provesChunks(head, end));
  return isFramed ? 'whole' : 'ended';
}

/** A response with the part of its body that has arrived; `end` is absent if the transport did not see it end. */
export function responseOf(head: ResponseHead, body: BodyBuffer, end: BodyEnd | undefined): WireResponse {
  return { ...head, body: body.bytes(), bodyState: bodyStateOf(head, body, end) };
}

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

export function isRedirectStatus(httpStatus: number): boolean {
  return redirects.has(httpStatus);
}
