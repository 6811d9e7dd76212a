import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import * as z from 'zod/mini';
import { checkOptions } from '../errors/check-options.js';
import { Observer } from '../http/observer.js';
import { loggingWith } from '../options/environment-logger.js';
import { isReferenceId } from '../protocol/field-rules.js';
import { hasMethods, ignoreErrors, readProperty } from '../values/untrusted-values.js';
import { fetchBody, nodeBody } from './raw-body.js';
import { authenticate, parseEvent } from './verify-webhook.js';
import { callHandlerFunction, HandlerFunctionError, WebhookError } from './webhook-error.js';
import { handlerOptionRules, type WebhookHandlerOptions } from './webhook-options.js';

/** A handler that receives webhooks. Both functions can be detached, because they do not use `this`. */
export interface WebhookHandler {
  /**
   * Handles a request of `node:http` and `node:http2`, Express, NestJS on Express, or Fastify's raw request and reply.
   * The promise rejects only if no response can be sent. If `response` is not a response of Node, the promise rejects
   * with a `TypeError` before anything is read.
   */
  readonly node: (
    request: IncomingMessage | Http2ServerRequest,
    response: ServerResponse | Http2ServerResponse,
  ) => Promise<void>;
  /** Handles a fetch `Request`: for Next.js route handlers, Hono, Bun and Deno. */
  readonly fetch: (request: Request) => Promise<Response>;
}

const withoutBody = (status: number, headers = {}) => new Response(null, { status, headers });

/** The response to a refused webhook. Its body contains only the code: no event, message or secret. */
function refusalResponse({ code, status }: WebhookError): Response {
  const headers = new Headers(status === 415 ? { 'accept-encoding': 'identity' } : {});
  return Response.json({ error: code }, { status, headers });
}

const returnedResponseRule = z.strictObject({
  status: z._default(z.int().check(z.gte(200), z.lte(599)), 200),
  body: z.optional(z.unknown()),
});

/**
 * The response that `onEvent` returned: an object with no keys other than `status` and `body`. Any other return value,
 * such as a database row, is ignored, and the response is 204.
 */
function responseFrom(returned: unknown): Response {
  const { data } = returnedResponseRule.safeParse(returned);
  if (!data) return withoutBody(204);
  const { status, body } = data;
  // HTTP allows no body with these three statuses.
  if (body === undefined || [204, 205, 304].includes(status)) return withoutBody(status);
  return typeof body === 'string' ? new Response(body, { status }) : Response.json(body, { status });
}

/** Checks the response object before `onEvent` runs, because an object of another library could send no response. */
function checkResponse(response: unknown): void {
  if (hasMethods(response, ['writeHead', 'end'])) return;
  throw new TypeError(
    'webhook.node needs the request and response of node:http. With Fastify, or NestJS on Fastify, call ' +
      'reply.hijack(), and pass request.raw and reply.raw to webhook.node',
  );
}

/** Prints a refusal: the default if there is neither `onError` nor a logger. */
function printRefusal({ code, message }: WebhookError): void {
  console.warn(`installment-payments: a webhook was refused (${code}): ${message}`);
}

function refuseCompressed(headers: Headers): void {
  const encoding = headers.get('content-encoding')?.toLowerCase() ?? '';
  if (encoding === '' || encoding === 'identity') return;
  const problem = 'the body is compressed: Content-Encoding must be absent or identity';
  throw new WebhookError('BODY_NOT_RAW', problem, { status: 415 });
}

/** The headers of a request, without the pseudo-headers of HTTP/2, such as `:path`. */
function nodeHeaders({ headers }: Pick<IncomingMessage, 'headers'>): Headers {
  const entries = Object.entries(headers).filter(([name]) => !name.startsWith(':'));
  // If a header of a request occurs several times, Node joins its values.
  return new Headers(entries as [string, string][]);
}

function referenceIn(event: unknown): string | undefined {
  const reference = readProperty(event, 'referenceId');
  return typeof reference === 'string' && isReferenceId(reference) ? reference : undefined;
}

