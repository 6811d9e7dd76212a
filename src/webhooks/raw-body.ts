import type { Readable } from 'node:stream';
import { bytesOf } from '../values/encodings.js';
import { WebhookError } from './webhook-error.js';

/**
 * The parts of a request that `webhook.node` reads: a `node:http` request, or a framework's request that extends it
 * (Express, NestJS on Express). For Fastify, pass `request.raw`.
 */
export interface WebhookNodeRequest extends Pick<Readable, 'iterator' | 'readableDidRead' | 'readableEnded'> {
  /** The HTTP method. */
  readonly method?: string | undefined;
  /** Path and query. */
  readonly url?: string | undefined;
  /** Path and query as they arrived, if a router has shortened `url`, as Express does. */
  readonly originalUrl?: string | undefined;
  /** 1 or 2. */
  readonly httpVersionMajor?: number | undefined;
  /** Header names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The bytes that a framework kept, as NestJS does with `rawBody: true`. */
  readonly rawBody?: unknown;
  /** The result of a body parser. Bytes and text count as raw. */
  readonly body?: unknown;
}

const recipes = [
  'the body is not available as raw bytes, because it was parsed or read before',
  'Express: mount the handler before express.json()',
  'Fastify: in a scope of its own call removeAllContentTypeParsers(), add a parser for * that leaves the payload unread, and pass request.raw and reply.raw',
  'NestJS: create the application with { rawBody: true }',
  'Next.js: export the fetch handler from a route handler, or set bodyParser: false in pages/api',
].join('. ');

/** The error for a body that was parsed or consumed before it could be verified. */
export function notRaw(): WebhookError {
  return new WebhookError('BODY_NOT_RAW', `${recipes}.`);
}

/** The error for a body over the limit. */
export function tooLarge(maxBytes: number): WebhookError {
  return new WebhookError('BODY_TOO_LARGE', `the body is larger than ${maxBytes} bytes (maxBodyBytes)`);
}

/** Bytes, or text as its UTF-8 bytes; undefined for any other value. */
export function rawBytes(value: unknown): Uint8Array | undefined {
  return typeof value === 'string' ? Buffer.from(value) : bytesOf(value);
}

async function readUpTo(chunks: AsyncIterable<unknown>, maxBytes: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of chunks) {
      const part = rawBytes(chunk);
      if (!part) throw notRaw();
      size += part.length;
      if (size > maxBytes) throw tooLarge(maxBytes);
      parts.push(part);
    }
  } catch (error) {
    if (error instanceof WebhookError) throw error;
    throw new WebhookError('BODY_NOT_JSON', 'the connection ended before the whole body arrived');
  }
  return Buffer.concat(parts, size);
}

/** The bytes of a `node:http` request: those that a framework kept, else its stream, unless it was consumed. */
export async function nodeBody(request: WebhookNodeRequest, maxBytes: number): Promise<Uint8Array> {
  const kept = rawBytes(request.rawBody) ?? rawBytes(request.body);
  if (kept) {
    if (kept.length > maxBytes) throw tooLarge(maxBytes);
    return kept;
  }
  if (request.readableDidRead || request.readableEnded) throw notRaw();
  // The default iterator would destroy the socket at the limit, and the answer with it.
  return readUpTo(request.iterator({ destroyOnReturn: false }), maxBytes);
}

/** The bytes of a fetch-style request. */
export async function fetchBody({ body, bodyUsed }: Request, maxBytes: number): Promise<Uint8Array> {
  if (bodyUsed || body?.locked) throw notRaw();
  // Cancelling the stream would close the connection of some servers before the answer is sent.
  return body ? readUpTo(body.values({ preventCancel: true }), maxBytes) : new Uint8Array();
}
