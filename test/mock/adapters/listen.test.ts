import { getEventListeners, once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { listen } from '../../../src/mock/adapters/node.js';
import { jsonResponse, type Delivery } from '../../../src/mock/wire/delivery.js';

afterEach(() => {
  vi.useRealTimers();
});

const response: Delivery = { kind: 'response', response: jsonResponse({}) };

/** Opens a connection and sends the start of a request whose body has not come. */
async function begin(port: number) {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write('POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n1\r\n');
  return socket;
}

describe('a server of the mock', () => {
  test('closes the connection of a request whose handling fails', async () => {
    await using server = await listen(() => Promise.reject(new Error('a bug')));
    await expect(fetch(server.url)).rejects.toMatchObject({ cause: { code: 'UND_ERR_SOCKET' } });
  });

  test('keeps a connection after an answer', async () => {
    await using server = await listen(() => Promise.resolve(response));
    const { headers } = await fetch(server.url);
    expect(headers.get('connection')).toBe('keep-alive');
  });

  test('forgets a request that hangs once its connection is closed', async () => {
    const { signal } = new AbortController();
    await using server = await listen(() => Promise.resolve({ kind: 'hang', ended: signal }));
    const socket = connect(server.port, '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
    await vi.waitFor(() => {
      expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    });
    socket.destroy();
    await vi.waitFor(() => {
      expect(getEventListeners(signal, 'abort')).toHaveLength(0);
    });
  });

  test('reads the rest of a request that it has answered for two seconds at most', async () => {
    await using server = await listen(() => Promise.resolve(response));
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const socket = await begin(server.port);
    await once(socket, 'data');
    const closed = once(socket, 'close');
    await vi.advanceTimersByTimeAsync(2000);
    await closed;
    expect(socket.destroyed).toBe(true);
  });

  test('leaves no timer behind a request that ends after its answer', async () => {
    await using server = await listen(() => Promise.resolve(response));
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const socket = await begin(server.port);
    await once(socket, 'data');
    expect(vi.getTimerCount()).toBe(1);
    const ended = once(socket, 'end');
    socket.write('0\r\n\r\n');
    await ended;
    expect(vi.getTimerCount()).toBe(0);
  });
});
