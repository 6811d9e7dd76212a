import { beforeEach, describe, expect, test } from 'vitest';
import { createMockService } from '../../../src/entries/mock.js';
import type { MockChange } from '../../../src/mock/state/changes.js';
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
  return (await mock.fetch(`https://mock.example${path}`, init)).text();
}

test('an entry has the facts of a request, but no signature and no secret', async () => {
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

test('controls are not in the journal', async () => {
  await mock.fetch('https://mock.example/_mock/health');
  expect(mock.journal.all()).toEqual([]);
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
      { kind: 'invoice' },
      { kind: 'receipt' },
      { kind: 'allocation' },
      { kind: 'reset' },
    ]);
    // Each of the four requests arrived, was read and was completed.
    expect(changes.filter(({ kind }) => kind === 'request')).toHaveLength(12);
  });
});