/**
 * Creates a handler that receives webhooks. The handler reads the raw body, verifies the signature (as {@link
 * verifyWebhook} does, or with your function `verify`), validates the event with the `schema` from your provider's
 * documentation, and calls `onEvent`.
 *
 * The status of the response is:
 *
 * - 204 after `onEvent` has resolved, unless `onEvent` returned a response.
 * - 405 for a method other than POST.
 * - 500 if one of your functions throws (except `onError`, whose errors are ignored).
 * - 500 if `INSTALLMENT_SECRET_KEY` is needed and is missing or invalid, or if your function `secretKey` returns an
 *   invalid key.
 * - The `status` of the {@link WebhookError} if the webhook is refused.
 *
 * @example
 * ```ts
 * import { createWebhookHandler } from 'installment-payments/webhooks';
 * import * as z from 'zod';
 *
 * const paid = new Set<string>(); // in production, a table with a unique key
 *
 * export const webhook = createWebhookHandler({
 *   // Made up for this example. The real shape is in your provider's documentation.
 *   schema: z.object({ orderId: z.string(), state: z.enum(['paid', 'declined']) }),
 *   onEvent: ({ orderId, state }) => {
 *     if (state === 'paid') paid.add(orderId); // the second delivery changes nothing
 *   },
 * });
 * ```
 * @throws ConfigurationError that names the missing or invalid option, such as an empty `secretKey`.
 * @see specification, Events: a payment notification is referred to, but its shape is not shown
 */
export function createWebhookHandler<Event = unknown>(options: WebhookHandlerOptions<Event>): WebhookHandler {
  const resolved = checkOptions(handlerOptionRules, options);
  const { maxBodyBytes, schema, onEvent, onError, includeReference } = resolved;
  const logging = loggingWith({ logger: resolved.logger });
  const observer = new Observer({ logLevel: 'debug', ...logging });
  // Without a logger, refusals are printed, because they are the first sign that the service has changed its key.
  const warn = logging.logger ? undefined : printRefusal;

  async function respondTo(
    received: Pick<Request, 'headers' | 'url'> & { readonly method?: string | undefined },
    readBody: () => Promise<Uint8Array>,
  ): Promise<Response> {
    if (received.method !== 'POST') return withoutBody(405, { allow: 'POST' });
    try {
      const { headers, url } = received;
      refuseCompressed(headers);
      const request = { body: await readBody(), headers, url };
      await authenticate(request, resolved);
      const event = parseEvent(request.body);
      const result = schema
        ? await callHandlerFunction(() => schema['~standard'].validate(event))
        : { value: event };
      const { issues } = result;
      if (issues)
        throw new WebhookError('SCHEMA', 'the event does not match the schema: see error.issues', { issues });
      const response = responseFrom(await callHandlerFunction(() => onEvent(result.value, request)));
      observer.log('debug', 'webhook handled', {
        status: response.status,
        bodyBytes: request.body.length,
        referenceId: includeReference ? referenceIn(event) : undefined,
      });
      return response;
    } catch (error) {
      const refused = error instanceof WebhookError ? error : undefined;
      const response = refused ? refusalResponse(refused) : withoutBody(500);
      const { status } = response;
      observer.log(status === 500 ? 'error' : 'warn', 'webhook not accepted', {
        status,
        code: refused?.code,
      });
      const reported: unknown = error instanceof HandlerFunctionError ? error.thrown : error;
      await ignoreErrors(async () => {
        // `onError` is awaited, because a serverless function can be frozen after it has responded.
        if (onError) await onError(reported);
        else if (!refused || status === 500) console.error(reported);
        else warn?.(refused);
      });
      return response;
    }
  }

  return {
    async node(request, serverResponse) {
      checkResponse(serverResponse);
      // A router such as Express can have shortened `url`, and then keeps the whole URL in `originalUrl`.
      const { url = '/', originalUrl = url } = request as IncomingMessage & { readonly originalUrl?: string };
      const received = {
        method: request.method,
        url: originalUrl,
        // `headers` is a getter, so that headers that cannot be converted cause a response of 500, not a rejection.
        get headers() {
          return nodeHeaders(request);
        },
      };
      const response = await respondTo(received, () => nodeBody(request, maxBodyBytes));
      const body = await response.text();
      // The framework can have sent a response in the meantime, after its own time-out.
      if (serverResponse.headersSent) return;
      // Without this header, Node would read the rest of a body that is too large.
      if (response.status === 413 && request.httpVersionMajor === 1)
        response.headers.set('connection', 'close');
      serverResponse.writeHead(response.status, Object.fromEntries(response.headers));
      serverResponse.end(body);
    },
    fetch: (request) => respondTo(request, () => fetchBody(request, maxBodyBytes)),
  };
}
