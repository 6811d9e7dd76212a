import { beforeEach, describe, expect, test } from 'vitest';
import { MockUsageError } from '../../../src/errors/usage-error.js';
import { Changes, type MockChange } from '../../../src/mock/state/changes.js';
import { KeptBytes } from '../../../src/mock/state/kept-bytes.js';
import type { MockPayment } from '../../../src/mock/state/payment-record.js';
import { PaymentStore, type KeyedRequest } from '../../../src/mock/state/payments.js';
import { baselineScenario } from '../../../src/mock/scenarios/dimensions.js';
import type { PaymentRequestWire } from '../../../src/protocol/payment-types.js';
import { instant, order } from '../../helpers/signed-requests.js';

const start = instant.getTime();
let clock: number;
let seen: MockChange[];
let settled: MockPayment[];
let store: PaymentStore;

beforeEach(() => {
  clock = start;
  seen = [];
  settled = [];
  const changes = new Changes();
  changes.subscribe((change) => seen.push(change));
  store = new PaymentStore({
    merchantIds: ['M-1', 'M-2'],
    mostKept: 2,
    kept: new KeptBytes(),
    now: () => new Date(clock),
    changes,
    scenario: () => baselineScenario,
    onSettled: (payment) => settled.push(payment),
  });
});

const keyed = (idempotencyKey?: string, clientId = 'C-1', body = Buffer.of(1)): KeyedRequest => ({
  clientId,
  idempotencyKey,
  body,
  arrivedAt: new Date(clock),
});

function create(
  referenceId: string,
  changes: object = {},
  { idempotencyKey, clientId }: Partial<KeyedRequest> = {},
) {
  const request = order({ merchantId: 'M-1', referenceId, ...changes }) as unknown as PaymentRequestWire;
  const held = keyed(idempotencyKey, clientId, Buffer.from(JSON.stringify(request)));
  const release = store.hold(held);
  store.create(held, request, 'https://mock.example');
  held.responseBody = '{}';
  release();
  return held;
}

describe('a payment', () => {
  test('returns copies of its times', () => {
    create('A');
    for (const time of ['createdAt', 'expiresAt'] as const) store.get('A')?.[time].setTime(0);
    expect(store.get('A')).toMatchObject({ status: 'pending', createdAt: new Date(start) });
  });

  test('is pending, with its page and its request', () => {
    create('R-1');
    expect(store.all()).toStrictEqual([
      {
        referenceId: 'R-1',
        merchantId: 'M-1',
        clientId: 'C-1',
        status: 'pending',
        paymentUrl: 'https://mock.example/pay/00000001',
        createdAt: new Date(start),
        expiresAt: new Date(start + 15 * 60_000),
        request: order({ merchantId: 'M-1', referenceId: 'R-1' }),
      },
    ]);
    expect(seen).toStrictEqual([{ kind: 'payment', referenceId: 'R-1' }]);
  });

  test('has a transaction and its time once it is paid', () => {
    create('R-1');
    const pending = store.get('R-1');
    clock += 5;
    const paid = store.settle('R-1', 'paid');
    const settledAt = new Date(start + 5);
    expect(paid).toStrictEqual({ ...pending, status: 'paid', paymentTransId: 'PT-00000001', settledAt });
    expect(store.get('R-1')).toStrictEqual(paid);
    expect(settled).toStrictEqual([paid]);
    expect(seen).toHaveLength(2);
    expect(seen[1]).toStrictEqual({ kind: 'payment', referenceId: 'R-1' });
  });
});

describe('the time limit', () => {
  test.each([
    [999, 'pending', undefined],
    [1000, 'expired', new Date(start + 1000)],
  ])('leaves a payment, %i ms after a limit of 1000 ms, %s', (elapsed, status, settledAt) => {
    create('R-1', { transExpiredTime: 1000 });
    clock += elapsed;
    const payment = store.get('R-1');
    expect(payment?.status).toBe(status);
    expect(payment?.settledAt).toStrictEqual(settledAt);
    expect(Object.keys(payment ?? {}).includes('settledAt')).toBe(settledAt !== undefined);
  });

  test('ends the payment once, at the first access after it', () => {
    create('R-1', { transExpiredTime: 1000 });
    clock += 2000;
    expect(settled).toStrictEqual([]);
    const [expired] = store.all();
    expect(store.get('R-1')).toStrictEqual(expired);
    expect(settled).toStrictEqual([expired]);
    expect(seen).toHaveLength(2);
  });

  test('ends at the latest at the last time that a page can show', () => {
    create('R-1', { transExpiredTime: Number.MAX_SAFE_INTEGER });
    expect(store.get('R-1')?.expiresAt.getTime()).toBe(8.64e15 - 7 * 60 * 60_000);
  });
});

