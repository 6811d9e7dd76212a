import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createMockService } from '../../../src/entries/mock.js';
import { connectMock } from '../../../src/entries/remote.js';
import { freePort } from '../../helpers/free-port.js';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function serve(listener: RequestListener, port = 0): Promise<{ server: Server; url: string }> {
  const server = createServer(listener);
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const { port: bound } = server.address() as AddressInfo;
  closing.push(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  return { server, url: `http://127.0.0.1:${bound}` };
}

test('calls before the mock is up take effect once it is up', async () => {
  const port = await freePort();
  const remote = connectMock(`http://127.0.0.1:${port}`, { waitMs: 30_000 });
  const early = [
    remote.respondWith('initiatePayment', { resultStatus: 'ERROR_GENERAL' }),
    remote.payments.all(),
    remote.journal.waitFor({ path: '/nothing' }, { timeoutMs: 1 }),
  ];
  const results = Promise.allSettled(early);
  const mock = await createMockService().listen({ port });
  closing.push(() => mock.close());

  expect((await results).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
});

test('a mock that never comes up causes one error, with the address and how to start it', async () => {
  const port = await freePort();
  const remote = connectMock(`http://127.0.0.1:${port}/`, { waitMs: 600 });
  const started = performance.now();
  const failures = await Promise.allSettled([remote.payments.all(), remote.reset()]);

  const message =
    `No mock came up at http://127.0.0.1:${port} within 600 ms (ECONNREFUSED). ` +
    `Start one with: npx installment-payments mock --port ${port}`;
  for (const failure of failures) expect(failure).toMatchObject({ reason: { message } });
  expect(performance.now() - started).toBeGreaterThan(300);
  expect(performance.now() - started).toBeLessThan(3000);
});

test('the next call waits again after a wait that timed out', async () => {
  const port = await freePort();
  const remote = connectMock(`http://127.0.0.1:${port}`, { waitMs: 0 });
  await expect(remote.payments.all()).rejects.toThrow(/No mock came up/);
  const mock = await createMockService().listen({ port });
  closing.push(() => mock.close());

  expect(await remote.payments.all()).toEqual([]);
});

test('a gateway in front of the mock is retried, whatever its Retry-After says', async () => {
  let asked = 0;
  const { url } = await serve((request, response) => {
    const isReady = (asked += 1) > 2;
    response.writeHead(isReady ? 200 : 503, { 'retry-after': isReady ? '0' : '86400' });
    response.end(isReady ? (request.url === '/_mock/health' ? '{"ok":true}' : '[]') : 'Starting');
  });

  expect(await connectMock(url).payments.all()).toEqual([]);
  expect(asked).toBe(4);
});

test('a port that accepts connections and does not respond is tried again', async () => {
  let asked = 0;
  const { url } = await serve((request, response) => {
    asked += 1;
    if (asked > 1) response.end(request.url === '/_mock/health' ? '{"ok":true}' : '[]');
  });

  expect(await connectMock(url).payments.all()).toEqual([]);
  expect(asked).toBe(3);
});

test('the end of a mock that was up is reported at once, and nothing is repeated', async () => {
  const mock = await createMockService().listen();
  const remote = connectMock(mock.url, { waitMs: 60_000 });
  await remote.reset();
  await mock.close();

  await expect(remote.settle('ORDER-1', 'paid')).rejects.toThrow(
    new RegExp(`^The mock at ${mock.url} was up and no longer responds \\(.+\\)\\.$`),
  );
});
