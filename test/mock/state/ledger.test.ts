import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createMockService, type MockService } from '../../../src/mock/index.js';
import type { Ledger } from '../../../src/mock/state/ledger.js';
import { runs } from '../../helpers/seed.js';
import { allocation, now, receipt, transaction, type PlainRequest } from '../../helpers/signed-requests.js';

async function notify(mock: MockService, { path, init }: PlainRequest): Promise<number> {
  const response = await mock.fetch(`https://sandbox.example${path}`, init);
  await response.arrayBuffer();
  return response.status;
}

const reversal = { receivedStatus: 'REVERSED', reversalReason: 'bounced' };

async function ledgerAfter(...requests: PlainRequest[]): Promise<Ledger> {
  const mock = createMockService({ now });
  for (const request of requests) expect(await notify(mock, request)).toBe(200);
  return mock.ledger('CONTRACT-1');
}

test('a batch adds up by installment, in the order of their numbers', async () => {
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
  expect(installments).toEqual([
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

test('the order of a receipt and its allocation does not matter', async () => {
  expect(await ledgerAfter(allocation(), receipt())).toEqual(await ledgerAfter(receipt(), allocation()));
});

describe('a discrepancy', () => {
  const facts = { lenderTransactionCode: 'LTC-1', received: 1_500_000, allocated: 1_500_000 };
  const ofAnotherContract = receipt({ contractNumber: 'CONTRACT-2' });
  const nothing = { allocatedPrincipal: 0, allocatedServiceFee: 0, allocatedTotal: 0 };
  const ofNothing = allocation({ repaymentTransactions: [transaction(nothing)] });

  test.each<[string, PlainRequest[], object[]]>([
    ['an allocation alone', [allocation()], [{ ...facts, kind: 'allocation_without_receipt', received: 0 }]],
    [
      'a receipt of another contract',
      [ofAnotherContract, allocation()],
      [{ ...facts, kind: 'allocation_without_receipt', received: 0 }],
    ],
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
    ['a reversal of which nothing was allocated', [receipt(reversal), ofNothing], []],
  ])('after %s', async (_title, requests, discrepancies) => {
    expect((await ledgerAfter(...requests)).discrepancies).toEqual(discrepancies);
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

test('amounts beyond the largest number give finite sums', async () => {
  const receivedAmount = 1e308;
  const codes = ['A', 'B'];
  const ledger = await ledgerAfter(
    ...codes.map((lenderTransactionCode) => receipt({ lenderTransactionCode, receivedAmount })),
  );
  expect(ledger).toMatchObject({ received: Number.MAX_VALUE, unallocated: Number.MAX_VALUE });
});

test('tenths do not drift over 10,000 allocations', async () => {
  const tenth = transaction({ allocatedPrincipal: 0.1, allocatedServiceFee: 0.2, allocatedTotal: 0.3 });
  const repaymentTransactions = Array.from({ length: 2500 }, () => tenth);
  const requests = ['A', 'B', 'C', 'D'].map((requestId) => allocation({ requestId, repaymentTransactions }));
  expect(await ledgerAfter(...requests)).toMatchObject({
    allocated: { principal: 1000, serviceFee: 2000, penalty: 0, total: 3000 },
    installments: [{ allocations: 10_000, total: 3000 }],
  });
});

/** The events between a lender and the service, in thousandths of a dong, so that the sum is plain integers. */
type Happening =
  | { kind: 'receipt' | 'reversal'; code: number }
  | {
      kind: 'allocation';
      request: number;
      parts: { code: number; installment: number; amounts: number[] }[];
    };

const codes = fc.integer({ min: 0, max: 5 });
const happening: fc.Arbitrary<Happening> = fc.oneof(
  fc.record({ kind: fc.constantFrom('receipt' as const, 'reversal' as const), code: codes }),
  fc.record({
    kind: fc.constant('allocation' as const),
    request: fc.integer({ min: 0, max: 8 }),
    parts: fc.array(
      fc.record({
        code: codes,
        installment: fc.integer({ min: 1, max: 3 }),
        amounts: fc.array(fc.integer({ min: 0, max: 10_000_000 }), { minLength: 3, maxLength: 3 }),
      }),
      { minLength: 1, maxLength: 4 },
    ),
  }),
);

const dong = (thousandths: number) => Number((thousandths / 1000).toFixed(3));
const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);
const amountOf = (code: number) => 1_000_001 * (code + 1);

function requestFor(event: Happening): PlainRequest {
  if (event.kind !== 'allocation') {
    const facts = {
      lenderTransactionCode: `LTC-${String(event.code)}`,
      receivedAmount: dong(amountOf(event.code)),
    };
    return receipt(event.kind === 'reversal' ? { ...facts, ...reversal } : facts);
  }
  const repaymentTransactions = event.parts.map(({ code, installment, amounts }) => ({
    lenderTransactionCode: `LTC-${String(code)}`,
    allocationDatetime: '2026-11-20T09:30:00+0700',
    installmentNumber: installment,
    allocatedPrincipal: dong(amounts[0] ?? 0),
    allocatedServiceFee: dong(amounts[1] ?? 0),
    allocatedPenalty: dong(amounts[2] ?? 0),
    allocatedTotal: dong(sum(amounts)),
  }));
  return allocation({ requestId: `REQ-${String(event.request)}`, repaymentTransactions });
}

type Part = (Happening & { kind: 'allocation' })['parts'][number];

/** The sum of some parts of allocations. */
function allocatedBy(parts: readonly Part[]) {
  const [principal = 0, serviceFee = 0, penalty = 0] = [0, 1, 2].map((index) =>
    sum(parts.map(({ amounts }) => amounts[index] ?? 0)),
  );
  return { principal, serviceFee, penalty, total: principal + serviceFee + penalty };
}

const inDong = (sums: Record<string, number>) =>
  Object.fromEntries(Object.entries(sums).map(([name, thousandths]) => [name, dong(thousandths)]));

/** The ledger as one would add it up on paper; its discrepancies in order of their kinds and codes. */
function reference(history: readonly Happening[]) {
  const receipts = history.filter((event) => event.kind !== 'allocation');
  const seen = new Set(receipts.map(({ code }) => code));
  const reversed = new Set(receipts.filter(({ kind }) => kind === 'reversal').map(({ code }) => code));
  // The first under its request ID counts.
  const requests = new Map<number, readonly Part[]>();
  for (const event of history)
    if (event.kind === 'allocation' && !requests.has(event.request)) requests.set(event.request, event.parts);
  const parts = [...requests.values()].flat();
  const received = sum([...seen].map(amountOf));
  const back = sum([...reversed].map(amountOf));
  const discrepancies = [...new Set(parts.map(({ code }) => code))].flatMap((code) => {
    const { total } = allocatedBy(parts.filter((part) => part.code === code));
    const facts = {
      lenderTransactionCode: `LTC-${String(code)}`,
      received: seen.has(code) ? dong(amountOf(code)) : 0,
      allocated: dong(total),
    };
    if (!seen.has(code)) return [{ kind: 'allocation_without_receipt', ...facts }];
    return [
      ...(total > amountOf(code) ? [{ kind: 'over_allocated', ...facts }] : []),
      ...(reversed.has(code) && total > 0 ? [{ kind: 'allocated_then_reversed', ...facts }] : []),
    ];
  });
  const numbers = [...new Set(parts.map(({ installment }) => installment))].sort((a, b) => a - b);
  return {
    contractNumber: 'CONTRACT-1',
    received: dong(received),
    reversed: dong(back),
    allocated: inDong(allocatedBy(parts)),
    unallocated: dong(received - back - allocatedBy(parts).total),
    installments: numbers.map((installmentNumber) => {
      const own = parts.filter(({ installment }) => installment === installmentNumber);
      return { installmentNumber, ...inDong(allocatedBy(own)), allocations: own.length };
    }),
    discrepancies: discrepancies.sort(byKindAndCode),
  };
}

interface Finding {
  readonly kind: string;
  readonly lenderTransactionCode: string;
}

function byKindAndCode(a: Finding, b: Finding): number {
  return `${a.kind} ${a.lenderTransactionCode}`.localeCompare(`${b.kind} ${b.lenderTransactionCode}`);
}

test('1,000 random histories give the same ledger as plain sums', async () => {
  const mock = createMockService({ now });
  const found = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.array(happening, { maxLength: 25 }), async (history) => {
      mock.reset();
      for (const event of history) await notify(mock, requestFor(event));
      const ledger = mock.ledger('CONTRACT-1');
      for (const { kind } of ledger.discrepancies) found.add(kind);
      expect({ ...ledger, discrepancies: [...ledger.discrepancies].sort(byKindAndCode) }).toEqual(
        reference(history),
      );
    }),
    { numRuns: runs(1000) },
  );
  // Each kind occurred, or the comparison would say little of them.
  expect(found.size).toBe(3);
}, 60_000);
