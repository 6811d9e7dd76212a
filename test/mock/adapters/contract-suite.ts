import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { MockFault, MockService } from '../../../src/entries/mock.js';
import { settle as allThatIsReady } from '../../helpers/runtime.js';
import { initiate, upload, type PlainRequest } from '../../helpers/signed-requests.js';

/** A mock behind an adapter. */
export interface Carrier {
  readonly mock: MockService;
  send(request: PlainRequest, signal?: AbortSignal): Promise<Response>;
  close(): Promise<void> | void;
}

/** The features of an adapter. */
export interface CarrierTraits {
  /** The code of the error for a reset connection; undefined if it is only a network error. */
  readonly resetCode?: string;
  readonly closedCode?: string;
}

/** The tests for every adapter: how requests and responses pass through it, whole or broken. */
export function contractSuite(open: () => Promise<Carrier>, traits: CarrierTraits): void {
  let carrier: Carrier;
  let mock: MockService;

  beforeAll(async () => {
    carrier = await open();
    ({ mock } = carrier);
  });
  afterAll(async () => {
    mock.reset();
    await carrier.close();
  });
  beforeEach(() => {
    mock.reset({ scenario: 'baseline' });
  });

  const send = (request: PlainRequest, signal?: AbortSignal) => carrier.send(request, signal);

  test('responds to a request for a payment with everything that is documented', async () => {
    const response = await send(initiate());

    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
    expect(await response.json()).toEqual({
      merchantId: 'DEMO-MERCHANT',
      referenceId: 'ORDER:2026-0001',
      responseTime: '2026-11-20 10:04:05',
      resultStatus: 'APPROVED',
      resultMsg: 'The payment was created.',
      paymentUrl: expect.stringMatching(/^https?:\/\/[^/]+\/pay\/\d+$/) as unknown,
      qrData: expect.stringMatching(/^https?:/) as unknown,
    });
    expect(mock.journal.all()).toMatchObject([{ answer: 'sent' }]);
  });

  test('stores an invoice file byte for byte', async () => {
    await send(initiate());
    mock.settle('ORDER:2026-0001', 'paid');
    const bytes = Buffer.from(Array.from({ length: 4096 }, (_, index) => index % 256));
    const data = Buffer.concat([Buffer.from('%PDF-'), bytes]);
    await send(upload({ file: { data, filename: 'hoá đơn.pdf' } }));

    expect(mock.invoices.get('INV-00000001')?.file).toMatchObject({
      name: 'hoá đơn.pdf',
      sha256: createHash('sha256').update(data).digest('hex'),
    });
  });

  test('records in the journal that a sender has closed the connection before the response', async () => {
    mock.injectFault('initiatePayment', { delayMs: 100 }, { phase: 'after' });
    const leaving = new AbortController();
    const sent = send(initiate(), leaving.signal).then(
      ({ type }) => type,
      () => 'error',
    );
    await mock.journal.waitFor({ completed: false, referenceId: 'ORDER:2026-0001' });
    leaving.abort();
    expect(await sent).toBe('error');
    expect(await mock.journal.waitFor({ answer: 'abandoned' })).toMatchObject({
      acted: true,
      httpStatus: 200,
    });
  });

  test('keeps a response that hangs until its sender has closed the connection', async () => {
    mock.reset({ scenario: 'hang' });
    const leaving = new AbortController();
    const sent = send(initiate(), leaving.signal).catch((error: unknown) => error);
    const held = await mock.journal.waitFor({ completed: false, referenceId: 'ORDER:2026-0001' });
    await expect.poll(() => mock.payments.all()).toHaveLength(1);
    await allThatIsReady();
    expect(held.completed).toBe(false);
    leaving.abort();
    await sent;
    expect(await mock.journal.waitFor({ completed: true })).toMatchObject({ acted: true, answer: 'lost' });
  });

  test.each([
    [429, 'slow down'],
    [403, ''],
  ])(
    'states the length of a response, so that a caller can check that it is whole: %d',
    async (httpStatus, body) => {
      mock.respondWith('initiatePayment', { httpStatus, body });
      expect((await send(initiate())).headers.get('content-length')).toBe(String(body.length));
    },
  );

  test('serves the controls beside the service', async () => {
    const headers = { 'Content-Type': 'application/json' };
    const body = JSON.stringify({ operation: 'initiatePayment', answer: { resultStatus: 'ERROR_GENERAL' } });
    const response = await send({ path: '/_mock/respond', init: { method: 'POST', headers, body } });

    expect(await response.json()).toEqual({ ok: true });
    expect(await (await send(initiate())).json()).toMatchObject({ resultStatus: 'ERROR_GENERAL' });
  });

  /** The effect of each fault on the sender of the request. */
  const seen: Readonly<Record<string, () => Promise<void>>> = {
    'connection-reset': () => expectNetworkError(send(initiate()), traits.resetCode),
    'empty-response': () => expectNetworkError(send(initiate()), traits.closedCode),
    hang: async () => {
      const caller = new AbortController();
      const pending = send(initiate(), caller.signal);
      await mock.journal.waitFor({ fault: 'hang' });
      caller.abort();
      await expect(pending).rejects.toMatchObject({ name: 'AbortError' });
    },
    'stalled-body': async () => {
      const caller = new AbortController();
      const response = await send(initiate(), caller.signal);
      const reader = (response.body as ReadableStream<Uint8Array>).getReader();
      expect((await reader.read()).value?.length).toBeGreaterThan(0);
      let isOver = false;
      const rest = reader.read().finally(() => (isOver = true));
      rest.catch(() => undefined);
      await allThatIsReady();
      expect(isOver).toBe(false);
      caller.abort();
      await expect(rest).rejects.toMatchObject({ name: 'AbortError' });
    },
    'truncated-body': async () => {
      const response = await send(initiate());
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toMatch(/^application\/json/);
      await expect(response.text()).rejects.toThrow();
    },
    'invalid-json': async () => {
      const text = await (await send(initiate())).text();
      expect(text).toMatch(/^\{"/);
      expect(() => JSON.parse(text) as unknown).toThrow(SyntaxError);
    },
    'html-502': async () => {
      const response = await send(initiate());
      expect([response.status, response.headers.get('content-type')]).toEqual([502, 'text/html']);
      expect(await response.text()).toContain('502 Bad Gateway');
    },
  };

  async function expectNetworkError(pending: Promise<Response>, code: string | undefined): Promise<void> {
    const error = await pending.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(TypeError);
    if (code !== undefined) expect((error as { cause?: unknown }).cause).toMatchObject({ code });
  }

  describe('a response that is lost after the service acted', () => {
    const named = Object.keys(seen) as Extract<MockFault, string>[];

    test.each(named)('fails for its sender as on the wire, and is in the journal: %s', async (fault) => {
      mock.injectFault('initiatePayment', fault, { phase: 'after' });
      await seen[fault]?.();
      expect(mock.payments.all()).toHaveLength(1);
      expect(mock.journal.all()).toMatchObject([{ fault, faultPhase: 'after', completed: true }]);
    });
  });

  test('ends requests that hang, stall or are delayed when the mock is reset', async () => {
    mock.injectFault('initiatePayment', 'hang');
    mock.injectFault('initiatePayment', 'stalled-body');
    mock.injectFault('initiatePayment', { delayMs: 600_000 });
    const hung = expectNetworkError(send(initiate()), traits.resetCode);
    await mock.journal.waitFor({ fault: 'hang' });
    const stalled = await send(initiate());
    const body = stalled.text().catch((error: unknown) => error);
    const delayed = expectNetworkError(send(initiate()), traits.resetCode);
    await mock.journal.waitFor({ fault: { delayMs: 600_000 }, completed: false });

    mock.reset();

    expect(await body).toBeInstanceOf(TypeError);
    await Promise.all([hung, delayed]);
    expect(mock.payments.all()).toEqual([]);
    expect(mock.journal.all()).toEqual([]);
  });
}