describe('settling', () => {
  test('changes nothing and is not announced with the same outcome', () => {
    create('R-1');
    const paid = store.settle('R-1', 'paid');
    clock += 5;
    expect(store.settle('R-1', 'paid')).toStrictEqual(paid);
    expect(settled).toHaveLength(1);
    expect(seen).toHaveLength(2);
  });

  test('is refused with a different outcome', () => {
    create('R-1');
    store.settle('R-1', 'paid');
    expect(() => store.settle('R-1', 'declined')).toThrow(
      new MockUsageError('The payment is already paid and cannot become declined.'),
    );
    expect(store.get('R-1')?.status).toBe('paid');
  });

  test('is refused for an unknown payment, with its reference, on one line', () => {
    create('R-1');
    const missing = (name: string) =>
      new MockUsageError(
        `There is no payment with the referenceId ${name} (payments in the mock: 1). ` +
          'Initiate the payment first; the inspector (/_mock) lists all payments.',
      );
    expect(() => store.settle('R-2', 'paid')).toThrow(missing("'R-2'"));
    expect(() => store.settle('R-1', 'paid', 'M-2')).toThrow(missing("'R-1' of the merchant 'M-2'"));
    expect(() => store.settle('R\n2', 'paid')).toThrow(missing("'R\\u{a}2'"));
  });

  test.each(['lost', 'pending'])('is refused as %s', (wrong) => {
    create('R-1');
    expect(() => store.settle('R-1', wrong as 'paid')).toThrow(
      new MockUsageError("settle: status must be 'paid', 'declined' or 'expired'."),
    );
    expect(store.get('R-1')?.status).toBe('pending');
  });
});

describe('looking up', () => {
  beforeEach(() => {
    create('R-1', { merchantId: 'M-2' });
    create('R-2');
  });

  test('finds the payment of any merchant by reference', () => {
    expect(store.get('R-1')?.merchantId).toBe('M-2');
    expect(store.get('R-2')?.merchantId).toBe('M-1');
    expect(store.get('R-3')).toBeUndefined();
  });

  test('finds only the payment of the merchant by reference and merchant', () => {
    expect(store.get('R-1', 'M-2')?.referenceId).toBe('R-1');
    expect(store.get('R-1', 'M-1')).toBeUndefined();
    expect(store.get('R-2', 'M-1')?.paymentUrl).toBe('https://mock.example/pay/00000002');
  });

  test('finds the payment of the page by the last part of a paymentUrl', () => {
    expect(store.byUrlToken('00000002')?.referenceId).toBe('R-2');
    expect(store.byUrlToken('00000001')?.referenceId).toBe('R-1');
    expect(store.byUrlToken('00000003')).toBeUndefined();
  });
});

describe('two payments with one reference', () => {
  const links = () => store.all().map(({ paymentUrl, status }) => [paymentUrl.at(-1), status]);
  const named = () => store.get('R-1')?.paymentUrl.at(-1);

  beforeEach(() => {
    create('R-1', {}, { idempotencyKey: 'k-1' });
    create('R-1', {}, { idempotencyKey: 'k-1' });
  });

  test('are both kept, and the reference means the newest', () => {
    expect(links()).toEqual([
      ['1', 'pending'],
      ['2', 'pending'],
    ]);
    expect(named()).toBe('2');
    store.settle('R-1', 'declined');
    expect(links()).toEqual([
      ['1', 'pending'],
      ['2', 'declined'],
    ]);
  });

  test('are each paid on their own page, and the reference means the paid payment', () => {
    expect(store.settleByUrlToken('00000001', 'paid')).toMatchObject({ status: 'paid' });
    expect(named()).toBe('1');
    expect(store.settleByUrlToken('00000009', 'paid')).toBeUndefined();
  });

  test('leave the reference to the paid payment, even if the other payment is created later', () => {
    create('R-2');
    store.settle('R-2', 'paid');
    create('R-2');
    expect(store.get('R-2')?.paymentUrl.at(-1)).toBe('3');
  });

  test('leave the reference and the key to the newest once the oldest is dropped', () => {
    const newest = create('R-1', {}, { idempotencyKey: 'k-1' });
    expect(links().map(([urlToken]) => urlToken)).toEqual(['2', '3']);
    expect(named()).toBe('3');
    expect(store.earlier(keyed('k-1'))).toBe(newest);
  });

  test('keep their invoices by reference, and an invoice can be removed whichever of them is paid', () => {
    const name = { referenceId: 'R-1', merchantId: 'M-1' };
    const { invoiceId } = store.addInvoice(name, { fields: {} });
    store.settleByUrlToken('00000001', 'paid');
    store.invoices.remove(invoiceId);
    expect(store.invoices.all()).toEqual([]);
  });
});

