import { collect } from '../../values/collect.js';

/**
 * The requests and responses between the service and its adapters. An adapter converts its own kind of request into an
 * {@link IncomingRequest}, and carries out the {@link Reply} that the service returns.
 */

/** The largest body of each media type, in bytes. A larger body is refused before it is read to its end. */
export const maxBodyBytes = {
  'application/json': 1024 * 1024,
  'multipart/form-data': 6 * 1024 * 1024,
} as const;

/** A request in the form that all adapters produce. */
export interface IncomingRequest {
  readonly method: string;
  /** The URL at which the mock was reached, without a slash at its end. Payment URLs begin with it. */
  readonly baseUrl: string;
  readonly path: string;
  header(name: string): string | undefined;
  /** Reads the whole body. Returns undefined if it is larger than `maxBytes`. */
  readBody(maxBytes: number): Promise<Buffer | undefined>;
  /** Returns the same request as a `Request`. `baseUrl` replaces the host of the original request. */
  toRequest(body?: Uint8Array<ArrayBuffer>, baseUrl?: string): Request;
  /** A signal that fires when the sender has closed the connection. */
  gone(): AbortSignal;
  /** The host on which the server listens; undefined without a socket. */
  readonly boundHost?: string;
}

/** A response as plain data. */
export interface ResponseData {
  readonly httpStatus: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What an adapter must do with a request. `resetSignal` fires when the mock is reset, and ends the connection. */
export type Reply =
  /** The adapter calls `abandoned` if the sender is gone before the response. */
  | { readonly kind: 'response'; readonly response: ResponseData; readonly abandoned?: () => void }
  | { readonly kind: 'page'; readonly response: Response }
  | Cut;

/** A connection that ends without a whole response, either at once or when the mock is reset. */
export type Cut =
  | { readonly kind: 'connection-reset' | 'empty-response' }
  | { readonly kind: 'hang'; readonly resetSignal: AbortSignal }
  | {
      readonly kind: 'stalled-body' | 'truncated-body';
      readonly response: ResponseData;
      readonly resetSignal: AbortSignal;
    };

/** True if half of the response is sent. */
export function isHalf(cut: Cut): cut is Extract<Cut, { readonly response: ResponseData }> {
  return cut.kind === 'stalled-body' || cut.kind === 'truncated-body';
}

export function encodedBody({ body }: ResponseData): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(body);
}

/** The first half of a body: the part that arrives before the body stalls or is cut. */
export function firstHalf(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  return bytes.subarray(0, Math.ceil(bytes.length / 2));
}

export const jsonHeaders = { 'content-type': 'application/json; charset=utf-8' } as const;

export function jsonResponse(value: object, httpStatus = 200) {
  return { httpStatus, headers: jsonHeaders, body: JSON.stringify(value) };
}

/** The error for a sender that closed the connection before its request was complete. */
export class SenderGoneError extends Error {
  override readonly name = 'SenderGoneError';

  constructor() {
    super('The sender closed the connection before its request was complete.');
  }
}

/** Reads the whole body. Returns undefined if it is larger than the limit. */
export function readBounded(
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  maxBytes: number,
): Promise<Buffer | undefined> {
  return collect(body, maxBytes).catch(() => {
    throw new SenderGoneError();
  });
}

/** A POST request with a webhook. */
export interface PostRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly limitMs: number;
  readonly signal: AbortSignal;
}

/** Sends a request once. Resolves to the HTTP status of the response, and rejects if there is no response. */
export type Post = (request: PostRequest) => Promise<number>;
