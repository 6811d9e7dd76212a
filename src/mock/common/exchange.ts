import { collect } from '../../values/collect.js';

/**
 * The requests and responses between the service and its adapters. An adapter turns its own kind of request into an
 * {@link IncomingRequest} and carries out the {@link Reply} that it gets back.
 */

/** The largest body of each media type, in bytes; a larger one is refused without being read to its end. */
export const maxBodyBytes = {
  'application/json': 1024 * 1024,
  'multipart/form-data': 6 * 1024 * 1024,
} as const;

/** A request as every adapter can give it. */
export interface IncomingRequest {
  readonly method: string;
  /** The URL under which the mock was reached, without a slash at its end; payment URLs begin with it. */
  readonly baseUrl: string;
  readonly path: string;
  header(name: string): string | undefined;
  /** The whole body, or undefined when it is larger than `maxBytes`. */
  readBody(maxBytes: number): Promise<Buffer | undefined>;
  /** The same request for code that takes a `Request`; `baseUrl` replaces the host under which it arrived. */
  toRequest(body?: Uint8Array<ArrayBuffer>, baseUrl?: string): Request;
  /** Fires once the sender has gone. */
  gone(): AbortSignal;
  /** The host that a server listens on; undefined without a socket. */
  readonly boundHost?: string;
}

/** A response as plain data. */
export interface ResponseData {
  readonly httpStatus: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The instruction to an adapter for a request. `resetSignal` fires when the mock is reset; nothing stays open after it. */
export type Reply =
  /** `abandoned` is called where the sender is gone before the response. */
  | { readonly kind: 'response'; readonly response: ResponseData; readonly abandoned?: () => void }
  | { readonly kind: 'page'; readonly response: Response }
  | Cut;

/** A connection that ends without a whole response: at once, or when the mock is reset. */
export type Cut =
  | { readonly kind: 'connection-reset' | 'empty-response' }
  | { readonly kind: 'hang'; readonly resetSignal: AbortSignal }
  | {
      readonly kind: 'stalled-body' | 'truncated-body';
      readonly response: ResponseData;
      readonly resetSignal: AbortSignal;
    };

/** True where half of the response is sent. */
export function isHalf(cut: Cut): cut is Extract<Cut, { readonly response: ResponseData }> {
  return cut.kind === 'stalled-body' || cut.kind === 'truncated-body';
}

export function encodedBody({ body }: ResponseData): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(body);
}

/** The part of a body that arrives before it stalls or is cut: half of it. */
export function firstHalf(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  return bytes.subarray(0, Math.ceil(bytes.length / 2));
}

export const jsonHeaders = { 'content-type': 'application/json; charset=utf-8' } as const;

export function jsonResponse(value: object, httpStatus = 200) {
  return { httpStatus, headers: jsonHeaders, body: JSON.stringify(value) };
}

/** The sender closed the connection before its request was complete. */
export class SenderGoneError extends Error {
  override readonly name = 'SenderGoneError';

  constructor() {
    super('The sender went away before its request was complete.');
  }
}

/** The whole body, or undefined if it is larger than the limit. */
export function readBounded(
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  maxBytes: number,
): Promise<Buffer | undefined> {
  return collect(body, maxBytes).catch(() => {
    throw new SenderGoneError();
  });
}

/** Text that the webhooks have an adapter POST. */
export interface PostRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly limitMs: number;
  readonly signal: AbortSignal;
}

/** Sends text once. Resolves to the status of the response, and rejects without one. */
export type Post = (request: PostRequest) => Promise<number>;
