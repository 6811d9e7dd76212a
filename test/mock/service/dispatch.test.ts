import { beforeEach, describe, expect, test } from 'vitest';
import { createMockService, type MockService } from '../../../src/mock/index.js';
import type { MockChange } from '../../../src/mock/state/changes.js';
import { initiate, now, order, receipt, upload, type PlainRequest } from '../../helpers/signed-requests.js';

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

const fetchOf = ({ path, init }: PlainRequest) => mock.fetch(`https://sandbox.example${path}`, init);

async function send(request: PlainRequest): Promise<unknown> {
  return (await fetchOf(request)).json();
}

const served =
  '/v2/payments, /v2/payments/upload-invoice, /lender/open/notify/payment-receipt, /lender/open/notify/repayment-allocation';

describe('a path that is not served', () => {
  test.each([
    ['/v2/other', 200],
    ['/lender', 200],
    ['/lender/other', 400],
    ['/other/lender/', 200],
  ])('%s is refused with status %i', async (path, httpStatus) => {
    const resultMsg = `Unknown path. The mock serves ${served}, without a prefix.`;
    const response = await fetchOf({ ...initiate(), path });
    expect(response.status).toBe(httpStatus);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    const body = JSON.stringify({ resultStatus: 'INVALID_API', resultMsg });
    expect(await response.text()).toBe(body);
    expect(mock.journal.all()).toStrictEqual([
      {
        id: 1,
        at: now(),
        method: 'POST',
        path,
        headers: {
          'content-type': 'application/json',
          'client-id': 'demo-client',
          'request-time': '2026-11-20 10:04:05',
        },
        resultStatus: 'INVALID_API',
        resultMsg,
        httpStatus,
        response: {
          headers: { 'content-type': 'application/json; charset=utf-8' },
          body,
          bodyBytes: body.length,
        },
        acted: false,
        answer: 'sent',
        completedAt: now(),
        replay: false,
        scripted: false,
        completed: true,
        durationMs: expect.any(Number) as number,
      },
    ]);
  });

  test('is answered with your own paths too', async () => {
    mock.handle('/v2/status', () => ({}));
    expect(await send({ ...initiate(), path: '/other' })).toStrictEqual({
      resultStatus: 'INVALID_API',
      resultMsg: `Unknown path. The mock serves ${served}, /v2/status, without a prefix.`,
    });
  });
});

test('an entry distinguishes an operation of the service from your own', async () => {
  mock.handle('/v2/status', () => ({}));
  await send(initiate());
  await send({ ...initiate(), path: '/v2/status' });
  await send({ ...initiate(), path: '/other' });
  const [service, own, unknown] = mock.journal.all();
  expect(service?.operation).toBe('initiatePayment');
  expect(service).not.toHaveProperty('own');
  expect(own).not.toHaveProperty('operation');
  expect(own?.own).toBe(true);
  expect(unknown).not.toHaveProperty('operation');
  expect(unknown).not.toHaveProperty('own');
});

