import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect as connectHttp2, createServer as createHttp2Server } from 'node:http2';
import { connect, type AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { inspect } from 'node:util';
import express from 'express';
import * as v from 'valibot';
import { afterEach, describe, expect, test, vi } from 'vitest';
import * as z from 'zod';
import {
  ConfigurationError,
  createWebhookHandler,
  WebhookError,
  type WebhookContext,
  type WebhookHandlerOptions,
  type WebhookNodeResponse,
  type WebhookOrigin,
} from '../../src/webhooks/index.js';
import { thrownBy } from '../helpers/samples.js';
import { listening, recordingHandler, secretKey, send, serve, sign } from './support.js';

const body = '{"orderId":"1"}';

/** A server for a handler's node adapter. */
const serving = ({ node }: { readonly node: ReturnType<typeof createWebhookHandler>['node'] }) =>
  serve((request, response) => void node(request, response));

/** A signed request for the fetch adapter. */
function signedRequest(text: string | Uint8Array = body, headers: Record<string, string> = {}): Request {
  return new Request('https://shop.example/webhooks', {
    method: 'POST',
    body: text,
    headers: { signature: sign(text), ...headers },
  });
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe.each(['node', 'fetch'] as const)('the %s adapter answers', (adapter) => {
  /** Sends one request to a handler, over a socket for `node`. */
  async function answerOf(
    webhook: ReturnType<typeof createWebhookHandler>,
    { method = 'POST', text = body, headers = {} }: { method?: string; text?: string; headers?: object } = {},
  ) {
    const all = { signature: sign(text), ...headers };
    if (adapter === 'node') {
      await using shop = await serving(webhook);
      return await send(shop.url, { method, body: text, headers: all });
    }
    const response = await webhook.fetch(
      new Request('https://shop.example/', {
        method,
        headers: all,
        ...(method === 'GET' ? {} : { body: text }),
      }),
    );
    const { status } = response;
    return { status, headers: Object.fromEntries(response.headers), body: await response.text() };
  }

  test('204 without a body once onEvent has resolved', async () => {
    const steps: string[] = [];
    const webhook = recordingHandler({
      async onEvent() {
        await wait(5);
        steps.push('stored');
      },
    });

    expect(await answerOf(webhook)).toMatchObject({ status: 204, body: '' });
    expect(steps).toEqual(['stored']);
  });

  test('with the verified bytes, headers and signature for onEvent', async () => {
    let seen: WebhookContext | undefined;
    const webhook = recordingHandler({ onEvent: (_event, context) => void (seen = context) });
    await answerOf(webhook, { headers: { 'x-delivery': '7' } });

    expect(Buffer.from(seen?.rawBody ?? [])).toEqual(Buffer.from(body));
    expect(seen?.headers.get('X-Delivery')).toBe('7');
    expect(seen?.signature).toBe(sign(body));
  });

  test.each(['GET', 'PUT', 'DELETE', 'OPTIONS'])('405 for %s, with Allow', async (method) => {
    const webhook = recordingHandler();

    expect(await answerOf(webhook, { method })).toMatchObject({
      status: 405,
      headers: { allow: 'POST' },
      body: '',
    });
    expect(webhook.errors).toEqual([]);
  });

  test.each(['gzip', 'br', 'identity, gzip', 'GZIP'])('415 for Content-Encoding %s', async (encoding) => {
    const webhook = recordingHandler();

    expect(await answerOf(webhook, { headers: { 'content-encoding': encoding } })).toMatchObject({
      status: 415,
      headers: { 'accept-encoding': 'identity' },
      body: '{"error":"BODY_NOT_RAW"}',
    });
    expect(webhook.errors).toMatchObject([{ code: 'BODY_NOT_RAW', status: 415 }]);
  });

  test('204 for Content-Encoding identity', async () => {
    const headers = { 'content-encoding': 'identity' };
    expect(await answerOf(recordingHandler(), { headers })).toMatchObject({ status: 204 });
  });

  test('413 for one byte more than 1 MiB', async () => {
    const webhook = recordingHandler();
    const exact = JSON.stringify('x'.repeat(1024 * 1024 - 2));

    expect(await answerOf(webhook, { text: exact })).toMatchObject({ status: 204 });
    expect(await answerOf(webhook, { text: `${exact} ` })).toMatchObject({
      status: 413,
      body: '{"error":"BODY_TOO_LARGE"}',
    });
    expect(webhook.events).toHaveLength(1);
  });

  test('400 for a body that is not JSON, empty included', async () => {
    for (const text of ['', 'orderId=1']) {
      const webhook = recordingHandler();
      expect(await answerOf(webhook, { text })).toMatchObject({
        status: 400,
        body: '{"error":"BODY_NOT_JSON"}',
      });
      expect(webhook.errors).toMatchObject([{ code: 'BODY_NOT_JSON' }]);
    }
  });

  test.each([
    ['rejects', () => Promise.reject(new Error('the database of khách-hàng is down'))],
    [
      'throws',
      () => {
        throw new Error('khách-hàng');
      },
    ],
    ['throws undefined', () => Promise.reject(undefined as unknown as Error)],
    ['throws a WebhookError', () => Promise.reject(new WebhookError('SIGNATURE_MISSING', 'of another call'))],
  ])('500 without a body when onEvent %s', async (_how, onEvent) => {
    const webhook = recordingHandler({ onEvent });
    const answer = await answerOf(webhook);

    expect(answer).toMatchObject({ status: 500, body: '' });
    expect(JSON.stringify(answer)).not.toContain('khách');
    expect(webhook.errors).toHaveLength(1);
  });

  test.each([
    ['throws', () => { throw new Error('log full'); }], // prettier-ignore
    ['rejects', () => Promise.reject(new Error('log full'))],
  ])('the same if onError %s', async (_how, onError) => {
    const webhook = createWebhookHandler({ secretKey, onEvent: () => undefined, onError });

    expect(await answerOf(webhook, { headers: { signature: 'wrong' } })).toMatchObject({ status: 401 });
  });

  test.each([
    ['a refusal', 401, { headers: { signature: 'wrong' } }],
    ['an event that fails', 500, {}],
  ])('%s only after onError has reported it', async (_what, status, request) => {
    const steps: unknown[] = [];
    const webhook = createWebhookHandler({
      secretKey,
      onEvent: () => Promise.reject(new Error('database full')),
      onError: async () => {
        await wait(20);
        steps.push('reported');
      },
    });
    steps.push((await answerOf(webhook, request)).status);

    expect(steps).toEqual(['reported', status]);
  });

  test('by another header, another encoding and several keys', async () => {
    const webhook = recordingHandler({
      secretKey: ['new', 'old'],
      signatureHeader: 'X-Notify-Hmac',
      signatureEncoding: 'base64',
    });
    const signature = sign(body, 'old', 'base64');

    expect(await answerOf(webhook, { headers: { 'x-notify-hmac': signature } })).toMatchObject({
      status: 204,
    });
    expect(await answerOf(webhook, { headers: { signature } })).toMatchObject({
      status: 401,
      body: '{"error":"SIGNATURE_MISSING"}',
    });
  });
});

describe('many merchants behind one handler', () => {
  const keys: Readonly<Record<string, string | readonly string[]>> = {
    '/shops/1': 'secret-1',
    '/shops/2': ['secret-2-new', 'secret-2'],
    '/shops/empty': '',
    '/shops/none': [],
  };
  const bySecret = (text: string, key: string, path: string, headers: Record<string, string> = {}) =>
    new Request(`https://shop.example${path}?x=1`, {
      method: 'POST',
      body: text,
      headers: { signature: sign(text, key), ...headers },
    });
  const byPath = ({ url }: WebhookOrigin) => keys[new URL(url, 'http://shop').pathname];

  test.each<[string, WebhookHandlerOptions['secretKey']]>([
    ['a function of the address', byPath],
    ['an asynchronous one', async (origin) => (await wait(1), byPath(origin))], // prettier-ignore
  ])('are distinguished by %s', async (_, secretKey) => {
    const webhook = recordingHandler({ secretKey });
    const statusOf = async (key: string, path: string) =>
      (await webhook.fetch(bySecret(body, key, path))).status;

    expect(await statusOf('secret-1', '/shops/1')).toBe(204);
    expect(await statusOf('secret-2', '/shops/2')).toBe(204);
    expect(await statusOf('secret-2', '/shops/1')).toBe(401);
    expect(webhook.errors).toMatchObject([{ code: 'SIGNATURE_MISMATCH' }]);
  });

  test('are distinguished by a header too, and the event has the address', async () => {
    const seen: WebhookContext[] = [];
    const webhook = recordingHandler({
      secretKey: ({ headers }) => `secret-${String(headers.get('X-Shop'))}`,
      onEvent: (_event, context) => void seen.push(context),
    });
    await using shop = await serving(webhook);
    const sent = { body, headers: { signature: sign(body, 'secret-7'), 'x-shop': '7' } };

    expect(await send(`${shop.url}/hooks?x=1`, sent)).toMatchObject({ status: 204 });
    expect(seen).toMatchObject([{ url: '/hooks?x=1' }]);
  });

  test('have the whole address if a router has shortened it', async () => {
    const webhook = recordingHandler({ secretKey: byPath });
    const app = express().use('/shops', express.Router().post('/1', webhook.node));
    await using shop = await serve(app);

    expect(
      await send(`${shop.url}/shops/1`, { body, headers: { signature: sign(body, 'secret-1') } }),
    ).toMatchObject({
      status: 204,
    });
  });

  test.each(['/shops/3', '/shops/none'])('are answered with 401 without a key: %s', async (path) => {
    const webhook = recordingHandler({ secretKey: byPath });
    const answer = await webhook.fetch(bySecret(body, 'secret-1', path));

    expect(answer.status).toBe(401);
    expect(webhook.events).toEqual([]);
    expect(webhook.errors).toMatchObject([
      { code: 'SIGNATURE_MISMATCH', message: expect.stringContaining('no secret key') as string },
    ]);
  });

  test.each<[string, WebhookHandlerOptions['secretKey'], object]>([
    ['throws', () => JSON.parse('no') as never, { name: 'SyntaxError' }],
    ['rejects', () => Promise.reject(new Error('database down')), { message: 'database down' }],
    ['returns a key that cannot be one', byPath, { name: 'ConfigurationError' }],
    ['returns no text', () => 7 as never, { name: 'ConfigurationError' }],
  ])('are answered with 500 if the function %s: the event is sent again', async (_, secretKey, error) => {
    const webhook = recordingHandler({ secretKey });

    expect((await webhook.fetch(bySecret(body, 'x', '/shops/empty'))).status).toBe(500);
    expect(webhook.errors).toMatchObject([error]);
    expect(webhook.events).toEqual([]);
  });

  test('are not looked up for a request without a signature, or with too large a body', async () => {
    const asked = vi.fn(() => secretKey);
    const webhook = recordingHandler({ secretKey: asked, maxBodyBytes: body.length });
    const unsigned = new Request('https://shop.example/', { method: 'POST', body });

    expect((await webhook.fetch(unsigned)).status).toBe(401);
    expect((await webhook.fetch(signedRequest(`${body} `))).status).toBe(413);
    expect(asked).not.toHaveBeenCalled();
  });
});

describe('without onError', () => {
  test('errors that were answered with 500 are written to the console, and refusals are not', async () => {
    const written = vi.spyOn(console, 'error').mockReturnValue(undefined);
    const failure = new Error('database down');
    const webhook = createWebhookHandler({ secretKey, onEvent: () => Promise.reject(failure) });

    expect((await webhook.fetch(signedRequest(body, { signature: 'wrong' }))).status).toBe(401);
    expect((await webhook.fetch(signedRequest('{'))).status).toBe(400);
    expect(written).not.toHaveBeenCalled();

    expect((await webhook.fetch(signedRequest())).status).toBe(500);
    const used = signedRequest();
    await used.text();
    expect((await webhook.fetch(used)).status).toBe(500);
    // The recipes in one line, without a stack for each delivery.
    expect(written.mock.calls).toEqual([
      [failure],
      [expect.stringMatching(/^WebhookError BODY_NOT_RAW: [^\n]*express\.json[^\n]*$/)],
    ]);
  });
});

describe('a schema', () => {
  const event = (state: string) => signedRequest(JSON.stringify({ orderId: '1', state }));

  test.each([
    ['zod', z.object({ orderId: z.string(), state: z.literal('paid') })],
    ['valibot', v.object({ orderId: v.string(), state: v.literal('paid') })],
    ['valibot, asynchronous', v.pipeAsync(v.object({ state: v.string() }), v.checkAsync(async ({ state }) => (await wait(1), state === 'paid')))], // prettier-ignore
  ])('of %s decides', async (_name, schema) => {
    const webhook = recordingHandler({ schema });

    expect((await webhook.fetch(event('paid'))).status).toBe(204);
    expect(webhook.events).toHaveLength(1);

    const refused = await webhook.fetch(event('lost'));
    expect(refused.status).toBe(400);
    expect(await refused.text()).toBe('{"error":"SCHEMA"}');
    expect(webhook.errors).toMatchObject([
      { code: 'SCHEMA', issues: [{ message: expect.any(String) as string }] },
    ]);
    expect(webhook.events).toHaveLength(1);
  });

  test('returns the event that it parsed', async () => {
    const webhook = recordingHandler({ schema: z.object({ paidAt: z.coerce.date() }) });
    await webhook.fetch(signedRequest('{"paidAt":"2026-11-20T03:04:05Z"}'));

    expect(webhook.events).toEqual([{ paidAt: new Date('2026-11-20T03:04:05Z') }]);
  });

  test('may be a function, as in arktype', async () => {
    const standard = { version: 1, vendor: 'test', validate: () => ({ value: 'judged' }) } as const;
    const webhook = recordingHandler({ schema: Object.assign(() => undefined, { '~standard': standard }) });
    await webhook.fetch(signedRequest());

    expect(webhook.events).toEqual(['judged']);
  });

  test('that throws is a mistake of the receiver: 500', async () => {
    const schema = z.unknown().transform(() => {
      throw new RangeError('nested too deep');
    });
    const webhook = recordingHandler({ schema });

    expect((await webhook.fetch(signedRequest())).status).toBe(500);
    expect(webhook.errors).toMatchObject([{ name: 'RangeError' }]);
  });

  test('is not asked about a body whose signature is wrong', async () => {
    const asked = vi.fn(() => true);
    const webhook = recordingHandler({ schema: z.custom(asked) });
    await webhook.fetch(signedRequest(body, { signature: sign('{}') }));

    expect(asked).not.toHaveBeenCalled();
  });
});

describe('a body over node:http', () => {
  /** A handler on a server, and what its promises came to. */
  async function observed(options: Parameters<typeof createServer>[0] = {}) {
    const webhook = recordingHandler();
    const settled: Promise<void>[] = [];
    const server = createServer(options, (request, response) => {
      settled.push(webhook.node(request, response));
    });
    const shop = await listening(server.listen(0, '127.0.0.1'));
    const { port } = shop.server.address() as AddressInfo;
    const socket = connect(port, '127.0.0.1');
    return { ...shop, webhook, settled, socket };
  }

  const head = (length: number) =>
    `POST / HTTP/1.1\r\nHost: shop\r\nSignature: ${sign(body)}\r\nContent-Length: ${length}\r\n\r\n`;

  test('whose sender disconnects leaves nothing pending, and no event', async () => {
    await using shop = await observed();
    const { webhook, settled, socket } = shop;
    socket.write(head(100) + body);
    await vi.waitFor(() => {
      expect(settled).toHaveLength(1);
    });
    socket.destroy();

    await Promise.all(settled);
    expect(webhook.events).toEqual([]);
    expect(webhook.errors).toMatchObject([{ code: 'BODY_NOT_JSON' }]);
    const connections = await new Promise((resolve) => {
      shop.server.getConnections((_error, count) => {
        resolve(count);
      });
    });
    expect(connections).toBe(0);
  });

  test('that never ends is stopped by the time limit of the server', async () => {
    await using shop = await observed({
      requestTimeout: 100,
      headersTimeout: 100,
      connectionsCheckingInterval: 20,
    });
    const { webhook, settled, socket } = shop;
    socket.resume().write(head(100) + body);
    await once(socket, 'close');

    await Promise.all(settled);
    expect(settled).toHaveLength(1);
    expect(webhook.events).toEqual([]);
  });

  test('that is endless is not read past the limit, and its connection is closed', async () => {
    await using shop = await observed();
    const { webhook, settled, socket } = shop;
    let received = '';
    let sent = 0;
    socket.on('data', (data: Buffer) => (received += data.toString()));
    socket.on('error', () => undefined); // the connection is closed under what is still being sent
    socket.write('POST / HTTP/1.1\r\nHost: shop\r\nSignature: x\r\nTransfer-Encoding: chunked\r\n\r\n');
    const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
    while (!socket.destroyed) {
      if (socket.write(chunk)) sent += chunk.length;
      await wait(1);
    }

    await Promise.all(settled);
    expect(received).toMatch(/^HTTP\/1\.1 413 /);
    expect(received).toMatch(/^connection: close\r$/im);
    expect(sent).toBeLessThan(16 * 1024 * 1024); // the limit, and the buffers of both ends
    expect(webhook.errors).toMatchObject([{ code: 'BODY_TOO_LARGE' }]);
  });

  test('whose length is too large is refused before any of it has arrived', async () => {
    await using shop = await observed();
    const { settled, socket } = shop;
    socket.write(head(1024 * 1024 + 1));
    const [data] = (await once(socket, 'data')) as [Buffer];
    socket.destroy();

    expect(data.toString()).toMatch(/^HTTP\/1\.1 413 /);
    await Promise.all(settled);
  });

  test('of a request without a signature is not waited for', async () => {
    await using shop = await observed();
    const { settled, socket } = shop;
    socket.write('POST / HTTP/1.1\r\nHost: shop\r\nContent-Length: 100\r\n\r\n');
    const [data] = (await once(socket, 'data')) as [Buffer];
    socket.destroy();

    expect(data.toString()).toMatch(/^HTTP\/1\.1 401 /);
    await Promise.all(settled);
  });

  test('of a request that has ended already settles', async () => {
    const webhook = recordingHandler();
    const server = createServer();
    const settled = new Promise<void>((resolve) => {
      server.once('request', (request: IncomingMessage, response: ServerResponse) => {
        request.once('close', () => void webhook.node(request, response).then(resolve));
        request.destroy();
      });
    });
    await using shop = await listening(server.listen(0, '127.0.0.1'));

    await expect(send(shop.url, { body })).rejects.toThrow();
    await settled;
    expect(webhook.events).toEqual([]);
  });

  test('split inside a character, and decoded to text by a framework, is still the same bytes', async () => {
    const text = JSON.stringify({ name: 'Nguyễn Thị Ánh' });
    const webhook = recordingHandler();
    await using shop = await serve((request, response) => {
      request.setEncoding('utf8');
      void webhook.node(request, response);
    });
    const { port } = new URL(shop.url);
    const socket = connect(Number(port), '127.0.0.1');
    const bytes = Buffer.from(text);
    socket.write(
      `POST / HTTP/1.1\r\nHost: shop\r\nSignature: ${sign(text)}\r\nContent-Length: ${bytes.length}\r\n\r\n`,
    );
    for (const byte of bytes) socket.write(Buffer.of(byte));
    const [data] = (await once(socket, 'data')) as [Buffer];
    socket.destroy();

    expect(data.toString()).toMatch(/^HTTP\/1\.1 204 /);
    expect(webhook.events).toEqual([{ name: 'Nguyễn Thị Ánh' }]);
  });

  test('answered by a time-out of the framework meanwhile throws nothing', async () => {
    const answered: WebhookNodeResponse[] = [];
    const webhook = recordingHandler();
    await using shop = await serve((request, response) => {
      response.writeHead(503).end();
      void webhook.node(request, response).then(() => answered.push(response));
    });

    expect((await send(shop.url, { body })).status).toBe(503);
    await vi.waitFor(() => {
      expect(answered).toHaveLength(1);
    });
  });

  test('with headers that fetch refuses is answered with 500 and throws nothing', async () => {
    const webhook = recordingHandler();
    await using shop = await serve((request, response) => {
      request.headers['bad name'] = 'x';
      void webhook.node(request, response);
    });

    expect((await send(shop.url, { body })).status).toBe(500);
    expect(webhook.errors).toMatchObject([{ name: 'TypeError' }]);
  });
});

test('a stream of HTTP/2 is closed once its body was refused, and others of its connection go on', async () => {
  const webhook = recordingHandler({ maxBodyBytes: 1024 });
  const server = createHttp2Server((request, response) => void webhook.node(request, response));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const session = connectHttp2(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const endless = session.request({ ':method': 'POST', signature: sign(body) });
  endless.write('x'.repeat(2048));
  const [headers] = (await once(endless, 'response')) as [{ readonly ':status': number }];
  let text = '';
  endless.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  await once(endless, 'close');

  expect(headers[':status']).toBe(413);
  expect(text).toBe('{"error":"BODY_TOO_LARGE"}');
  const next = session.request({ ':method': 'POST', signature: sign(body) });
  next.end(body);
  const [answered] = (await once(next, 'response')) as [{ readonly ':status': number }];
  expect(answered[':status']).toBe(204);
  session.close();
  server.close();
});

describe.each(['rawBody', 'body'])('a body that a framework kept as %s', (name) => {
  const limit = 64;
  const exact = JSON.stringify('x'.repeat(limit - 2));
  test.each([
    [exact, 204],
    [`${exact} `, 413],
  ])('has the same limit', async (text, status) => {
    const webhook = recordingHandler({ maxBodyBytes: limit });
    await using shop = await serve((request, response) => {
      request.resume();
      void webhook.node(Object.assign(request, { [name]: Buffer.from(text) }), response);
    });
    // Without a length, which would be refused before.
    const headers = { signature: sign(text), 'content-length': null, 'transfer-encoding': 'chunked' };

    expect((await send(shop.url, { body: text, headers })).status).toBe(status);
  });
});

test('HTTP/2 is served too, where the limit ends no connection', async () => {
  const warnings = vi.spyOn(process, 'emitWarning');
  const webhook = recordingHandler({ maxBodyBytes: body.length });
  const server = createHttp2Server((request, response) => void webhook.node(request, response));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const session = connectHttp2(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const statusOf = async (text: string) => {
    const stream = session.request({ ':method': 'POST', signature: sign(text) });
    stream.end(text);
    const [headers] = (await once(stream, 'response')) as [{ readonly ':status': number }];
    return headers[':status'];
  };

  expect([await statusOf(body), await statusOf(`${body} `), await statusOf(body)]).toEqual([204, 413, 204]);
  expect(warnings).not.toHaveBeenCalled();
  session.close();
  server.close();
});

describe('a body over fetch', () => {
  /** A request whose body is a stream. */
  const streaming = (stream: ReadableStream<Uint8Array>) =>
    new Request('https://shop.example/', {
      method: 'POST',
      body: stream,
      duplex: 'half',
      headers: { signature: sign(body) },
    });

  test('that is endless is not read past the limit', async () => {
    let pulled = 0;
    const stream = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulled++;
        controller.enqueue(new Uint8Array(64 * 1024));
      },
    });
    const webhook = recordingHandler();

    expect((await webhook.fetch(streaming(stream))).status).toBe(413);
    expect(pulled).toBeLessThan(20);
  });

  test('that fails midway is refused', async () => {
    const stream = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(Buffer.from(body));
        controller.error(new Error('reset by khách-hàng'));
      },
    });
    const webhook = recordingHandler();

    expect((await webhook.fetch(streaming(stream))).status).toBe(400);
    expect(webhook.errors).toMatchObject([{ code: 'BODY_NOT_JSON' }]);
    expect(webhook.events).toEqual([]);
  });

  test('that is missing is empty', async () => {
    const headers = { signature: sign('') };
    const answer = await recordingHandler().fetch(
      new Request('https://shop.example/', { method: 'POST', headers }),
    );

    expect(answer.status).toBe(400);
  });

  test('of anything but bytes is not raw', async () => {
    const objects = new ReadableStream({
      start(controller) {
        controller.enqueue({ orderId: '1' });
        controller.close();
      },
    });

    expect((await recordingHandler().fetch(streaming(objects))).status).toBe(500);
  });

  test('that was read, or is being read, is not raw', async () => {
    const read = signedRequest();
    await read.json();
    const reading = signedRequest();
    reading.body?.getReader();

    for (const request of [read, reading]) {
      const webhook = recordingHandler();
      expect((await webhook.fetch(request)).status).toBe(500);
      expect(webhook.errors).toMatchObject([{ code: 'BODY_NOT_RAW' }]);
    }
  });
});

