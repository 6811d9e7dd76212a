import { beforeEach, describe, expect, test } from 'vitest';
import type { LenderReversals } from '../../../src/mock/state/mock-lender-options.js';
import { Changes, type MockChange } from '../../../src/mock/state/changes.js';
import { LenderStore } from '../../../src/mock/state/lender-store.js';
import type { PaymentReceiptWire, RepaymentAllocationWire } from '../../../src/protocol/lender-types.js';
import * as samples from '../../helpers/lender-samples.js';
import { instant } from '../../helpers/signed-requests.js';

const reversal = { receivedStatus: 'REVERSED', reversalReason: 'bounced' } as const;
const receipt = (changes: object = {}) => samples.receipt({ ...changes }) as PaymentReceiptWire;
const allocation = (changes: object = {}) =>
  samples.allocation({
    repaymentTransactions: [samples.transaction()],
    ...changes,
  }) as RepaymentAllocationWire;

let seen: MockChange[];
let clock: Date;
let store: LenderStore;

function newStore(limit?: number, reversals: LenderReversals = 'same-code'): LenderStore {
  const changes = new Changes();
  changes.subscribe((change) => seen.push(change));
  return new LenderStore(() => clock, changes, reversals, undefined, limit);
}

beforeEach(() => {
  seen = [];
  clock = instant;
  store = newStore();
});

const later = () => (clock = new Date(instant.getTime() + 60_000));

describe('a second notification of a receipt', () => {
  const facts = { lenderReferenceId: 'L-1', bankTransactionSequenceId: 'B-1' };
  const anotherTime = { receivedDatetime: '2026-11-20T10:00:00+0700' };

  test.each<[string, object, object, string]>([
    ['the same facts', {}, {}, 'repeated'],
    ['another requesting time', {}, { requestingDatetime: '2026-11-21T00:00:00+0700' }, 'repeated'],
    ['another requestId', {}, { requestId: 'other' }, 'repeated'],
    ['no reference of the lender', {}, { lenderReferenceId: undefined }, 'repeated'],
    ['another reference of the lender', {}, { lenderReferenceId: 'L-2' }, 'conflict'],
    ['another sequence of the bank', {}, { bankTransactionSequenceId: 'B-2' }, 'conflict'],
    ['another contract', {}, { contractNumber: 'CONTRACT-2' }, 'conflict'],
    ['another lender', {}, { lenderCode: 'LENDER-02' }, 'conflict'],
    ['another amount', {}, { receivedAmount: 1 }, 'conflict'],
    ['another time', {}, anotherTime, 'conflict'],
    ['its reversal', {}, reversal, 'reversed'],
    ['its reversal at another time', {}, { ...reversal, ...anotherTime }, 'reversed'],
    ['another reversal', reversal, { ...reversal, ...anotherTime }, 'conflict'],
    ['its payment after the reversal', reversal, anotherTime, 'stored'],
  ])('gets the right outcome with %s', (_title, first, changes, outcome) => {
    store.recordReceipt(receipt({ ...facts, ...first }));
    expect(store.recordReceipt(receipt({ ...facts, ...changes }))).toBe(outcome);
    const isNews = outcome === 'stored' || outcome === 'reversed';
    expect(seen).toHaveLength(isNews ? 2 : 1);
  });

  test('is compared with the payment and with the reversal', () => {
    for (const changes of [{}, { ...reversal, ...anotherTime }]) store.recordReceipt(receipt(changes));
    const kept = store.receipts.all();
    expect([
      store.recordReceipt(receipt()),
      store.recordReceipt(receipt({ ...reversal, ...anotherTime })),
      store.recordReceipt(receipt(anotherTime)),
      store.recordReceipt(receipt(reversal)),
    ]).toStrictEqual(['repeated', 'repeated', 'conflict', 'conflict']);
    expect(store.receipts.all()).toStrictEqual(kept);
  });
});