test('another method is refused, and the body is not read', async () => {
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

test('names that a request does not have are not in its entry', async () => {
  await send(initiate('{}'));
  const [entry] = mock.journal.all();
  for (const name of [
    'merchantId',
    'referenceId',
    'idempotencyKey',
    'requestId',
    'amount',
    'fault',
    'error',
  ]) {
    expect(entry).not.toHaveProperty(name);
  }
  expect(entry?.body).toBe('{}');
});

describe('a fault', () => {
  test('before the service acts is in the entry, which has no result', async () => {
    mock.injectFault('initiatePayment', 'connection-reset');
    await expect(fetchOf(initiate())).rejects.toThrow('fetch failed');
    const { init } = initiate();
    expect(mock.journal.all()).toStrictEqual([
      {
        id: 1,
        at: now(),
        operation: 'initiatePayment',
        method: 'POST',
        path: '/v2/payments',
        headers: {
          'content-type': 'application/json',
          'client-id': 'demo-client',
          'request-time': '2026-11-20 10:04:05',
        },
        merchantId: 'DEMO-MERCHANT',
        referenceId: 'ORDER:2026-0001',
        amount: 12_000_000,
        body: init.body,
        bodyBytes: Buffer.byteLength(init.body),
        fault: 'connection-reset',
        faultPhase: 'before',
        acted: false,
        answer: 'lost',
        completedAt: now(),
        replay: false,
        scripted: false,
        completed: true,
        durationMs: expect.any(Number) as number,
      },
    ]);
    expect(mock.payments.all()).toStrictEqual([]);
  });

  test('after the service acted is in the entry, with the lost response', async () => {
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

  test('cuts the response of the service, not another', async () => {
    mock.injectFault('initiatePayment', 'invalid-json', { phase: 'after' });
    const response = await fetchOf(initiate());
    const text = await response.text();
    expect(response.status).toBe(200);
    const whole = mock.journal.get(1)?.response?.body ?? '';
    expect(text).toBe(whole.slice(0, Math.ceil(whole.length / 2)));
    expect(text).toContain('DEMO-MERCHANT');
  });

  test('a fault of cut JSON fails a notification in both phases', async () => {
    mock.injectFault('paymentReceipt', 'invalid-json');
    mock.injectFault('paymentReceipt', 'invalid-json', { phase: 'after' });
    const [before, after] = [await fetchOf(receipt()), await fetchOf(receipt())];
    expect([before.status, after.status]).toStrictEqual([500, 500]);
    expect(mock.receipts.all()).toHaveLength(1);
  });

  test.each(['before', 'after'] as const)('a delay %s the service acts waits once', async (phase) => {
    mock.injectFault('initiatePayment', { delayMs: 70 }, { phase });
    mock.injectFault('uploadInvoice', { delayMs: 0 }, { phase });
    mock.injectFault('paymentReceipt', { delayMs: 9 }, { phase });
    expect(await send(initiate())).toMatchObject({ resultStatus: 'APPROVED' });
    expect(mock.journal.get(1)).toMatchObject({ fault: { delayMs: 70 }, faultPhase: phase });
    await send(upload());
    await send(receipt());
    await send(initiate());
    expect(waits).toStrictEqual([70, 0, 9]);
  });

  test('a fault that delays a refusal waits as well', async () => {
    mock.injectFault('initiatePayment', { delayMs: 7 });
    mock.injectFault('initiatePayment', { delayMs: 8 }, { phase: 'after' });
    for (const Signature of ['x', 'y']) {
      expect(await send(initiate(order(), { headers: { Signature } }))).toMatchObject({
        resultStatus: 'INVALID_SIGNATURE',
      });
    }
    expect(waits).toStrictEqual([7, 8]);
  });

  test('a fault that delays a request has no effect if the mock is reset in the meantime', async () => {
    const resetting = createMockService({
      now,
      delay: () => {
        resetting.reset();
        return Promise.resolve();
      },
    });
    resetting.injectFault('initiatePayment', { delayMs: 1 });
    const { path, init } = initiate();
    await expect(resetting.fetch(`https://sandbox.example${path}`, init)).rejects.toThrow('fetch failed');
    expect([resetting.payments.all(), resetting.journal.all()]).toStrictEqual([[], []]);
  });
});

describe('a subscriber', () => {
  test('is told when a request arrived, when it was read and when it is complete', async () => {
    const seen: unknown[] = [];
    mock.subscribe((change: MockChange) => {
      if (change.kind !== 'request') return;
      const { referenceId, completed, resultStatus, durationMs } = change.entry;
      seen.push([referenceId, completed, resultStatus, typeof durationMs]);
    });
    await send(initiate());
    const id = 'ORDER:2026-0001';
    expect(seen).toStrictEqual([
      [undefined, false, undefined, 'undefined'],
      [id, false, undefined, 'undefined'],
      [id, true, 'APPROVED', 'number'],
    ]);
  });
});

test('the duration of a request is within the time that its caller waited', async () => {
  const started = performance.now();
  await send(initiate());
  const elapsed = performance.now() - started;
  const duration = mock.journal.get(1)?.durationMs;
  expect(duration).toBeGreaterThan(0);
  expect(duration).toBeLessThanOrEqual(elapsed);
});

describe('a request that could not be served', () => {
  test('because its sender went away has no response, and says so', async () => {
    const body = new ReadableStream({
      pull(controller) {
        controller.error(new Error('gone'));
      },
    });
    const { path, init } = initiate();
    const sent = mock.fetch(`https://sandbox.example${path}`, {
      ...init,
      body,
      duplex: 'half',
    });
    await expect(sent).rejects.toThrow('fetch failed');
    const [entry] = mock.journal.all();
    expect(entry).toMatchObject({
      error: 'The sender went away before its request was complete.',
      completed: true,
    });
    expect(entry).not.toHaveProperty('httpStatus');
    expect(entry).not.toHaveProperty('response');
  });

  test('because the mock was reset says so, and is in no journal', async () => {
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
