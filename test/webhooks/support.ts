import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import {
  createServer,
  request,
  type IncomingHttpHeaders,
  type RequestListener,
  type Server,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { createWebhookHandler, type WebhookHandler } from '../../src/entries/webhooks.js';

export const secretKey = 'demo-secret';

/** Signs as a merchant signs its own JSON. It uses Node's HMAC, so that the package is not checked against itself. */
export function sign(body: string | Uint8Array, key = secretKey, encoding: 'hex' | 'base64' = 'hex'): string {
  return createHmac('sha256', key).update(body).digest(encoding);
}

/** A signed request for the fetch adapter. */
export function signedRequest(
  body: string,
  key = secretKey,
  headers: Readonly<Record<string, string>> = {},
  url = 'https://shop.example/webhooks',
): Request {
  return new Request(url, { method: 'POST', body, headers: { signature: sign(body, key), ...headers } });
}

/** A handler whose events and errors are kept. */
export function recordingHandler(
  options: Partial<Parameters<typeof createWebhookHandler>[0]> = {},
): WebhookHandler & { readonly events: unknown[]; readonly errors: unknown[] } {
  const events: unknown[] = [];
  const errors: unknown[] = [];
  const handler = createWebhookHandler({
    secretKey,
    onEvent: (event) => void events.push(event),
    onError: (error) => void errors.push(error),
    ...options,
  });
  return { ...handler, events, errors };
}

export interface Received {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A webhook: POST with a JSON content type and the right signature by default. */
export interface Sent {
  readonly method?: string;
  readonly body?: string | Uint8Array;
  /** `null` leaves a header out; a list sends it several times. */
  readonly headers?: Readonly<Record<string, string | readonly string[] | null>>;
}

/** Sends one request over a separate connection. */
export function send(
  url: string,
  { method = 'POST', body = '', headers = {} }: Sent = {},
): Promise<Received> {
  const defaults = {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    signature: sign(body),
  };
  const all: NonNullable<Sent['headers']> = { ...defaults, ...headers };
  const lines = Object.entries(all).flatMap(([name, value]) =>
    value === null ? [] : [[name, typeof value === 'string' ? value : [...value]] as const],
  );
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers: Object.fromEntries(lines), agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (text += chunk));
      response.on('close', () => {
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text });
      });
    });
    // An early response can arrive before the connection is closed, while the body is still being sent.
    sent.on('error', reject);
    sent.end(body);
  });
}

export interface Listening extends AsyncDisposable {
  readonly url: string;
  readonly server: Server;
}

/** Waits until a server listens, and closes it with all its connections. */
export async function listening(server: Server): Promise<Listening> {
  if (!server.listening) await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    server,
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** A server for one listener, on a free port. */
export function serve(listener: RequestListener): Promise<Listening> {
  return listening(createServer(listener).listen(0, '127.0.0.1'));
}
