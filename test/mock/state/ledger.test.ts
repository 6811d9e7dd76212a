import { describe, expect, test } from 'vitest';
import { createMockService, type MockService } from '../../../src/entries/mock.js';
import type { Ledger } from '../../../src/mock/state/ledger.js';
import { allocation, now, receipt, transaction, type PlainRequest } from '../../helpers/signed-requests.js';

async function notify(mock: MockService, { path, init }: PlainRequest): Promise<number> {
  const response = await mock.fetch(`https://mock.example${path}`, init);
  await response.arrayBuffer();
  return response.status;
}

const reversal = { receivedStatus: 'REVERSED', reversalReason: 'bounced' };

function ledgerAfter(...requests: PlainRequest[]): Promise<Ledger> {
  return ledgerOf(createMockService({ now }), requests);
}

async function ledgerOf(mock: MockService, requests: readonly PlainRequest[]): Promise<Ledger> {
  for (const request of requests) expect(await notify(mock, request)).toBe(200);
  return mock.ledger('CONTRACT-1');
}

test('a batch is summed by installment, in the order of their numbers', async () => {
  const repaymentTransactions = [
    transaction({ installmentNumber: 2, installmentId: 'I-1' }),
    transaction({
      installmentNumber: 1,
      allocatedPrincipal: 0,
      allocatedServiceFee: 0,
      allocatedPenalty: 50_000,
      allocatedTotal: 50_000,
    }),
    transaction({
      installmentNumber: 2,
      installmentId: 'I-2',
      allocatedPrincipal: undefined,
      allocatedServiceFee: undefined,
      allocatedTotal: 0,
    }),
  ];
  const { installments } = await ledgerAfter(allocation({ repaymentTransactions }));
  expect(installments).toStrictEqual([
    { installmentNumber: 1, principal: 0, serviceFee: 0, penalty: 50_000, total: 50_000, allocations: 1 },
    {
      installmentNumber: 2,
      installmentId: 'I-2',
      principal: 1_400_000,
      serviceFee: 100_000,
      penalty: 0,
      total: 1_500_000,
      allocations: 2,
    },
  ]);
});

test('a contract has the sums of its receipts and allocations, in whatever order they arrived', async () => {
  const notifications = [
    receipt({ receivedAmount: 1_600_000.5 }),
    receipt({ lenderTransactionCode: 'LTC-2', receivedAmount: 400_000, ...reversal }),
    receipt({ lenderTransactionCode: 'LTC-3', receivedAmount: 7, contractNumber: 'CONTRACT-2' }),
    allocation({ repaymentTransactions: [transaction(), transaction({ lenderTransactionCode: 'LTC-2' })] }),
    allocation({ requestId: 'REQ-2', contractNumber: 'CONTRACT-2' }),
  ];
  const ledger = await ledgerAfter(...notifications);
  expect(ledger).toMatchObject({
    contractNumber: 'CONTRACT-1',
    received: 2_000_000.5,
    reversed: 400_000,
    allocated: { principal: 2_800_000, serviceFee: 200_000, penalty: 0, total: 3_000_000 },
    unallocated: -1_399_999.5,
    discrepancies: [
      { kind: 'reversal_without_receipt', lenderTransactionCode: 'LTC-2' },
      { kind: 'over_allocated', lenderTransactionCode: 'LTC-2' },
      { kind: 'allocated_then_reversed', lenderTransactionCode: 'LTC-2' },
    ],
  });
  expect(await ledgerAfter(...notifications.toReversed())).toEqual(ledger);
});

describe('a discrepancy', () => {
  const facts = { lenderTransactionCode: 'LTC-1', received: 1_500_000, allocated: 1_500_000 };
  const nothing = { allocatedPrincipal: 0, allocatedServiceFee: 0, allocatedTotal: 0 };
  const ofNothing = allocation({ repaymentTransactions: [transaction(nothing)] });

  test.each<[string, PlainRequest[], object[]]>([
    ['an allocation alone', [allocation()], [{ ...facts, kind: 'allocation_without_receipt', received: 0 }]],
    ['an allocation of the whole receipt', [receipt(), allocation()], []],
    [
      'an allocation of more',
      [receipt({ receivedAmount: 1_499_999 }), allocation()],
      [{ ...facts, kind: 'over_allocated', received: 1_499_999 }],
    ],
    [
      'an allocation that was reversed',
      [receipt(), allocation(), receipt(reversal)],
      [{ ...facts, kind: 'allocated_then_reversed' }],
    ],
    ['a reversal of which nothing was allocated', [receipt(), receipt(reversal), ofNothing], []],
    ['a reversal alone', [receipt(reversal)], [{ ...facts, kind: 'reversal_without_receipt', allocated: 0 }]],
    ['a reversal that came before its receipt', [receipt(reversal), receipt()], []],
    [
      'an allocation without a bank sequence',
      [receipt({ bankTransactionSequenceId: 'B-1' }), allocation()],
      [],
    ],
    [
      'an allocation of another bank sequence',
      [
        receipt({ bankTransactionSequenceId: 'B-1' }),
        allocation({ repaymentTransactions: [transaction({ bankTransactionSequenceId: 'B-2' })] }),
      ],
      [{ ...facts, kind: 'bank_sequence_differs' }],
    ],
  ])('is reported only if the amounts differ: after %s', async (_title, requests, discrepancies) => {
    expect((await ledgerAfter(...requests)).discrepancies).toEqual(discrepancies);
  });
});

describe('a reversal with a separate code', () => {
  const requests = [receipt(), receipt({ lenderTransactionCode: 'LTC-2', ...reversal })];

  test('is not counted as received with own-code', async () => {
    const mock = createMockService({ now, lender: { reversals: 'own-code' } });
    const ledger = await ledgerOf(mock, [
      ...requests,
      allocation({ repaymentTransactions: [transaction({ lenderTransactionCode: 'LTC-2' })] }),
    ]);
    expect(ledger).toMatchObject({
      received: 1_500_000,
      reversed: 1_500_000,
      unallocated: -1_500_000,
      discrepancies: [{ kind: 'allocation_without_receipt', lenderTransactionCode: 'LTC-2' }],
    });
  });

  test('is a discrepancy with same-code', async () => {
    expect(await ledgerAfter(...requests)).toMatchObject({
      unallocated: 1_500_000,
      discrepancies: [{ kind: 'reversal_without_receipt', lenderTransactionCode: 'LTC-2' }],
    });
  });
});

test('a contract without notifications has only zeros', () => {
  expect(createMockService().ledger('CONTRACT-9')).toEqual({
    contractNumber: 'CONTRACT-9',
    received: 0,
    reversed: 0,
    allocated: { principal: 0, serviceFee: 0, penalty: 0, total: 0 },
    unallocated: 0,
    installments: [],
    discrepancies: [],
  });
});

test('decimal amounts do not drift over 10,000 allocations', async () => {
  const tenth = transaction({ allocatedPrincipal: 0.1, allocatedServiceFee: 0.2, allocatedTotal: 0.3 });
  const repaymentTransactions = Array.from({ length: 2500 }, () => tenth);
  const requests = ['A', 'B', 'C', 'D'].map((requestId) => allocation({ requestId, repaymentTransactions }));
  expect(await ledgerAfter(...requests)).toMatchObject({
    allocated: { principal: 1000, serviceFee: 2000, penalty: 0, total: 3000 },
    installments: [{ allocations: 10_000, total: 3000 }],
  });
});
