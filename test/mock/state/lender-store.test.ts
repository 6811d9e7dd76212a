import { beforeEach, describe, expect, test } from 'vitest';
import { allocationView, isRepeat, newAllocation } from '../../../src/mock/state/allocations.js';
import { Changes, type MockChange } from '../../../src/mock/state/changes.js';
import { LenderStore } from '../../../src/mock/state/lender-store.js';
import type { PaymentReceiptWire, RepaymentAllocationWire } from '../../../src/protocol/lender-types.js';
import * as samples from '../../helpers/lender-samples.js';
import { instant, now } from '../../helpers/signed-requests.js';

const reversal = { receivedStatus: 'REVERSED', reversalReason: 'bounced' } as const;
const receipt = (changes: object = {}) => samples.receipt({ ...changes }) as PaymentReceiptWire;
const allocation = (changes: object = {}) =>
  samples.allocation({
    repaymentTransactions: [samples.transaction({ allocatedTotal: 1_500_000 })],
    ...changes,
  }) as RepaymentAllocationWire;

let seen: MockChange[];
let store: LenderStore;

beforeEach(() => {
  seen = [];
  const changes = new Changes();
  changes.subscribe((change) => seen.push(change));
  store = new LenderStore(3, now, changes);
});

const code = (lenderTransactionCode: string, contractNumber = 'CONTRACT-1') =>
  receipt({ lenderTransactionCode, contractNumber });
const request = (requestId: string, contractNumber = 'CONTRACT-1') =>
  allocation({ requestId, contractNumber });

describe('a receipt', () => {
  test('is stored, then repeated, reversed, repeated, or in conflict', () => {
    expect([
      store.recordReceipt(receipt()),
      store.recordReceipt(receipt()),
      store.recordReceipt(receipt(reversal)),
      store.recordReceipt(receipt(reversal)),
      store.recordReceipt(receipt()),
      store.recordReceipt(receipt({ receivedAmount: 1 })),
    ]).toStrictEqual(['stored', 'repeated', 'reversed', 'repeated', 'repeated', 'conflict']);
    expect(seen).toStrictEqual([
      { kind: 'receipt', lenderTransactionCode: 'LTC-1' },
      { kind: 'receipt', lenderTransactionCode: 'LTC-1' },
    ]);
  });

  test('whose reversal comes first is stored twice', () => {
    expect([store.recordReceipt(receipt(reversal)), store.recordReceipt(receipt())]).toStrictEqual([
      'stored',
      'stored',
    ]);
    expect(store.receipts.all()).toStrictEqual([
      { ...receipt(reversal), recordedAt: instant, reversedAt: instant },
    ]);
  });

  test('is found by its code', () => {
    store.recordReceipt(code('A'));
    store.recordReceipt(code('B'));
    expect(store.receipts.get('B')).toStrictEqual({ ...code('B'), recordedAt: instant });
    expect(store.receipts.get('C')).toBeUndefined();
    expect(store.receipts.all().map((kept) => kept.lenderTransactionCode)).toStrictEqual(['A', 'B']);
  });
});

describe('an allocation', () => {
  test('is stored, then repeated or in conflict', () => {
    expect([
      store.recordAllocation(allocation()),
      store.recordAllocation(allocation({ requestingDatetime: '2026-11-21T00:00:00+0700' })),
      store.recordAllocation(allocation({ lenderCode: 'OTHER' })),
    ]).toStrictEqual(['stored', 'repeated', 'conflict']);
    expect(seen).toStrictEqual([{ kind: 'allocation', requestId: allocation().requestId }]);
  });

  test('is found by its requestId', () => {
    store.recordAllocation(request('A'));
    expect(store.allocations.get('A')).toStrictEqual({ ...request('A'), recordedAt: instant });
    expect(store.allocations.get('B')).toBeUndefined();
    expect(store.allocations.all()).toHaveLength(1);
  });

  test('is kept as it was sent, and recognised at any requesting time', () => {
    const record = newAllocation(allocation(), 5);
    expect(record).toMatchObject({
      requestId: allocation().requestId,
      contractNumber: 'CONTRACT-1',
      recordedAt: 5,
    });
    expect(allocationView(record)).toStrictEqual({ ...allocation(), recordedAt: new Date(5) });
    expect(isRepeat(record, allocation({ requestingDatetime: 'later' }))).toBe(true);
    expect(isRepeat(record, allocation({ repaymentType: 'PARTIAL' }))).toBe(false);
  });
});

