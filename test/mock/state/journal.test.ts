import { runInNewContext } from 'node:vm';
import { beforeEach, describe, expect, test } from 'vitest';
import { createMockService, type JournalEntry, type MockChange } from '../../../src/mock/index.js';
import {
  allocation,
  initiate,
  now,
  order,
  receipt,
  upload,
  type PlainRequest,
} from '../../helpers/signed-requests.js';

const mock = createMockService({ now, journalLimit: 5 });

beforeEach(() => {
  mock.reset();
});

async function send({ path, init }: PlainRequest): Promise<string> {
  return (await mock.fetch(`https://sandbox.example${path}`, init)).text();
}

test('an entry has the facts of a request, but no signature or secret', async () => {
  const request = initiate(order(), {
    key: 'k-1',
    headers: { Authorization: 'Bearer canary', Cookie: 'canary' },
  });
  const body = await send(request);

  const [entry] = mock.journal.all();
  expect(entry).toEqual({
    id: 1,
    at: now(),
    operation: 'initiatePayment',
    method: 'POST',
    path: '/v2/payments',
    headers: {
      'content-type': 'application/json',
      'client-id': 'demo-client',
      'request-time': '2026-11-20 10:04:05',
      'idempotency-key': 'k-1',
    },
    merchantId: 'DEMO-MERCHANT',
    referenceId: 'ORDER:2026-0001',
    idempotencyKey: 'k-1',
    body: request.init.body,
    bodyBytes: Buffer.byteLength(request.init.body),
    resultStatus: 'APPROVED',
    resultMsg: 'The payment was created.',
    httpStatus: 200,
    response: {
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body,
      bodyBytes: Buffer.byteLength(body),
    },
    amount: 12_000_000,
    acted: true,
    answer: 'sent',
    completedAt: now(),
    replay: false,
    scripted: false,
    durationMs: expect.any(Number) as unknown,
    completed: true,
  });
  expect(JSON.stringify(entry)).not.toContain(request.init.headers['Signature']);
  expect(JSON.stringify(entry)).not.toContain('canary');
});

test('an entry that was refused for its signature has the right one and the wrong one in its diagnosis', async () => {
  const right = initiate();
  const wrong = 'a1'.repeat(32);
  await send(initiate(order(), { headers: { Signature: wrong } }));

  const { diagnosis, ...rest } = mock.journal.get(1) ?? {};
  expect(diagnosis).toMatchObject({ expected: right.init.headers['Signature'], received: wrong });
  expect(JSON.stringify(rest)).not.toContain(wrong);
});

test("a lender's notification has its contract and its amount, which is exact for an allocation", async () => {
  await send(receipt({ receivedStatus: 'REVERSED', reversalReason: 'x' }));
  const parts = [0.1, 0.2].map((allocatedTotal) => ({ allocatedTotal }));
  await send(allocation({ repaymentTransactions: parts }));
  for (const repaymentTransactions of [[null], 'x', [{ allocatedTotal: '1' }]])
    await send(allocation({ repaymentTransactions }));
  expect(mock.journal.all()).toMatchObject([
    { contractNumber: 'CONTRACT-1', receivedStatus: 'REVERSED', amount: 1_500_000 },
    { contractNumber: 'CONTRACT-1', amount: 0.3 },
    {},
    {},
    {},
  ]);
  expect(mock.journal.filter(({ amount }) => amount === undefined)).toHaveLength(3);
});

test('the start of a response is kept, also if a fault has lost it', async () => {
  mock.respondWith('initiatePayment', { body: 'x'.repeat(20_000) });
  mock.respondWith('initiatePayment', { body: Uint8Array.of(0xff), headers: { 'X-Own': '1' } });
  mock.injectFault('paymentReceipt', 'html-502', { phase: 'after' });
  mock.injectFault('paymentReceipt', 'html-502');
  for (const request of [initiate(), initiate(), receipt(), receipt()]) await send(request);
  expect(mock.journal.all()).toMatchObject([
    { response: { body: 'x'.repeat(16 * 1024), bodyBytes: 20_000 } },
    { response: { body: '\ufffd', bodyBytes: 1, headers: { 'x-own': '1' } } },
    { response: { body: expect.stringContaining('APPROVED') as unknown } },
    {},
  ]);
  expect(mock.journal.get(4)).not.toHaveProperty('response');
});