describe('the limit of payments', () => {
  test('frees only the key of the payment that is dropped', () => {
    const [, second, third] = ['1', '2', '3'].map((id) =>
      create(`R-${id}`, {}, { idempotencyKey: `k-${id}` }),
    );
    expect(store.earlier(keyed('k-1'))).toBeUndefined();
    expect(store.earlier(keyed('k-2'))).toBe(second);
    expect(store.earlier(keyed('k-3'))).toBe(third);
  });
});

describe('an Idempotency-Key', () => {
  test('belongs to the client that sent it', () => {
    const first = create('R-1', {}, { idempotencyKey: 'k-1', clientId: 'C-1' });
    expect(store.earlier(keyed('k-1', 'C-1'))).toBe(first);
    expect(store.earlier(keyed('k-1', 'C-2'))).toBeUndefined();
    expect(store.get('R-1')?.idempotencyKey).toBe('k-1');
  });

  test('is reserved by a request until that request releases it', () => {
    const held = keyed('k-1');
    const release = store.hold(held);
    expect(store.earlier(keyed('k-1'))).toBe(held);
    release();
    expect(store.earlier(keyed('k-1'))).toBeUndefined();
  });

  test('is not released by a request from before a reset', () => {
    const release = store.hold(keyed('k-1'));
    store.reset();
    const later = keyed('k-1');
    store.hold(later);
    release();
    expect(store.earlier(keyed('k-1'))).toBe(later);
  });

  test('has no earlier request if it is missing', () => {
    store.hold(keyed());
    expect(store.earlier(keyed())).toBeUndefined();
  });
});

describe('an invoice', () => {
  const first = { referenceId: 'R-1', merchantId: 'M-1' };
  const second = { referenceId: 'R-2', merchantId: 'M-1' };

  beforeEach(() => {
    create('R-1');
    create('R-2');
    seen.length = 0;
  });

  test('is stored with its payment, and announced', () => {
    const file = { field: 'file', name: 'a.pdf', type: 'application/pdf', size: 1, sha256: 'x' };
    const stored = store.addInvoice(first, { paymentTransId: 'PT-1', fields: { a: '1' }, file });
    const facts = { invoiceId: 'INV-00000001', ...first, uploadedAt: new Date(start) };
    expect(stored).toStrictEqual({ ...facts, paymentTransId: 'PT-1', fields: { a: '1' }, file });
    expect([store.invoicesOf(first), store.invoicesOf(second)]).toStrictEqual([[stored], []]);
    expect(store.invoices.get('INV-00000001')).toBe(stored);
    expect(store.invoices.get('INV-00000002')).toBeUndefined();
    expect(Object.isFrozen(stored)).toBe(true);
    expect(seen).toStrictEqual([{ kind: 'invoice' }]);
  });

  test('is removed by its ID, and announced', () => {
    const [removed, kept] = [first, first].map((owner) => store.addInvoice(owner, { fields: {} }));
    seen.length = 0;
    expect(store.invoices.remove('INV-00000001')).toBe(removed);
    expect(store.invoices.all()).toStrictEqual([kept]);
    expect(() => store.invoices.remove('INV-00000001')).toThrow(
      new MockUsageError('There is no invoice with the ID INV-00000001.'),
    );
    expect(seen).toStrictEqual([{ kind: 'invoice' }]);
  });

  test('is listed in the order of arrival, and dropped with its payment', () => {
    for (const owner of [second, first, second]) store.addInvoice(owner, { fields: {} });
    const ids = () => store.invoices.all().map(({ invoiceId }) => invoiceId);
    expect(ids()).toStrictEqual(['INV-00000001', 'INV-00000002', 'INV-00000003']);
    create('R-3');
    expect(ids()).toStrictEqual(['INV-00000001', 'INV-00000003']);
    expect(store.invoicesOf(first)).toStrictEqual([]);
  });
});

test('a reset removes payments, keys and numbers', () => {
  create('R-1', {}, { idempotencyKey: 'k-1' });
  store.addInvoice({ referenceId: 'R-1', merchantId: 'M-1' }, { fields: {} });
  store.reset();
  expect([store.all(), store.invoices.all()]).toStrictEqual([[], []]);
  expect(store.earlier(keyed('k-1'))).toBeUndefined();
  create('R-1');
  expect(store.get('R-1')?.paymentUrl).toBe('https://mock.example/pay/00000001');
  const { invoiceId } = store.addInvoice({ referenceId: 'R-1', merchantId: 'M-1' }, { fields: {} });
  expect(invoiceId).toBe('INV-00000001');
});
