import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createMockService, type Ledger, type MockService } from '../../../src/mock/index.js';
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

describe('receipts', () => {
  test('the same event again is acknowledged and stored once, whatever its requestId', async () => {
    const mock = createMockService({ now });
    await notify(mock, receipt());
    expect(
      await notify(mock, receipt({ requestId: 'REQ-2', requestingDatetime: '2026-11-21T00:00:00+0700' })),
    ).toBe(200);

    expect(mock.receipts.all()).toHaveLength(1);
    expect(mock.journal.all().map(({ replay }) => replay)).toEqual([false, true]);
  });

  test.each([
    ['another contract', { contractNumber: 'CONTRACT-2' }],
    ['another amount', { receivedAmount: 1 }],
    ['another moment', { receivedDatetime: '2026-11-20T09:00:01+0700' }],
    ['another lender', { lenderCode: 'OTHER' }],
    ['another bank sequence', { bankTransactionSequenceId: 'B-2' }],
    ['a reversal of another amount', { ...reversal, receivedAmount: 1 }],
  ])('the same code with %s is refused', async (_title, changes) => {
    const mock = createMockService({ now });
    await notify(mock, receipt({ bankTransactionSequenceId: 'B-1' }));
    expect(await notify(mock, receipt(changes))).toBe(400);
    expect(mock.receipts.get('LTC-1')).toMatchObject({
      receivedStatus: 'SUCCESS',
      receivedAmount: 1_500_000,
    });
  });

  test('a reversed receipt stays reversed after a late repeat of the receipt', async () => {
    const mock = createMockService({ now });
    for (const changes of [{}, reversal, reversal, {}])
      expect(await notify(mock, receipt(changes))).toBe(200);

    expect(mock.receipts.all()).toEqual([
      expect.objectContaining({ ...reversal, recordedAt: now(), reversedAt: now() }),
    ]);
    expect(mock.ledger('CONTRACT-1')).toMatchObject({
      received: 1_500_000,
      reversed: 1_500_000,
      unallocated: 0,
    });
  });

  test('a reversal keeps the time of its first notification', async () => {
    let clock = now();
    const mock = createMockService({ now: () => clock });
    await notify(mock, receipt(reversal));
    for (const changes of [{}, reversal]) {
      clock = new Date(clock.getTime() + 60_000);
      expect(await notify(mock, receipt(changes))).toBe(200);
    }
    expect(mock.receipts.get('LTC-1')).toMatchObject({ recordedAt: now(), reversedAt: now() });
  });

  test('a repeat with the same bank sequence is acknowledged', async () => {
    const mock = createMockService({ now });
    const sequenced = receipt({ bankTransactionSequenceId: 'B-1', lenderReferenceId: 'L-1' });
    expect([await notify(mock, sequenced), await notify(mock, sequenced)]).toEqual([200, 200]);
    expect(mock.journal.all().map(({ replay }) => replay)).toEqual([false, true]);
  });

  test('amounts beyond the largest number give finite sums', async () => {
    const mock = createMockService({ now });
    const receivedAmount = 1e308;
    for (const lenderTransactionCode of ['A', 'B']) {
      expect(await notify(mock, receipt({ lenderTransactionCode, receivedAmount }))).toBe(200);
    }
    expect(mock.ledger('CONTRACT-1')).toMatchObject({
      received: Number.MAX_VALUE,
      unallocated: Number.MAX_VALUE,
    });
  });

  test('a reversal may have its own time, which a repeat must have too', async () => {
    const mock = createMockService({ now });
    const later = { ...reversal, receivedDatetime: '2026-11-20T11:00:00+0700' };
    for (const changes of [{}, later, later, {}, later])
      expect(await notify(mock, receipt(changes))).toBe(200);

    expect(await notify(mock, receipt({ ...reversal, receivedDatetime: '2026-11-20T12:00:00+0700' }))).toBe(
      400,
    );
    expect(await notify(mock, receipt({ receivedDatetime: '2026-11-20T11:00:00+0700' }))).toBe(400);
    expect(mock.receipts.all()).toEqual([
      expect.objectContaining({ ...reversal, receivedDatetime: '2026-11-20T09:00:00+0700' }),
    ]);
  });

  test('a receipt that arrives after its reversal must agree with later notifications', async () => {
    const mock = createMockService({ now });
    for (const changes of [reversal, { receivedDatetime: '2026-11-20T08:00:00+0700' }])
      expect(await notify(mock, receipt(changes))).toBe(200);

    expect(await notify(mock, receipt({ receivedDatetime: '2026-11-20T07:00:00+0700' }))).toBe(400);
    expect(mock.ledger('CONTRACT-1')).toMatchObject({ received: 1_500_000, reversed: 1_500_000 });
  });

  describe('with a reversal that has its own time', () => {
    const later = { ...reversal, receivedDatetime: '2026-11-20T09:45:00+0700' };
    const another = { receivedDatetime: '2026-11-20T09:59:59+0700' };

    test('the reversal is acknowledged when its first answer was lost', async () => {
      const mock = createMockService({ now });
      await notify(mock, receipt());
      mock.injectFault('paymentReceipt', 'connection-reset', { phase: 'after' });
      await expect(notify(mock, receipt(later))).rejects.toThrow();
      expect(await notify(mock, receipt(later))).toBe(200);
    });

    test.each([
      ['another reversal', [{}, later], { ...reversal, ...another }],
      ['another receipt', [{}, later], another],
      ['a receipt at the moment of the reversal', [{}, later], { ...later, receivedStatus: 'SUCCESS' }],
      ['another reversal after one that came first', [later], { ...reversal, ...another }],
      ['another receipt after one that came late', [later, {}], another],
      [
        'a bank sequence that is not the reversal’s',
        [{}, { ...later, bankTransactionSequenceId: 'B-1' }],
        { bankTransactionSequenceId: 'B-2' },
      ],
    ])('the same code with %s is refused', async (_title, before, changes) => {
      const mock = createMockService({ now });
      for (const earlier of before) expect(await notify(mock, receipt(earlier))).toBe(200);
      const kept = mock.receipts.all();

      expect(await notify(mock, receipt(changes))).toBe(400);
      expect(mock.receipts.all()).toEqual(kept);
    });
  });

  test('a reversal alone is stored as reversed', async () => {
    expect(await ledgerAfter(receipt(reversal))).toMatchObject({ received: 1_500_000, reversed: 1_500_000 });
  });

  test('a reversal without a reason is refused', async () => {
    expect(
      await notify(createMockService(), receipt({ receivedStatus: 'REVERSED', reversalReason: null })),
    ).toBe(400);
  });
});

