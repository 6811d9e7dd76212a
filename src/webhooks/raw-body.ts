import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { collect } from '../values/collect.js';
import { bytesOf } from '../values/encodings.js';
import { hasMethods, readProperty } from '../values/untrusted-values.js';
import { WebhookError } from './webhook-error.js';

/** The error for a body that was parsed or consumed before it could be verified. */
export const notRaw = () => new WebhookError('BODY_NOT_RAW', `${notRawAdvice}.`);

const notRawAdvice = [
  'the body is not available as raw bytes, because it was already parsed or read',
  'Express: mount the handler before express.json()',
  'Fastify: in a separate scope, call removeAllContentTypeParsers(), add a parser for * that leaves the payload ' +
    'unread, and pass request.raw and reply.raw to the handler',
  'NestJS: create the application with { rawBody: true }; on Fastify, also copy the raw body to the request of ' +
    'Node: Object.assign(request.raw, { rawBody: request.rawBody })',
  'Next.js: export the fetch handler from a route handler, or set bodyParser: false in pages/api',
].join('. ');

/** Bytes, or text as its UTF-8 bytes; undefined for any other value. */
export function rawBytes(value: unknown): Uint8Array | undefined {
  return typeof value === 'string' ? Buffer.from(value) : bytesOf(value);
}

/**
 * The error for a connection that ended before the whole body arrived. This error has no code of its own, so it uses
 * BODY_NOT_JSON: a part of a JSON text is not JSON. The sender rarely receives this code, because the connection ended.
 */
const incomplete = () =>
  new WebhookError('BODY_NOT_JSON', 'the connection ended before the whole body arrived');

async function* rawPieces(chunks: AsyncIterable<unknown> | readonly unknown[]) {
  for await (const chunk of chunks) {
    const piece = rawBytes(chunk);
    if (!piece) throw notRaw();
    yield piece;
  }
}

async function readUpTo(chunks: AsyncIterable<unknown> | readonly unknown[], maxBytes: number) {
  const body = await collect(rawPieces(chunks), maxBytes).catch((error: unknown) => {
    throw error instanceof WebhookError ? error : incomplete();
  });
  if (body) return body;
  throw new WebhookError('BODY_TOO_LARGE', `the body is larger than ${maxBytes} bytes (maxBodyBytes)`);
}

/** Waits until a middleware that is reading the body has finished, so that the middleware's copy is complete. */
async function waitForOtherReader(request: Readable): Promise<void> {
  const isBeingRead =
    request.readableFlowing === true ||
    ['data', 'readable'].some((event) => request.listenerCount(event) > 0);
  if (!request.readableDidRead || request.readableEnded || !isBeingRead) return;
  await finished(request, { writable: false }).catch(() => {
    throw incomplete();
  });
}

/**
 * The bytes of a `node:http` request: from the copy that a framework made, or from the stream if no code has consumed
 * it.
 */
export async function nodeBody(request: Readable, maxBytes: number): Promise<Uint8Array> {
  await waitForOtherReader(request);
  const copies = ['rawBody', 'body'].flatMap((name) => rawBytes(readProperty(request, name)) ?? []);
  const copy = copies.find(({ length }) => length > 0);
  if (copy) return readUpTo([copy], maxBytes);
  // An empty copy is valid only for an empty body: a stream that has ended without emitting data.
  const isEmpty = request.readableEnded && !request.readableDidRead && copies.length > 0;
  if (isEmpty) return new Uint8Array();
  if (request.readableDidRead || request.readableEnded || !hasMethods(request, ['iterator'])) throw notRaw();
  // At the size limit, the default iterator would destroy the socket, so that no response could be sent.
  return readUpTo(request.iterator({ destroyOnReturn: false }), maxBytes);
}

export async function fetchBody({ body, bodyUsed }: Request, maxBytes: number): Promise<Uint8Array> {
  if (bodyUsed || body?.locked) throw notRaw();
  // If the stream were cancelled at the limit, some servers would close the connection before the response is sent.
  return body ? readUpTo(body.values({ preventCancel: true }), maxBytes) : new Uint8Array();
}
