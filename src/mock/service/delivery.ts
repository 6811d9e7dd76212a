/**
 * What passes between the core and its adapters. An adapter turns its own kind of request into an {@link Incoming} and
 * carries the {@link Delivery} that the core decides on; faults are decided here and only carried there.
 */

/** Bytes that a request may have, at most; a larger one is refused without being read to its end. */
export const bodyLimits = { json: 1024 * 1024, multipart: 6 * 1024 * 1024 } as const;

/** A request as every adapter can give it. */
export interface Incoming {
  readonly method: string;
  /** Scheme and host under which the mock was reached; its payment URLs begin with it. */
  readonly origin: string;
  readonly path: string;
  header(name: string): string | undefined;
  /** The whole body, or undefined when it is larger than `limit` bytes. */
  readBody(limit: number): Promise<Buffer | undefined>;
  /** The same request for code that takes a `Request`: pages, controls and the lender's authentication. */
  toRequest(body?: Uint8Array<ArrayBuffer>): Request;
  /** The host that a server listens on; undefined where no socket is involved. */
  readonly boundHost?: string;
}

/** What the service says to a request. */
export interface Answer {
  readonly httpStatus: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array<ArrayBuffer>;
}

/**
 * What becomes of a request on the wire. `ended` fires when the mock is reset: nothing pends longer than that.
 */
export type Delivery =
  | { readonly kind: 'answer'; readonly answer: Answer }
  | { readonly kind: 'response'; readonly response: Response }
  | { readonly kind: 'reset' }
  | { readonly kind: 'empty' }
  | { readonly kind: 'hang'; readonly ended: AbortSignal }
  | { readonly kind: 'stalled'; readonly answer: Answer; readonly ended: AbortSignal }
  | { readonly kind: 'truncated'; readonly answer: Answer };

const encoder = new TextEncoder();

/** The bytes of an answer's body. */
export function bytesOf(answer: Answer): Uint8Array<ArrayBuffer> {
  return typeof answer.body === 'string' ? encoder.encode(answer.body) : answer.body;
}

/** The part of an answer that arrives before its body stalls or is cut: half of it. */
export function firstHalf(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  return bytes.subarray(0, Math.ceil(bytes.length / 2));
}

/** An answer whose body is JSON. */
export interface JsonAnswer extends Answer {
  readonly body: string;
}

export function jsonAnswer(value: object, httpStatus = 200): JsonAnswer {
  return { httpStatus, headers: jsonHeaders, body: JSON.stringify(value) };
}

export const jsonHeaders = { 'content-type': 'application/json; charset=utf-8' } as const;

/** The sender went away before its request was complete. */
export class SenderGoneError extends Error {
  override readonly name = 'SenderGoneError';

  constructor() {
    super('The sender went away before its request was complete.');
  }
}
