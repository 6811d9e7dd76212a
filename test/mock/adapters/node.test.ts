import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { createMockService } from '../../../src/entries/mock.js';
import { contractSuite } from './contract-suite.js';
import { initiate, now } from '../../helpers/signed-requests.js';

describe('the mock on a socket', () => {
  contractSuite(
    async () => {
      const mock = createMockService({ now });
      const server = await mock.listen();
      return {
        mock,
        send: ({ path, init }, signal) => fetch(server.url + path, { ...init, ...(signal && { signal }) }),
        close: () => server.close(),
      };
    },
    { resetCode: 'ECONNRESET', closedCode: 'UND_ERR_SOCKET' },
  );
});

async function open(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

describe('listen', () => {
  test('uses a free port of the loopback address, and returns its URL', async () => {
    const server = await createMockService().listen();
    expect(server.url).toBe(`http://127.0.0.1:${String(server.port)}`);
    await server.close();
    await expect(fetch(server.url)).rejects.toThrow();
  });

  test('can be called more than once, with shared state', async () => {
    const mock = createMockService({ now });
    await using first = await mock.listen();
    await using second = await mock.listen({ host: 'localhost' });
    const { path, init } = initiate();

    await fetch(first.url + path, init);
    const again = await fetch(second.url + path, init);

    expect(second.url).toBe(`http://localhost:${String(second.port)}`);
    expect(await again.json()).toMatchObject({ resultStatus: 'DUPLICATE_REFERENCE_ID' });
  });

  test.each(['0.0.0.0', '::'])('returns a URL with a host name for the wildcard address %s', async (host) => {
    await using server = await createMockService().listen({ host });
    expect(server.url).toBe(`http://localhost:${String(server.port)}`);
  });

  test('writes an IPv6 address in brackets', async () => {
    await using server = await createMockService().listen({ host: '::1' });
    expect(server.url).toBe(`http://[::1]:${String(server.port)}`);
    expect((await fetch(`${server.url}/_mock/health`)).status).toBe(200);
  });

  test.each(['', 'a b', 'fe80::1%eth0'])(
    'refuses the host %j, which is not reachable, before it listens',
    async (host) => {
      await expect(createMockService().listen({ host })).rejects.toMatchObject({
        code: 'CONFIGURATION',
        message: 'host must be a host name or an IP address without a zone',
        option: 'host',
      });
    },
  );

  test('rejects for a port that is in use', async () => {
    await using server = await createMockService().listen();
    await expect(createMockService().listen({ port: server.port })).rejects.toMatchObject({
      code: 'EADDRINUSE',
    });
  });

  test('returns a server whose close ends idle, hanging and half-sent connections, and can be called again', async () => {
    const mock = createMockService();
    const server = await mock.listen();
    mock.injectFault('initiatePayment', 'hang');
    const { path, init } = initiate();
    const hung = fetch(server.url + path, init).catch((error: unknown) => error);
    await mock.journal.waitFor({ fault: 'hang' });
    const idle = await open(server.port);
    const halfSent = await open(server.port);
    halfSent.write('POST /v2/payments HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{');
    await mock.journal.waitFor({ completed: false, path: '/v2/payments' });
    const ends = [once(idle, 'close'), once(halfSent, 'close')];

    await server.close();
    await server.close();

    expect(await hung).toBeInstanceOf(TypeError);
    expect(await Promise.all(ends)).toHaveLength(2);
  });
});