test('a form is kept as its fields and files, without the bytes', async () => {
  await send(upload({ fields: { description: 'Tivi' } }));
  expect(mock.journal.get(1)).toMatchObject({
    operation: 'uploadInvoice',
    referenceId: 'ORDER:2026-0001',
    fields: { merchantId: 'DEMO-MERCHANT', referenceId: 'ORDER:2026-0001', description: 'Tivi' },
    files: [
      {
        field: 'file',
        name: 'invoice.pdf',
        type: 'application/pdf',
        size: 87,
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as unknown,
      },
    ],
  });
  expect(mock.journal.get(1)).not.toHaveProperty('body');
});

test('a notification is kept with its own identifiers', async () => {
  await send(receipt());
  await send(allocation());
  expect(mock.journal.all()).toMatchObject([
    { operation: 'paymentReceipt', lenderTransactionCode: 'LTC-1', requestId: 'REQ-1' },
    { operation: 'repaymentAllocation', requestId: 'REQ-A1' },
  ]);
});

test('an unknown path has no operation', async () => {
  await send({ ...initiate(), path: '/favicon.ico' });
  expect(mock.journal.all()).toMatchObject([{ path: '/favicon.ico', resultStatus: 'INVALID_API' }]);
  expect(mock.journal.all()[0]).not.toHaveProperty('operation');
});

test('controls are not journalled', async () => {
  await mock.fetch('https://sandbox.example/_mock/health');
  expect(mock.journal.all()).toEqual([]);
});

test('the oldest entries are dropped first', async () => {
  for (let index = 0; index < 7; index += 1)
    await send(initiate(order({ referenceId: `R-${String(index)}` })));
  expect(mock.journal.all().map(({ id }) => id)).toEqual([3, 4, 5, 6, 7]);
  expect(mock.journal.get(2)).toBeUndefined();
});

test('long bodies and fields are cut, and their sizes are kept', async () => {
  await send(initiate(order({ extraData: 'x'.repeat(20_000) })));
  await send(upload({ fields: { description: 'y'.repeat(20_000), invoiceNumber: 'z' } }));
  const [json, form] = mock.journal.all();
  expect(json?.body).toHaveLength(16 * 1024);
  expect(json?.bodyBytes).toBeGreaterThan(20_000);
  expect(Object.values(form?.fields ?? {}).join('')).toHaveLength(16 * 1024);
});

test('an identifier that is too long is left out', async () => {
  await send(initiate(order({ referenceId: 'x'.repeat(300) })));
  expect(mock.journal.all()[0]).not.toHaveProperty('referenceId');
});

describe('find', () => {
  beforeEach(async () => {
    await send(initiate());
    await send(initiate());
    await send(upload());
  });

  test.each([
    ['an operation', { operation: 'initiatePayment' as const }, [1, 2]],
    ['fields within fields', { headers: { 'content-type': 'application/json' } }, [1, 2]],
    ['elements of a list', { files: [{ name: 'invoice.pdf' }] }, [3]],
    ['a moment', { at: now() }, [1, 2, 3]],
    ['a moment of another realm', { at: runInNewContext(`new Date(${now().getTime()})`) as Date }, [1, 2, 3]],
    ['another moment', { at: new Date(0) }, []],
    ['a field that is not there', { fault: { delayMs: 1 } }, []],
    ['a function', (entry: JournalEntry) => entry.resultStatus === 'DUPLICATE_REFERENCE_ID', [2]],
  ])('matches %s', (_title, match, ids) => {
    expect(mock.journal.filter(match).map(({ id }) => id)).toEqual(ids);
    expect(mock.journal.find(match)?.id).toBe(ids[0]);
  });
});

