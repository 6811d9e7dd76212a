import { ignoreErrors } from '../errors/ignore-errors.js';
import { checkOptions } from '../errors/check-options.js';
import { fetchBody, nodeBody, tooLarge, type WebhookNodeRequest } from './raw-body.js';
import { checkSignature, parseEvent, signatureOf } from './verify-webhook.js';
import { WebhookError } from './webhook-error.js';
import {
  handlerOptions,
  type ResolvedHandlerOptions,
  type WebhookContext,
  type WebhookHandlerOptions,
  type WebhookOrigin,
} from './webhook-options.js';

/** The parts of a response that `webhook.node` uses: a `node:http` response, or a framework's that extends it. */
export interface WebhookNodeResponse {
  /** True once an answer has begun. */
  readonly headersSent: boolean;
  /** Sends the status and the headers. */
  writeHead(status: number, headers: Record<string, string>): unknown;
  /** Ends the answer. */
  end(body: string): unknown;
  /** The stream of an HTTP/2 response, which is closed after a body that was refused. */
  readonly stream?:
    | {
        /** Closes the stream with an error code of HTTP/2. */
        close(code: number): unknown;
      }
    | undefined;
}

/** Receives webhooks. Both functions can be passed around without their object, and neither ever throws or rejects. */
export interface WebhookHandler {
  /** For `node:http`, Express, NestJS on Express, and Fastify's raw request and reply. Resolves once the answer is written. */
  readonly node: (request: WebhookNodeRequest, response: WebhookNodeResponse) => Promise<void>;
  /** For Next.js route handlers, Hono, Bun and Deno. */
  readonly fetch: (request: Request) => Promise<Response>;
}

/** One delivery, whichever kind of server it came to. */
interface Delivery {
  readonly method: string | undefined;
  readonly readOrigin: () => WebhookOrigin;
  readonly readBody: (maxBytes: number) => Promise<Uint8Array>;
}

/** An answer to a delivery. It quotes neither the event nor an error nor the secret. */
interface Answer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body?: string;
}

const fault: Answer = { status: 500, headers: {} };

function refusal({ code, status }: WebhookError): Answer {
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  if (status === 415) headers['accept-encoding'] = 'identity';
  return { status, headers, body: JSON.stringify({ error: code }) };
}

function checkEnvelope(headers: Headers, maxBodyBytes: number): void {
  const encoding = headers.get('content-encoding')?.trim().toLowerCase() ?? '';
  if (encoding !== '' && encoding !== 'identity') {
    const problem = 'the body is compressed: Content-Encoding must be absent or identity';
    throw new WebhookError('BODY_NOT_RAW', problem, { status: 415 });
  }
  if (Number(headers.get('content-length')) > maxBodyBytes) throw tooLarge(maxBodyBytes);
}

/** The event of a delivery and its context, both verified. Throws a `WebhookError`, or whatever the schema throws. */
async function verifiedEvent(
  { readOrigin, readBody }: Delivery,
  { secretKey, signatureEncoding, signatureHeader, maxBodyBytes, schema }: ResolvedHandlerOptions,
): Promise<{ readonly event: unknown; readonly context: WebhookContext }> {
  const origin = readOrigin();
  const { headers } = origin;
  checkEnvelope(headers, maxBodyBytes);
  const signature = signatureOf(headers.get(signatureHeader), signatureHeader);
  const rawBody = await readBody(maxBodyBytes);
  checkSignature(rawBody, signature, await secretKey(origin), signatureEncoding);
  const json = parseEvent(rawBody);
  const context = { ...origin, rawBody, signature };
  if (!schema) return { event: json, context };
  const result = await schema['~standard'].validate(json);
  if (!result.issues) return { event: result.value, context };
  const problem = 'the signature is valid, but the event does not match the schema: see issues';
  throw new WebhookError('SCHEMA', problem, { issues: result.issues });
}