test('a reversal under the code of a receipt is a different event with own-code', () => {
  store = newStore(undefined, 'own-code');
  store.recordReceipt(receipt());
  expect(store.recordReceipt(receipt(reversal))).toBe('conflict');
  expect(store.recordReceipt(receipt({ ...reversal, lenderTransactionCode: 'LTC-2' }))).toBe('reversed');
  expect(store.receipts.get('LTC-1')).toMatchObject({ receivedStatus: 'SUCCESS' });
});

describe('a receipt', () => {
  test('is kept under its code as it was sent, with the time of its arrival', () => {
    expect(store.recordReceipt(receipt())).toBe('stored');
    expect(store.receipts.get('LTC-1')).toStrictEqual({ ...receipt(), recordedAt: instant });
    expect(store.receipts.get('LTC-2')).toBeUndefined();
    expect(seen).toStrictEqual([{ kind: 'receipt' }]);
  });

  test("keeps additional fields of the lender, except under the names of the mock's times", () => {
    const more = { branch: 'HN', reversedAt: 1, recordedAt: 2 };
    store.recordReceipt(receipt(more));
    expect(store.receipts.all()).toStrictEqual([{ ...receipt(), branch: 'HN', recordedAt: instant }]);
  });

  test('cannot be changed from outside, reversed or not', () => {
    store.recordReceipt(receipt());
    expect(store.receipts.all().every(Object.isFrozen)).toBe(true);
    store.recordReceipt(receipt(reversal));
    expect(store.receipts.all().every(Object.isFrozen)).toBe(true);
  });

  test('has its reversal, with its time, beside the facts of the payment', () => {
    store.recordReceipt(receipt());
    store.recordReceipt(receipt({ ...reversal, requestId: 'later' }));
    expect(store.receipts.all()).toStrictEqual([
      { ...receipt(), ...reversal, recordedAt: instant, reversedAt: instant },
    ]);
  });

  test('is reversed if its reversal came first, and has the facts of the payment once that arrives', () => {
    expect(store.recordReceipt(receipt({ ...reversal, requestId: 'early' }))).toBe('reversed');
    later();
    store.recordReceipt(receipt());
    expect(store.receipts.all()).toStrictEqual([
      { ...receipt(), ...reversal, recordedAt: instant, reversedAt: instant },
    ]);
  });
});

describe('an allocation', () => {
  test('is kept under its requestId as it was sent, with the time of its arrival', () => {
    expect(store.recordAllocation(allocation())).toBe('stored');
    const kept = { ...allocation(), recordedAt: instant };
    expect(store.allocations.get('REQ-2')).toBeUndefined();
    expect(store.allocations.get(kept.requestId)).toStrictEqual(kept);
    expect(store.allocations.all()).toStrictEqual([kept]);
    expect(seen).toStrictEqual([{ kind: 'allocation' }]);
  });

  test.each<[string, object, string]>([
    ['another requesting time', { requestingDatetime: '2026-11-21T00:00:00+0700' }, 'repeated'],
    ['another type', { repaymentType: 'PARTIAL' }, 'conflict'],
    [
      'one transaction more',
      { repaymentTransactions: [samples.transaction(), samples.transaction()] },
      'conflict',
    ],
  ])('gets the right outcome if it comes again with %s', (_title, changes, outcome) => {
    store.recordAllocation(allocation());
    expect(store.recordAllocation(allocation(changes))).toBe(outcome);
    expect(store.allocations.all()).toHaveLength(1);
    expect(seen).toHaveLength(1);
  });
});

test('a reset removes receipts and allocations', () => {
  store.recordReceipt(receipt());
  store.recordAllocation(allocation());
  store.reset();
  expect([store.receipts.all(), store.allocations.all()]).toEqual([[], []]);
});

test('the oldest notifications are dropped if there are more than the limit', () => {
  store = newStore(2);
  for (const id of ['A', 'B', 'C']) {
    store.recordReceipt(receipt({ lenderTransactionCode: id }));
    store.recordAllocation(allocation({ requestId: id }));
  }
  expect(store.receipts.all().map(({ lenderTransactionCode }) => lenderTransactionCode)).toEqual(['B', 'C']);
  expect(store.allocations.all().map(({ requestId }) => requestId)).toEqual(['B', 'C']);
});
