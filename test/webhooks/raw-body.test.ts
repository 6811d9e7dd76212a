import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import http2, { type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http2';
import { connect, type AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import { listening, recordingHandler, send, serve, sign, signedRequest } from './support.js';

const body = '{"orderId":"1"}';

describe('a body over node:http', () => {
  /** A handler on a server, its settled promises, and a connection to it. */
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

  const head = (text: string, length = Buffer.byteLength(text)) =>
    `POST / HTTP/1.1\r\nHost: shop\r\nSignature: ${sign(text)}\r\nContent-Length: ${length}\r\n\r\n`;

  test('leaves nothing pending, and no event, if its sender disconnects', async () => {
    await using shop = await observed();
    const { webhook, settled, socket } = shop;
    socket.write(head(body, 100) + body);
    await vi.waitFor(() => {
      expect(settled).toHaveLength(1);
    }, 10_000);
    socket.destroy();

    await Promise.all(settled);
    expect(webhook.events).toEqual([]);
    expect(webhook.errors).toMatchObject([
      { code: 'BODY_NOT_JSON', message: 'the connection ended before the whole body arrived' },
    ]);
  });

  test('is stopped by the time limit of the server if it never ends', async () => {
    await using shop = await observed({
      requestTimeout: 100,
      headersTimeout: 100,
      connectionsCheckingInterval: 20,
    });
    const { webhook, settled, socket } = shop;
    socket.resume().write(head(body, 100) + body);
    await once(socket, 'close');

    await Promise.all(settled);
    expect(settled).toHaveLength(1);
    expect(webhook.events).toEqual([]);
  });

  test('is not read past the limit if it is endless, and its connection is closed', async () => {
    await using shop = await observed();
    const { webhook, settled, socket } = shop;
    let received = '';
    let sent = 0;
    socket.on('data', (data: Buffer) => (received += data.toString()));
    socket.on('error', () => undefined); // the connection is closed under the rest of the body
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

  test('settles if the request has ended already', async () => {
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

  test('has the same bytes if it is split inside a character, or decoded to text by a framework', async () => {
    const text = JSON.stringify({ name: 'Nguyễn Thị Ánh' });
    const webhook = recordingHandler();
    await using shop = await serve((request, response) => {
      request.setEncoding('utf8');
      void webhook.node(request, response);
    });
    const socket = connect(Number(new URL(shop.url).port), '127.0.0.1');
    socket.write(head(text));
    for (const byte of Buffer.from(text)) socket.write(Buffer.of(byte));
    const [data] = (await once(socket, 'data')) as [Buffer];
    socket.destroy();

    expect(data.toString()).toMatch(/^HTTP\/1\.1 204 /);
    expect(webhook.events).toEqual([{ name: 'Nguyễn Thị Ánh' }]);
  });

  test('does not cause an error if a time-out of the framework has sent a response', async () => {
    const webhook = recordingHandler();
    const settled: Promise<void>[] = [];
    await using shop = await serve((request, response) => {
      response.writeHead(503).end();
      settled.push(webhook.node(request, response));
    });

    expect((await send(shop.url, { body })).status).toBe(503);
    await expect(Promise.all(settled)).resolves.toHaveLength(1);
  });
});

describe('a handler over HTTP/2', () => {
  /** The status of one request, by default without a signature. */
  async function statusOf(url: string, body: string, headers: OutgoingHttpHeaders = {}): Promise<unknown> {
    const session = http2.connect(url);
    try {
      const stream = session.request({ ':method': 'POST', ...headers });
      const responded = once(stream, 'response') as Promise<[IncomingHttpHeaders]>;
      // A body that is too large may be refused before its end.
      stream.on('error', () => undefined).end(body);
      const [{ ':status': status }] = await responded;
      return status;
    } finally {
      session.destroy();
    }
  }

  test('accepts a signed event, and refuses an unsigned event and a large event', async () => {
    const webhook = recordingHandler({ maxBodyBytes: 1000 });
    const warnings = vi.spyOn(process, 'emitWarning');
    const server = http2
      .createServer((request, response) => void webhook.node(request, response))
      .listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
    try {
      const signature = sign('{}');
      expect(await statusOf(url, '{}', { signature, 'x-twice': ['a', 'b'] })).toBe(204);
      expect(await statusOf(url, '{}')).toBe(401);
      expect(await statusOf(url, '{"a":1}', { signature })).toBe(401);
      expect(await statusOf(url, 'x'.repeat(5000), { signature })).toBe(413);
      expect(webhook.events).toEqual([{}]);
      expect(webhook.errors).toMatchObject([
        { code: 'SIGNATURE_MISSING' },
        { code: 'SIGNATURE_MISMATCH' },
        { code: 'BODY_TOO_LARGE' },
      ]);
      expect(warnings).not.toHaveBeenCalled();
    } finally {
      server.close();
      warnings.mockRestore();
    }
  });
});

test('responds with 500 if headers cannot be read, and throws nothing', async () => {
  const webhook = recordingHandler();
  await using shop = await serve((request, response) => {
    Object.defineProperty(request, 'headers', { value: { 'not a name': '1' } });
    void webhook.node(request, response);
  });
  expect(await send(shop.url, { body: '{}' })).toMatchObject({ status: 500 });
  expect(webhook.errors).toMatchObject([{ name: 'TypeError' }]);
});

describe.each(['rawBody', 'body'])('a body that a framework has read and kept as %s', (name) => {
  test.each([
    [body, 204],
    [`${body} `, 413],
  ])('is limited by maxBodyBytes like any other', async (text, status) => {
    const webhook = recordingHandler({ maxBodyBytes: body.length });
    await using shop = await serve((request, response) => {
      request.resume().on('end', () => {
        void webhook.node(Object.assign(request, { [name]: Buffer.from(text) }), response);
      });
    });

    expect((await send(shop.url, { body: text })).status).toBe(status);
  });
});

describe('a body over fetch', () => {
  /** A request whose body is a stream. */
  const streaming = (stream: ReadableStream) =>
    new Request('https://shop.example/', {
      method: 'POST',
      body: stream,
      duplex: 'half',
      headers: { signature: sign(body) },
    });

  test('is not read past the limit if it is endless, nor cancelled, so that the response can be sent', async () => {
    let pulled = 0;
    const cancelled: unknown[] = [];
    const stream = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulled++;
        controller.enqueue(new Uint8Array(64 * 1024));
      },
      cancel: (reason) => void cancelled.push(reason),
    });

    expect((await recordingHandler().fetch(streaming(stream))).status).toBe(413);
    expect(pulled).toBeLessThan(20);
    expect(cancelled).toEqual([]);
  });

  test('is refused if it fails in the middle', async () => {
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

  test('is empty if it is missing', async () => {
    const headers = { signature: sign('') };
    const request = new Request('https://shop.example/', { method: 'POST', headers });

    expect((await recordingHandler().fetch(request)).status).toBe(400);
  });

  test('is not raw if it is not bytes, was read, or is being read', async () => {
    const objects = streaming(
      new ReadableStream({
        start(controller) {
          controller.enqueue({ orderId: '1' });
          controller.close();
        },
      }),
    );
    const read = signedRequest(body);
    await read.json();
    const reading = signedRequest(body);
    reading.body?.getReader();

    for (const request of [objects, read, reading]) {
      const webhook = recordingHandler();
      expect((await webhook.fetch(request)).status).toBe(500);
      expect(webhook.errors).toMatchObject([{ code: 'BODY_NOT_RAW' }]);
    }
  });
});