describe('the limit', () => {
  test('counts receipts and allocations together, and forgets the contract with the oldest last notification', () => {
    store.recordReceipt(code('A', 'OLD'));
    store.recordAllocation(request('B', 'OLD'));
    store.recordReceipt(code('C', 'NEW'));
    expect(store.contractNumbers()).toStrictEqual(['OLD', 'NEW']);
    expect(store.receipts.all()).toHaveLength(2);

    store.recordAllocation(request('D', 'NEW'));
    expect(store.contractNumbers()).toStrictEqual(['NEW']);
    expect(store.receipts.all().map((kept) => kept.lenderTransactionCode)).toStrictEqual(['C']);
    expect(store.allocations.all().map(({ requestId }) => requestId)).toStrictEqual(['D']);
    expect(store.ledger('OLD').received).toBe(0);
  });

  test('forgets no more contracts than it must', () => {
    store.recordReceipt(code('A', 'FIRST'));
    store.recordReceipt(code('B', 'SECOND'));
    store.recordReceipt(code('C', 'THIRD'));
    store.recordReceipt(code('D', 'FOURTH'));
    expect(store.contractNumbers()).toStrictEqual(['SECOND', 'THIRD', 'FOURTH']);
  });

  test('forgets as many contracts as it must', () => {
    store = new LenderStore(1, now, new Changes());
    for (const id of ['A', 'B', 'C']) store.recordReceipt(code(id, id));
    expect(store.contractNumbers()).toStrictEqual(['C']);
    expect(store.receipts.all()).toHaveLength(1);
  });

  test('does not split the current contract', () => {
    for (const id of ['A', 'B', 'C', 'D', 'E']) store.recordReceipt(code(id));
    expect(store.receipts.all()).toHaveLength(5);
  });

  test('counts a reversal as a notification of the contract, but not a repeat', () => {
    store.recordReceipt(code('A', 'FIRST'));
    store.recordReceipt(code('B', 'SECOND'));
    store.recordReceipt(code('A', 'FIRST'));
    expect(store.contractNumbers()).toStrictEqual(['FIRST', 'SECOND']);
    store.recordReceipt({ ...code('A', 'FIRST'), ...reversal });
    expect(store.contractNumbers()).toStrictEqual(['SECOND', 'FIRST']);
  });
});

describe('the ledger', () => {
  test('is computed once, and again after the next notification', () => {
    store.recordReceipt(receipt());
    const first = store.ledger('CONTRACT-1');
    expect(store.ledger('CONTRACT-1')).toBe(first);
    store.recordReceipt(receipt());
    expect(store.ledger('CONTRACT-1')).toBe(first);
    store.recordAllocation(allocation());
    expect(store.ledger('CONTRACT-1')).toStrictEqual({
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
    store.recordReceipt(receipt(reversal));
    expect(store.ledger('CONTRACT-1')).toMatchObject({ reversed: 1_500_000, unallocated: -1_500_000 });
  });

  test('of a reversed receipt has no discrepancy where nothing was allocated', () => {
    store.recordReceipt(receipt(reversal));
    const nothing = { allocatedPrincipal: 0, allocatedServiceFee: 0, allocatedTotal: 0 };
    store.recordAllocation(allocation({ repaymentTransactions: [samples.transaction(nothing)] }));
    expect(store.ledger('CONTRACT-1').discrepancies).toStrictEqual([]);
  });

  test('has no over-allocation if exactly the received amount was allocated', () => {
    store.recordReceipt(receipt());
    store.recordAllocation(allocation());
    expect(store.ledger('CONTRACT-1').discrepancies).toStrictEqual([]);
  });

  test('has the last ID of an installment', () => {
    const named = (installmentId?: string) =>
      samples.transaction({ allocatedTotal: 1_500_000, ...(installmentId && { installmentId }) });
    store.recordAllocation(allocation({ repaymentTransactions: [named('I-1'), named('I-2'), named()] }));
    expect(store.ledger('CONTRACT-1').installments).toMatchObject([{ installmentId: 'I-2', allocations: 3 }]);
  });
});

test('a reset forgets everything', () => {
  store.recordReceipt(receipt());
  store.recordAllocation(allocation());
  store.reset();
  expect([store.receipts.all(), store.allocations.all(), store.contractNumbers()]).toStrictEqual([
    [],
    [],
    [],
  ]);
  expect(store.recordReceipt(receipt())).toBe('stored');
});
