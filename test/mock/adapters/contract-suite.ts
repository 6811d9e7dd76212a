import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { MockFault, MockService } from '../../../src/mock/index.js';
import { settle as allThatIsReady } from '../../helpers/runtime.js';
import { worldsSuite } from '../worlds/worlds-suite.js';
import {
  allocation,
  initiate,
  order,
  receipt,
  upload,
  type PlainRequest,
} from '../../helpers/signed-requests.js';

/** A mock as one adapter offers it. */
export interface Carrier {
  readonly mock: MockService;
  send(request: PlainRequest, signal?: AbortSignal): Promise<Response>;
  close(): Promise<void> | void;
}

/** The features of an adapter. */
export interface CarrierTraits {
  /** The code of the error that a reset connection becomes; undefined where it is just a network error. */
  readonly resetCode?: string;
  readonly closedCode?: string;
}

/** Whatever carries it, the mock behaves the same: every adapter is held to this. */
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
    mock.reset({ world: 'plain' });
  });

  const send = (request: PlainRequest, signal?: AbortSignal) => carrier.send(request, signal);

  async function resultOf(request: PlainRequest): Promise<Record<string, unknown>> {
    const response = await send(request);
    return (await response.json()) as Record<string, unknown>;
  }

  /** Creates the sample payment and pays it. */
  async function sendPaid(): Promise<void> {
    await send(initiate());
    mock.settle('ORDER:2026-0001', 'paid');
  }

  describe('worlds', () => {
    worldsSuite(() => carrier);
  });

  describe('merchant requests', () => {
    test('a payment is created and answered with everything that is documented', async () => {
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
      expect(mock.payments.get('ORDER:2026-0001')).toMatchObject({ status: 'pending', request: order() });
      expect(mock.journal.all()).toMatchObject([{ answer: 'sent' }]);
    });

    test('an invoice file arrives byte for byte', async () => {
      await sendPaid();
      const data = Buffer.concat([
        Buffer.from('%PDF-'),
        Buffer.from(Array.from({ length: 4096 }, (_, i) => i % 256)),
      ]);
      const result = await resultOf(upload({ file: { data, filename: 'hoá đơn.pdf' } }));

      expect(result).toEqual({
        referenceId: 'ORDER:2026-0001',
        invoiceId: 'INV-00000001',
        paymentTransId: 'PT-00000001',
        uploadedAt: '2026-11-20T03:04:05Z',
        resultStatus: 'APPROVED',
        resultMsg: 'The invoice was stored.',
      });
      const { createHash } = await import('node:crypto');
      expect(mock.invoices.get('INV-00000001')?.file).toEqual({
        field: 'file',
        name: 'hoá đơn.pdf',
        type: 'application/pdf',
        size: data.length,
        sha256: createHash('sha256').update(data).digest('hex'),
      });
    });
  });

  test('the journal knows that a sender went away before its answer', async () => {
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

  describe('lender notifications', () => {
    test('a receipt and its allocation make a ledger', async () => {
      const responses = [await send(receipt()), await send(allocation())];

      expect(responses.map(({ status }) => status)).toEqual([200, 200]);
      expect(await responses[0]?.json()).toEqual({
        requestId: 'REQ-1',
        resultStatus: 'APPROVED',
        resultMsg: 'The receipt was recorded.',
      });
      expect(mock.ledger('CONTRACT-1')).toEqual({
        contractNumber: 'CONTRACT-1',
        received: 1_500_000,
        reversed: 0,
        allocated: { principal: 1_400_000, serviceFee: 100_000, penalty: 0, total: 1_500_000 },
        unallocated: 0,
        installments: [
          {
            installmentNumber: 1,
            principal: 1_400_000,
            serviceFee: 100_000,
            penalty: 0,
            total: 1_500_000,
            allocations: 1,
          },
        ],
        discrepancies: [],
      });
    });
  });

  describe('controls', () => {
    test.each([
      [429, 'slow down'],
      [403, ''],
    ])('an answer says how long it is, so that it is whole: %d', async (httpStatus, body) => {
      mock.respondWith('initiatePayment', { httpStatus, body });
      expect((await send(initiate())).headers.get('content-length')).toBe(String(body.length));
    });

    test('controls answer over the same carrier', async () => {
      const response = await send({
        path: '/_mock/respond',
        init: {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({ operation: 'initiatePayment', answer: { resultStatus: 'ERROR_GENERAL' } }),
        },
      });

      expect(await response.json()).toEqual({ ok: true });
      expect(await resultOf(initiate())).toMatchObject({ resultStatus: 'ERROR_GENERAL' });
    });
  });

  /** How each fault looks to whoever sent the request. */
  const seen: Readonly<Record<string, (request: PlainRequest) => Promise<void>>> = {
    'connection-reset': (request) => expectNetworkError(send(request), traits.resetCode),
    'empty-response': (request) => expectNetworkError(send(request), traits.closedCode),
    hang: async (request) => {
      const caller = new AbortController();
      const pending = send(request, caller.signal);
      await mock.journal.waitFor({ fault: 'hang' });
      caller.abort();
      await expect(pending).rejects.toMatchObject({ name: 'AbortError' });
    },
    'stalled-body': async (request) => {
      const caller = new AbortController();
      const response = await send(request, caller.signal);
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
    'truncated-body': async (request) => {
      const response = await send(request);
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toMatch(/^application\/json/);
      await expect(response.text()).rejects.toThrow();
    },
    'invalid-json': async (request) => {
      const text = await (await send(request)).text();
      expect(text).toMatch(/^\{"/);
      expect(() => JSON.parse(text) as unknown).toThrow(SyntaxError);
    },
    'html-502': async (request) => {
      const response = await send(request);
      expect(response.status).toBe(502);
      expect(response.headers.get('content-type')).toBe('text/html');
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

  const named = Object.keys(seen) as Extract<MockFault, string>[];

  describe.each(['before', 'after'] as const)('faults of phase %s', (phase) => {
    const acted = phase === 'after' ? 1 : 0;

    test.each(named)('%s, then the same request again, ends with one payment', async (fault) => {
      mock.injectFault('initiatePayment', fault, { phase });
      const request = initiate(order(), { key: 'k-1' });

      await seen[fault]?.(request);
      expect(mock.payments.all()).toHaveLength(acted);
      expect(await resultOf(request)).toMatchObject({ resultStatus: 'APPROVED' });
      expect(mock.payments.all()).toHaveLength(1);
      expect(mock.journal.all()).toMatchObject([
        { fault, faultPhase: phase, completed: true },
        { replay: phase === 'after', completed: true },
      ]);
    });

    test('a delay, then the answer, ends with one payment', async () => {
      mock.injectFault('initiatePayment', { delayMs: 1 }, { phase });

      expect(await resultOf(initiate())).toMatchObject({ resultStatus: 'APPROVED' });
      expect(mock.payments.all()).toHaveLength(1);
    });

    test.each([
      ['uploadInvoice', upload(), () => mock.invoices.all().length],
      ['paymentReceipt', receipt(), () => mock.receipts.all().length],
      ['repaymentAllocation', allocation(), () => mock.allocations.all().length],
    ] as const)('a reset strikes %s too', async (operation, request, count) => {
      await sendPaid();
      mock.injectFault(operation, 'connection-reset', { phase });

      await expectNetworkError(send(request), traits.resetCode);
      expect(count()).toBe(acted);
    });
  });

  test('a reset of the mock ends what hangs, stalls or is delayed', async () => {
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