describe('the handler', () => {
  test.each([
    ['secretKey', {}],
    ['onEvent', { onEvent: undefined }],
    ['onEvent', { onEvent: {} }],
    ['schema', { schema: {} }],
    ['schema', { schema: { '~standard': null } }],
    ['schema', { schema: 'zod' }],
    ['signatureHeader', { signatureHeader: '' }],
    ['signatureHeader', { signatureHeader: 'X Signature' }],
    ['signatureEncoding', { signatureEncoding: 'base64url' }],
    ['maxBodyBytes', { maxBodyBytes: 0 }],
    ['maxBodyBytes', { maxBodyBytes: 1.5 }],
    ['maxBodyBytes', { maxBodyBytes: Infinity }],
    ['maxBodyBytes', { maxBodyBytes: '1mb' }],
    ['onError', { onError: console }],
    ['onevent', { onevent: () => undefined }],
  ])('names a wrong %s: %j', (option, wrong) => {
    const right = option === 'secretKey' ? {} : { secretKey };
    const options = { ...right, onEvent: () => undefined, ...wrong };
    const error = thrownBy(() => createWebhookHandler(options as never));

    expect(error).toBeInstanceOf(ConfigurationError);
    expect(error).toMatchObject({ option });
  });

  test('shows no secret when it is printed', () => {
    expect(inspect(recordingHandler(), { depth: Infinity, showHidden: true })).not.toContain(secretKey);
  });
});
