import { setImmediate as nextTurn } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import { InstallmentClient } from '../../../src/entries/index.js';
import { createMockService, MockUsageError, samplePaymentRequest } from '../../../src/entries/mock.js';
import { createFetch } from '../../../src/mock/adapters/in-process.js';
import { jsonResponse } from '../../../src/mock/common/exchange.js';
import { contractSuite, type Carrier } from './contract-suite.js';
import { rejection } from '../../helpers/samples.js';
import { initiate, now } from '../../helpers/signed-requests.js';

const base = 'https://mock.example';

describe('the fetch of the mock', () => {
  const mock = createMockService({ now });
  const carrier: Carrier = {
    mock,
    send: ({ path, init }, signal) => mock.fetch(base + path, { ...init, ...(signal && { signal }) }),
    close: () => undefined,
  };
  contractSuite(() => Promise.resolve(carrier), { resetCode: 'ECONNRESET', closedCode: 'UND_ERR_SOCKET' });
});

describe('fetch', () => {
  const mock = createMockService({ now });
  const { path, init } = initiate();
  beforeEach(() => {
    mock.reset();
  });

  test.each([
    ['text and options', () => mock.fetch(base + path, init)],
    ['a URL and options', () => mock.fetch(new URL(path, base), init)],
    ['a Request', () => mock.fetch(new Request(base + path, init))],
    ['a Request and options that change it', () => mock.fetch(new Request(base + path), init)],
    ['bytes', () => mock.fetch(base + path, { ...init, body: Buffer.from(init.body as string) })],
    ['a Blob', () => mock.fetch(base + path, { ...init, body: new Blob([init.body]) })],
  ])('accepts %s', async (_title, send) => {
    expect(await (await send()).json()).toMatchObject({ resultStatus: 'APPROVED' });
  });

  test('refuses any other address by name, and sends nothing', async () => {
    const refused = rejection(mock.fetch(`https://service.example:8443${path}`, init));
    expect(await refused).toBeInstanceOf(MockUsageError);
    expect(await refused).toMatchObject({
      message:
        "The mock's fetch serves https://mock.example, and not https://service.example:8443. To call that address, remove fetch from the options.",
    });
    // A client tries this once.
    const client = new InstallmentClient({ ...mock.clientOptions(), baseUrl: 'https://service.example' });
    await expect(client.initiatePayment(samplePaymentRequest())).rejects.toMatchObject({
      ...{ code: 'CONNECTION', outcome: 'not_sent', retryable: false },
      $metadata: { attempts: [{ error: 'ERR_NOT_SERVED_BY_MOCK' }] },
      message: expect.stringContaining('ERR_NOT_SERVED_BY_MOCK') as unknown,
      cause: { message: expect.stringContaining('and not https://service.example') as unknown },
    });
    expect(mock.journal.all()).toEqual([]);
  });

  test('serves the public address and the addresses on which the mock listens', async () => {
    const own = createMockService({ publicUrl: 'https://shop.example/gateway' });
    await using server = await own.listen();
    for (const at of ['https://shop.example', server.url])
      expect((await own.fetch(`${at}/_mock/health`)).status).toBe(200);
  });

  test('removes the path of the base URL, and uses it in payment URLs', async () => {
    const baseUrl = 'https://mock.example/gateway';
    for (const [url, expected] of [
      [baseUrl + path, { paymentUrl: `${baseUrl}/pay/00000001` }],
      [base + path, { paymentUrl: `${baseUrl}/pay/00000001` }],
      [`${baseUrl}//evil.example${path}`, { resultStatus: 'INVALID_API' }],
      [`${baseUrl}er${path}`, { resultStatus: 'INVALID_API' }],
    ] as const) {
      mock.reset();
      const response = await mock.fetch(url, { ...init, baseUrl });
      expect(await response.json()).toMatchObject(expected);
    }
  });

  test.each(['GET', 'POST'])(
    'passes a %s request on as a Request, with the body that was read',
    async (method) => {
      const requests: Request[] = [];
      const serve = createFetch(
        async (request) => {
          const bytes = await request.readBody(100);
          requests.push(request.toRequest(method === 'POST' ? Uint8Array.from(bytes ?? []) : undefined));
          return { kind: 'response', response: jsonResponse({}) };
        },
        () => [base],
      );
      const body = method === 'POST' ? 'trả góp' : null;
      await serve(`${base}/a?b=c`, { method, body, headers: { 'X-Kind': 'a' } });
      const [request] = requests;
      expect([request?.method, request?.url]).toEqual([method, `${base}/a?b=c`]);
      expect(request?.headers.get('x-kind')).toBe('a');
      expect(await request?.text()).toBe(body ?? '');
    },
  );

  test('sends nothing to the mock if its signal has already fired', async () => {
    const reason = new Error('changed my mind');
    await expect(mock.fetch(base + path, { ...init, signal: AbortSignal.abort(reason) })).rejects.toBe(
      reason,
    );
    expect(mock.journal.all()).toEqual([]);
  });

  test('lets the service act if the caller aborts during a delay', async () => {
    let finish = (): void => undefined;
    const slow = createMockService({ now, delay: () => new Promise((resolve) => (finish = resolve)) });
    slow.injectFault('initiatePayment', { delayMs: 1 });
    const caller = new AbortController();
    const pending = slow.fetch(base + path, { ...init, signal: caller.signal });
    await slow.journal.waitFor({ fault: { delayMs: 1 }, completed: false });
    caller.abort();
    await expect(pending).rejects.toMatchObject({ name: 'AbortError' });

    finish();
    await slow.journal.waitFor({ resultStatus: 'APPROVED' });
    expect(slow.payments.all()).toHaveLength(1);
  });

  test('reads an endless body only up to the limit', async () => {
    let pulled = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulled += 65_536;
        controller.enqueue(new Uint8Array(65_536));
      },
    });
    const response = await mock.fetch(base + path, { ...init, body, duplex: 'half' });

    expect(await response.json()).toMatchObject({ resultStatus: 'INVALID_REQUEST' });
    expect(pulled).toBeLessThan(2 * 1024 * 1024);
  });

  test('accepts a body of 1 MiB, and refuses one more byte', async () => {
    for (const extra of [0, 1]) {
      const body = Buffer.alloc(1024 * 1024 + extra, 0x20);
      await mock.fetch(base + path, { ...init, body });
    }
    expect(mock.journal.all().map(({ bodyBytes }) => bodyBytes)).toEqual([1024 * 1024, undefined]);
  });

  test.each([204, 205, 304])('returns no body for the status %i', async (httpStatus) => {
    mock.respondWith('initiatePayment', { httpStatus });
    const response = await mock.fetch(base + path, init);
    expect([response.status, response.body]).toEqual([httpStatus, null]);
  });

  const reset = { message: 'read ECONNRESET', code: 'ECONNRESET', syscall: 'read' };
  const closed = { message: 'other side closed', code: 'UND_ERR_SOCKET' };
  test.each([
    ['connection-reset', 'fetch failed', reset],
    ['empty-response', 'fetch failed', closed],
    ['hang', 'fetch failed', reset],
    ['truncated-body', 'terminated', closed],
    ['stalled-body', 'terminated', reset],
  ] as const)('the fault %s fails as it does with Node’s fetch: %s', async (fault, message, cause) => {
    mock.injectFault('initiatePayment', fault);
    const sent = mock.fetch(base + path, init);
    const read = rejection(fault === 'hang' ? sent : sent.then((response) => response.text()));
    await mock.journal.waitFor({ fault, completed: true });
    await nextTurn();
    mock.reset();
    expect(await read).toBeInstanceOf(TypeError);
    expect(await read).toMatchObject({ message, cause });
  });

  test.each([
    ['the mock is reset', { message: 'terminated', cause: reset }],
    ['its caller gives up', { name: 'AbortError' }],
  ])('ends a stalled response, of which nothing was read, when %s', async (when, error) => {
    mock.injectFault('initiatePayment', 'stalled-body');
    const caller = new AbortController();
    const response = await mock.fetch(base + path, { ...init, signal: caller.signal });
    if (when === 'the mock is reset') mock.reset();
    else caller.abort();
    expect(await rejection(response.text())).toMatchObject(error);
  });

  test('fails for an invalid URL as the global fetch does', async () => {
    await expect(mock.fetch('/v2/payments', init)).rejects.toThrow(TypeError);
  });
});
