import { beforeEach, describe, expect, test } from 'vitest';
import { createMockService, type MockService } from '../../../src/entries/mock.js';
import {
  allocation,
  initiate,
  now,
  order,
  receipt,
  upload,
  type PlainRequest,
} from '../../helpers/signed-requests.js';

let mock: MockService;
let waits: number[];

beforeEach(() => {
  waits = [];
  mock = createMockService({
    now,
    delay: (milliseconds) => {
      waits.push(milliseconds);
      return Promise.resolve();
    },
  });
});

const fetchOf = ({ path, init }: PlainRequest) => mock.fetch(`https://mock.example${path}`, init);

async function send(request: PlainRequest): Promise<unknown> {
  return (await fetchOf(request)).json();
}

const served =
  '/v2/payments, /v2/payments/upload-invoice, /lender/open/notify/payment-receipt, /lender/open/notify/repayment-allocation';

describe('an unknown path', () => {
  test.each([
    ['/v2/other', 200],
    ['/lender', 200],
    ['/lender/other', 400],
    ['/other/lender/', 200],
  ])('%s is refused with status %i', async (path, httpStatus) => {
    const resultMsg = `Unknown path. The mock serves only these paths, with no prefix such as /api: ${served}.`;
    const response = await fetchOf({ ...initiate(), path });
    expect(response.status).toBe(httpStatus);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    const body = JSON.stringify({ resultStatus: 'INVALID_API', resultMsg });
    expect(await response.text()).toBe(body);
    expect(mock.journal.all()).toMatchObject([
      { resultStatus: 'INVALID_API', resultMsg, httpStatus, acted: false },
    ]);
  });

  test('is refused with a list of the known paths, including those of handle()', async () => {
    mock.handle('/v2/status', () => ({}));
    expect(await send({ ...initiate(), path: '/other' })).toStrictEqual({
      resultStatus: 'INVALID_API',
      resultMsg: `Unknown path. The mock serves only these paths, with no prefix such as /api: ${served}, /v2/status.`,
    });
  });
});

test('an unsupported method is refused, and the body is not read', async () => {
  const { path, init } = initiate();
  const { resultStatus, ...rest } = (await send({ path, init: { ...init, method: 'PUT' } })) as {
    resultStatus: string;
  };
  expect(resultStatus).toBe('INVALID_HTTP_METHOD');
  expect(rest).toStrictEqual({
    responseTime: '2026-11-20 10:04:05',
    resultMsg: 'The method must be POST.',
  });
  const [entry] = mock.journal.all();
  expect(entry).toMatchObject({ method: 'PUT', operation: 'initiatePayment', httpStatus: 200 });
  expect(entry).not.toHaveProperty('bodyBytes');
});