async function receive(delivery: Delivery, options: ResolvedHandlerOptions): Promise<Answer> {
  if (delivery.method !== 'POST') return { status: 405, headers: { allow: 'POST' } };
  let isVerified = false;
  try {
    const { event, context } = await verifiedEvent(delivery, options);
    isVerified = true;
    await options.onEvent(event, context);
    return { status: 204, headers: {} };
  } catch (error) {
    // Awaited, because a serverless function may be frozen once it has answered.
    await ignoreErrors(() => options.onError(error));
    // From `onEvent`, even a WebhookError is not the sender's mistake.
    return error instanceof WebhookError && !isVerified ? refusal(error) : fault;
  }
}

/** The headers of a `node:http` request, without the pseudo-headers of HTTP/2. */
function headersOf(request: WebhookNodeRequest): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (value === undefined || name.startsWith(':')) continue;
    for (const each of typeof value === 'string' ? [value] : value) headers.append(name, each);
  }
  return headers;
}

function answerNode(request: WebhookNodeRequest, response: WebhookNodeResponse, answer: Answer): void {
  const { status, headers, body = '' } = answer;
  // A time-out of the framework may have answered in the meantime.
  if (response.headersSent) return;
  // Otherwise Node would read a body that is too large to its end. HTTP/2 has no such header.
  const closes = status === 413 && request.httpVersionMajor === 1;
  response.writeHead(status, closes ? { ...headers, connection: 'close' } : headers);
  response.end(body);
  // Over HTTP/2 it would stay open until the sender ends the body. 0 is NO_ERROR: the answer is sent first.
  if (status === 413) response.stream?.close(0);
}

/**
 * Creates a handler that receives webhooks: it reads the raw body, verifies the signature, parses and validates the
 * event, and calls `onEvent`.
 *
 * It makes the same assumption about the signature as {@link verifyWebhook}. The event's shape comes from your own
 * documents, as `schema`.
 *
 * | answer | when |
 * |---|---|
 * | 204 | `onEvent` resolved |
 * | 400 | `BODY_NOT_JSON`, `SCHEMA` |
 * | 401 | `SIGNATURE_MISSING`, `SIGNATURE_MISMATCH`; the function `secretKey` returned no key |
 * | 405 | the method is not POST |
 * | 413 | `BODY_TOO_LARGE` |
 * | 415 | `BODY_NOT_RAW`, because the body is compressed |
 * | 500 | `onEvent`, the schema or the function `secretKey` threw; `BODY_NOT_RAW`, because it was parsed before |
 *
 * How long a sender may take over a body is limited by the server (`server.requestTimeout`, 300 s in Node), not here.
 *
 * @example
 * ```ts
 * import { createServer } from 'node:http';
 * import { createWebhookHandler } from 'installment-payments/webhooks';
 * import * as z from 'zod';
 *
 * const paid = new Set<string>(); // in production, a table with a unique key
 *
 * const webhook = createWebhookHandler({
 *   secretKey: 'demo-secret',
 *   // Made up for this example. The real shape is in the documents that you agreed on with the service.
 *   schema: z.object({ orderId: z.string(), state: z.enum(['paid', 'declined']) }),
 *   onEvent: ({ orderId, state }) => {
 *     if (state === 'paid') paid.add(orderId); // the second delivery changes nothing
 *   },
 * });
 *
 * createServer((request, response) => void webhook.node(request, response)).listen();
 * ```
 * @throws ConfigurationError that names the option which is missing or invalid.
 * @see specification, Events: a payment notification is referred to, but its shape is not shown
 */
export function createWebhookHandler<Event = unknown>(options: WebhookHandlerOptions<Event>): WebhookHandler {
  const resolved = checkOptions(handlerOptions, options);
  return {
    async node(request, response) {
      const delivery: Delivery = {
        method: request.method,
        readOrigin: () => ({ headers: headersOf(request), url: request.originalUrl ?? request.url ?? '/' }),
        readBody: (maxBytes) => nodeBody(request, maxBytes),
      };
      answerNode(request, response, await receive(delivery, resolved));
    },
    async fetch(request) {
      const delivery: Delivery = {
        method: request.method,
        readOrigin: () => ({ headers: request.headers, url: request.url }),
        readBody: (maxBytes) => fetchBody(request, maxBytes),
      };
      const { status, body = null, headers: answered } = await receive(delivery, resolved);
      return new Response(body, { status, headers: answered });
    },
  };
}
