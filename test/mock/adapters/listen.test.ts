import { getEventListeners, once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, test, vi } from 'vitest';
import { jsonResponse, type Reply } from '../../../src/mock/common/exchange.js';
import { listen } from '../../../src/mock/adapters/node.js';

const response: Reply = { kind: 'response', response: jsonResponse({}) };

describe('a server of the mock', () => {
  test('closes the connection of a request whose handling fails', async () => {
    await using server = await listen(() => Promise.reject(new Error('a bug')));
    await expect(fetch(server.url)).rejects.toMatchObject({ cause: { code: 'UND_ERR_SOCKET' } });
  });

  test.each([
    ['without a body', null, ''],
    ['with one', 'page', 'page'],
  ])('sends a page %s', async (_title, body, text) => {
    const page = new Response(body, {
      status: 201,
      headers: [
        ['set-cookie', 'a=1'],
        ['set-cookie', 'b=2'],
      ],
    });
    await using server = await listen(() => Promise.resolve({ kind: 'page', response: page }));
    const received = await fetch(server.url);
    expect(received.status).toBe(201);
    expect(received.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    expect(await received.text()).toBe(text);
  });

  test.each(['GET', 'POST'])(
    'passes a %s request on as a Request, with the body that was read',
    async (method) => {
      const requests: Request[] = [];
      await using server = await listen(async (request) => {
        const bytes = await request.readBody(100);
        requests.push(request.toRequest(method === 'POST' ? Uint8Array.from(bytes ?? []) : undefined));
        return response;
      });
      const body = method === 'POST' ? 'trả góp' : null;
      await fetch(`${server.url}/a?b=c`, { method, body, headers: { 'X-Kind': 'a' } });
      const [request] = requests;
      expect([request?.method, request?.url]).toEqual([method, `${server.url}/a?b=c`]);
      expect(request?.headers.get('x-kind')).toBe('a');
      expect(await request?.text()).toBe(body ?? '');
    },
  );

  test('closes the connection of a sender that keeps its own side open', async () => {
    await using server = await listen(() => Promise.resolve({ kind: 'empty-response' }));
    const socket = connect({ port: server.port, host: '127.0.0.1', allowHalfOpen: true });
    socket.on('error', () => undefined);
    socket.write('GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
    await once(socket.resume(), 'end');
    socket.write('GET / HTTP/1.1\r\n');
    await vi.waitFor(() => {
      socket.write('X-Kind: a\r\n');
      expect(socket.destroyed).toBe(true);
    }, 10_000);
  });

  test('cancels the stream of a page that its reader has closed', async () => {
    let isCancelled = false;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        controller.enqueue(new Uint8Array(1));
      },
      cancel: () => {
        isCancelled = true;
      },
    });
    await using server = await listen(() => Promise.resolve({ kind: 'page', response: new Response(body) }));
    const reader = new AbortController();
    await fetch(server.url, { signal: reader.signal });
    reader.abort();
    await vi.waitFor(() => {
      expect(isCancelled).toBe(true);
    }, 10_000);
  });

  test('releases a request that hangs once its connection is closed', async () => {
    const { signal } = new AbortController();
    await using server = await listen(() => Promise.resolve({ kind: 'hang', resetSignal: signal }));
    const socket = connect(server.port, '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
    await vi.waitFor(() => {
      expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    }, 10_000);
    socket.destroy();
    await vi.waitFor(() => {
      expect(getEventListeners(signal, 'abort')).toHaveLength(0);
    }, 10_000);
  });
});