describe('a fault', () => {
  let slow: MockService;

  test('is in the entry, without a result, if it comes before the act', async () => {
    mock.injectFault('initiatePayment', 'connection-reset');
    await expect(fetchOf(initiate())).rejects.toThrow('fetch failed');
    const [entry] = mock.journal.all();
    expect(entry).toMatchObject({
      fault: 'connection-reset',
      faultPhase: 'before',
      acted: false,
      answer: 'lost',
    });
    for (const name of ['resultStatus', 'httpStatus', 'response', 'error'])
      expect(entry).not.toHaveProperty(name);
    expect(mock.payments.all()).toStrictEqual([]);
  });

  test('is in the entry, with the lost response, if it comes after the act', async () => {
    mock.injectFault('initiatePayment', 'html-502', { phase: 'after' });
    const response = await fetchOf(initiate());
    expect(response.status).toBe(502);
    expect(response.headers.get('content-type')).toBe('text/html');
    expect(await response.text()).toMatch(/^<html>.*502 Bad Gateway/);
    expect(mock.journal.get(1)).toMatchObject({
      fault: 'html-502',
      faultPhase: 'after',
      resultStatus: 'APPROVED',
      httpStatus: 200,
    });
    expect(mock.payments.all()).toHaveLength(1);
  });

  test('fails a notification in both phases with invalid-json, and keeps the status of a payment', async () => {
    mock.injectFault('initiatePayment', 'invalid-json');
    expect((await fetchOf(initiate())).status).toBe(200);
    mock.injectFault('paymentReceipt', 'invalid-json');
    mock.injectFault('paymentReceipt', 'invalid-json', { phase: 'after' });
    const [before, after] = [await fetchOf(receipt()), await fetchOf(receipt())];
    expect([before.status, after.status]).toStrictEqual([500, 500]);
    expect(mock.receipts.all()).toHaveLength(1);
  });

  test.each([
    ['initiatePayment', initiate(), () => slow.payments.all().length],
    ['uploadInvoice', upload(), () => slow.invoices.all().length],
    ['paymentReceipt', receipt(), () => slow.receipts.all().length],
    ['repaymentAllocation', allocation(), () => slow.allocations.all().length],
  ] as const)('delays by %s before the service acts, or after it', async (operation, request, count) => {
    const counts: number[] = [];
    slow = createMockService({
      now,
      uploads: 'any',
      delay: () => Promise.resolve(void counts.push(count())),
    });
    const ask = ({ path, init }: PlainRequest) => slow.fetch(`https://mock.example${path}`, init);
    for (const phase of ['before', 'after'] as const) {
      slow.reset();
      if (operation === 'uploadInvoice') await ask(initiate());
      slow.injectFault(operation, { delayMs: 0 }, { phase });
      await ask(request);
      expect(slow.journal.all().at(-1)).toMatchObject({ fault: { delayMs: 0 }, faultPhase: phase });
    }
    expect(counts).toStrictEqual([0, 1]);
  });

  test('delays a refusal too', async () => {
    mock.injectFault('initiatePayment', { delayMs: 7 });
    mock.injectFault('initiatePayment', { delayMs: 8 }, { phase: 'after' });
    for (const Signature of ['x', 'y']) {
      expect(await send(initiate(order(), { headers: { Signature } }))).toMatchObject({
        resultStatus: 'INVALID_SIGNATURE',
      });
    }
    expect(waits).toStrictEqual([7, 8]);
  });

  test('keeps a delayed request without effect if the mock is reset in the meantime', async () => {
    const resetting = createMockService({
      now,
      delay: () => {
        resetting.reset();
        return Promise.resolve();
      },
    });
    resetting.injectFault('initiatePayment', { delayMs: 1 });
    const { path, init } = initiate();
    await expect(resetting.fetch(`https://mock.example${path}`, init)).rejects.toThrow('fetch failed');
    expect([resetting.payments.all(), resetting.journal.all()]).toStrictEqual([[], []]);
  });
});

test('the duration of a request is not longer than its caller waited', async () => {
  const started = performance.now();
  await send(initiate());
  const elapsed = performance.now() - started;
  const duration = mock.journal.get(1)?.durationMs;
  expect(duration).toBeGreaterThan(0);
  expect(duration).toBeLessThanOrEqual(elapsed);
});

describe('a request that is not served', () => {
  test('has no response, and the reason in its entry, if its sender closes the connection', async () => {
    const body = new ReadableStream({
      pull(controller) {
        controller.error(new Error('gone'));
      },
    });
    const { path, init } = initiate();
    const sent = mock.fetch(`https://mock.example${path}`, {
      ...init,
      body,
      duplex: 'half',
    });
    await expect(sent).rejects.toThrow('fetch failed');
    const [entry] = mock.journal.all();
    expect(entry).toMatchObject({
      error: 'The sender closed the connection before its request was complete.',
      completed: true,
    });
    expect(entry).not.toHaveProperty('httpStatus');
    expect(entry).not.toHaveProperty('response');
  });

  test('has the reason in its entry, and is not in the journal, if the mock was reset', async () => {
    let entry: unknown;
    let answer: (value: unknown) => void = () => undefined;
    mock.subscribe((change) => {
      if (change.kind === 'request') entry = change.entry;
    });
    const called = new Promise<void>((tell) => {
      mock.handle('/v2/status', () => {
        tell();
        return new Promise((resolve) => (answer = resolve));
      });
    });
    const sent = expect(fetchOf({ ...initiate(), path: '/v2/status' })).rejects.toThrow('fetch failed');
    await called;
    mock.reset();
    answer({});
    await sent;
    expect(entry).toMatchObject({ error: 'The mock was reset.', completed: true });
    expect(entry).not.toHaveProperty('httpStatus');
    expect(mock.journal.all()).toStrictEqual([]);
  });
});