describe('waitFor', () => {
  test('returns an entry that already exists', async () => {
    await send(initiate());
    expect((await mock.journal.waitFor({ operation: 'initiatePayment' })).id).toBe(1);
  });

  test('waits for one that does not exist yet', async () => {
    const waiting = mock.journal.waitFor({ resultStatus: 'DUPLICATE_REFERENCE_ID' });
    await send(initiate());
    await send(initiate());
    expect((await waiting).id).toBe(2);
  });

  test('matches completed requests only by default', async () => {
    mock.injectFault('initiatePayment', { delayMs: 5 });
    const arrived = mock.journal.waitFor({ operation: 'initiatePayment', completed: false });
    const done = mock.journal.waitFor({ operation: 'initiatePayment' });
    const sent = send(initiate());
    expect((await arrived).completed).toBe(false);
    expect((await done).resultStatus).toBe('APPROVED');
    await sent;
  });

  test('a function sees entries as they arrive, as they are read and as they complete', async () => {
    const states: string[] = [];
    const waiting = mock.journal.waitFor(({ completed, referenceId }) => {
      states.push(completed ? 'completed' : (referenceId ?? 'arrived'));
      return completed;
    });
    await send(initiate());
    await waiting;
    expect(states).toEqual(['arrived', 'ORDER:2026-0001', 'completed']);
  });

  test('times out with a list of the requests that arrived', async () => {
    await expect(mock.journal.waitFor({ operation: 'uploadInvoice' }, { timeoutMs: 1 })).rejects.toThrow(
      'No request matched within 1 ms. Nothing arrived.',
    );
    await send(initiate());
    await send(receipt());
    await send({ ...initiate(), path: '/other' });
    await expect(mock.journal.waitFor({ operation: 'uploadInvoice' }, { timeoutMs: 1 })).rejects.toThrow(
      '3 arrived: initiatePayment ORDER:2026-0001 APPROVED; paymentReceipt LTC-1 APPROVED; POST /other INVALID_API.',
    );
  });

  test('a reset ends the wait', async () => {
    const waiting = mock.journal.waitFor({ operation: 'uploadInvoice' });
    const ended = expect(waiting).rejects.toThrow('reset');
    mock.reset();
    await ended;
  });

  test('a function that throws ends its own wait and nothing else', async () => {
    const waiting = mock.journal.waitFor(() => {
      throw new Error('a bug in the test');
    });
    const other = mock.journal.waitFor({ completed: true });
    const ended = expect(waiting).rejects.toThrow('a bug in the test');
    await send(initiate());
    await ended;
    expect((await other).resultStatus).toBe('APPROVED');
  });
});

describe('subscribe', () => {
  test('reports every change until it is ended', async () => {
    const changes: MockChange[] = [];
    const end = mock.subscribe((change) => changes.push(change));
    await send(initiate());
    mock.settle('ORDER:2026-0001', 'paid');
    await send(upload());
    await send(receipt());
    await send(allocation());
    mock.reset();
    end();
    await send(initiate());

    expect(changes.filter(({ kind }) => kind !== 'request')).toEqual([
      { kind: 'payment', referenceId: 'ORDER:2026-0001' },
      { kind: 'payment', referenceId: 'ORDER:2026-0001' },
      { kind: 'invoice', invoiceId: 'INV-00000001' },
      { kind: 'receipt', lenderTransactionCode: 'LTC-1' },
      { kind: 'allocation', requestId: 'REQ-A1' },
      { kind: 'reset' },
    ]);
    // Arrived, read and completed, for each of four requests.
    expect(changes.filter(({ kind }) => kind === 'request')).toHaveLength(12);
  });

  test('a listener that throws changes nothing', async () => {
    const end = mock.subscribe(() => {
      throw new Error('a bug in the listener');
    });
    await send(initiate());
    end();
    expect(mock.payments.all()).toHaveLength(1);
  });
});