describe('allocations', () => {
  test('the same request again is stored once', async () => {
    const mock = createMockService({ now });
    await notify(mock, allocation());
    expect(await notify(mock, allocation({ requestingDatetime: '2026-11-21T00:00:00+0700' }))).toBe(200);
    expect(mock.allocations.all()).toEqual([
      expect.objectContaining({ requestId: 'REQ-A1', recordedAt: now() }),
    ]);
    expect(mock.allocations.get('REQ-A1')?.repaymentTransactions).toHaveLength(1);
    expect(mock.allocations.get('REQ-A2')).toBeUndefined();
  });

  test('the same requestId with other content is refused', async () => {
    const mock = createMockService({ now });
    await notify(mock, allocation());
    expect(await notify(mock, allocation({ contractNumber: 'CONTRACT-2' }))).toBe(400);
    expect(mock.allocations.all()).toHaveLength(1);
  });

  test('a wrong total is refused without advice for users of the client', async () => {
    const mock = createMockService({ now });
    const { path, init } = allocation({ repaymentTransactions: [transaction({ allocatedTotal: 1 })] });
    const response = await mock.fetch(`https://sandbox.example${path}`, init);
    const { resultMsg } = (await response.json()) as { resultMsg: string };
    expect(resultMsg).toContain('must equal allocatedPrincipal + allocatedServiceFee + allocatedPenalty');
    expect(resultMsg).not.toMatch(/leave it out|derived/);
  });

  test('a batch adds up by installment, in the order of their numbers', async () => {
    const repaymentTransactions = [
      transaction({ installmentNumber: 2, installmentId: 'I-2' }),
      transaction({
        installmentNumber: 1,
        allocatedPrincipal: 0,
        allocatedServiceFee: 0,
        allocatedPenalty: 50_000,
        allocatedTotal: 50_000,
      }),
      transaction({
        installmentNumber: 2,
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

  test('an allocation may come before its receipt', async () => {
    const early = await ledgerAfter(allocation());
    expect(early.discrepancies).toEqual([
      {
        kind: 'allocation_without_receipt',
        lenderTransactionCode: 'LTC-1',
        received: 0,
        allocated: 1_500_000,
      },
    ]);
    expect(early.unallocated).toBe(-1_500_000);
    expect(await ledgerAfter(allocation(), receipt())).toEqual(await ledgerAfter(receipt(), allocation()));
  });
});

describe('discrepancies', () => {
  test('more was allocated than received', async () => {
    const { discrepancies } = await ledgerAfter(receipt({ receivedAmount: 1_499_999 }), allocation());
    expect(discrepancies).toEqual([
      { kind: 'over_allocated', lenderTransactionCode: 'LTC-1', received: 1_499_999, allocated: 1_500_000 },
    ]);
  });

  test('what was allocated was reversed', async () => {
    const { discrepancies } = await ledgerAfter(receipt(), allocation(), receipt(reversal));
    expect(discrepancies).toEqual([
      {
        kind: 'allocated_then_reversed',
        lenderTransactionCode: 'LTC-1',
        received: 1_500_000,
        allocated: 1_500_000,
      },
    ]);
  });

  const withSequence = (...ids: (string | undefined)[]) =>
    allocation({
      repaymentTransactions: ids.map((bankTransactionSequenceId, index) =>
        transaction({
          installmentNumber: index + 1,
          allocatedPrincipal: 1,
          allocatedServiceFee: 0,
          allocatedTotal: 1,
          bankTransactionSequenceId,
        }),
      ),
    });

  test('a receipt and an allocation of it name different bank sequences', async () => {
    const differs = {
      kind: 'bank_sequence_differs',
      lenderTransactionCode: 'LTC-1',
      received: 1_500_000,
      allocated: 3,
    };
    const named = receipt({ bankTransactionSequenceId: 'B-1' });
    for (const order of [
      [named, withSequence('B-1', 'B-2', undefined)],
      [withSequence('B-1', 'B-2', undefined), named],
      [
        receipt(),
        receipt({ ...reversal, bankTransactionSequenceId: 'B-1' }),
        withSequence('B-2', 'B-2', 'B-2'),
      ],
    ]) {
      const { discrepancies } = await ledgerAfter(...order);
      expect(discrepancies.filter(({ kind }) => kind === 'bank_sequence_differs')).toEqual([differs]);
    }
  });

  test('a bank sequence that is equal, or that only one side has, is not a discrepancy', async () => {
    const named = receipt({ bankTransactionSequenceId: 'B-1' });
    expect((await ledgerAfter(named, withSequence('B-1', undefined))).discrepancies).toEqual([]);
    expect((await ledgerAfter(named, withSequence(undefined))).discrepancies).toEqual([]);
    expect((await ledgerAfter(named, withSequence(''))).discrepancies).toEqual([]);
    const empty = receipt({ bankTransactionSequenceId: '' });
    expect((await ledgerAfter(empty, withSequence('B-1'))).discrepancies).toEqual([]);
    expect((await ledgerAfter(receipt(), withSequence('B-1', 'B-2'))).discrepancies).toEqual([]);
  });

  test('a receipt of another contract does not count', async () => {
    const { discrepancies } = await ledgerAfter(receipt({ contractNumber: 'CONTRACT-2' }), allocation());
    expect(discrepancies).toMatchObject([{ kind: 'allocation_without_receipt' }]);
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
});

test('tenths do not drift over 100,000 allocations', { timeout: 30_000 }, async () => {
  const mock = createMockService({ now });
  const tenth = transaction({ allocatedPrincipal: 0.1, allocatedServiceFee: 0.2, allocatedTotal: 0.3 });
  const repaymentTransactions = Array.from({ length: 2500 }, () => tenth);
  for (let index = 0; index < 40; index += 1) {
    await notify(mock, allocation({ requestId: `REQ-${String(index)}`, repaymentTransactions }));
  }
  expect(mock.ledger('CONTRACT-1')).toMatchObject({
    allocated: { principal: 10_000, serviceFee: 20_000, penalty: 0, total: 30_000 },
    installments: [{ allocations: 100_000, total: 30_000 }],
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

test('the contract with the oldest last notification is forgotten as a whole', async () => {
  const mock = createMockService({ now, notificationLimit: 5 });
  const of = (contract: number, code: string) =>
    receipt({ contractNumber: `CONTRACT-${String(contract)}`, lenderTransactionCode: code });
  for (const [contract, code] of [
    [1, 'A'],
    [2, 'B'],
    [1, 'C'],
    [1, 'D'],
    [3, 'E'],
  ] as const) {
    await notify(mock, of(contract, code));
    if (code === 'B') await notify(mock, allocation({ contractNumber: 'CONTRACT-1', requestId: 'REQ-1' }));
  }
  await notify(mock, allocation({ contractNumber: 'CONTRACT-3' }));

  expect(mock.contracts()).toEqual(['CONTRACT-3']);
  expect(mock.receipts.all().map((kept) => kept.lenderTransactionCode)).toEqual(['E']);
  expect(mock.allocations.all().map((kept) => kept.contractNumber)).toEqual(['CONTRACT-3']);
  expect(mock.ledger('CONTRACT-1')).toMatchObject({ received: 0, allocated: { total: 0 }, installments: [] });
  for (let index = 0; index < 10; index += 1) await notify(mock, of(3, `F-${String(index)}`));
  expect(mock.receipts.all()).toHaveLength(11);
});

describe('another deployment', () => {
  test('may have another name for the masked field', async () => {
    const mock = createMockService({ lender: { applicationIdField: 'acmeApplicationId' } });
    const renamed = receipt({ serviceApplicationId: undefined, acmeApplicationId: 'APP-1' });
    expect(await notify(mock, renamed)).toBe(200);
    expect(mock.receipts.get('LTC-1')?.serviceApplicationId).toBe('APP-1');
  });

  test.each([
    [receipt({ serviceApplicationId: undefined }), 'acmeApplicationId: is required'],
    [receipt({ acmeApplicationId: 'APP-1' }), 'serviceApplicationId: unknown field'],
    [
      receipt({ serviceApplicationId: undefined, acmeApplicationId: 7 }),
      'acmeApplicationId: must be a string',
    ],
    [{ ...receipt(), init: { ...receipt().init, body: 'null' } }, 'The body'],
    [{ ...receipt(), init: { ...receipt().init, body: '{' } }, 'not JSON'],
  ])('what is wrong with it is said in its own words', async ({ path, init }, message) => {
    const mock = createMockService({ lender: { applicationIdField: 'acmeApplicationId' } });
    const response = await mock.fetch(`https://sandbox.example${path}`, init);
    expect(response.status).toBe(400);
    expect(((await response.json()) as { resultMsg: string }).resultMsg).toContain(message);
  });

  test('a notification that is not authenticated is refused', async () => {
    const mock = createMockService({
      lender: {
        authenticate: async (request) =>
          request.headers.get('authorization') === 'Bearer x' && (await request.text()).includes('LTC-1'),
      },
    });
    const { path, init } = receipt();
    expect(await notify(mock, { path, init })).toBe(400);
    expect(mock.journal.all()[0]?.resultStatus).toBe('ACCESS_DENIED');
    const headers = { ...init.headers, Authorization: 'Bearer x' };
    expect(await notify(mock, { path, init: { ...init, headers } })).toBe(200);
    expect(JSON.stringify(mock.journal.all())).not.toContain('Bearer');
  });

  test('an authentication that throws is reported as a failure of the mock', async () => {
    const mock = createMockService({
      lender: {
        authenticate: () => {
          throw new Error('no key store');
        },
      },
    });
    expect(await notify(mock, receipt())).toBe(500);
    expect(mock.journal.all()).toMatchObject([{ error: 'no key store', resultStatus: 'ERROR_GENERAL' }]);
  });
});
