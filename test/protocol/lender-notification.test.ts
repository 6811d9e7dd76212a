import { describe, expect, test } from 'vitest';
import {
  paymentReceiptNotificationSchema as receipts,
  repaymentAllocationNotificationSchema as allocations,
} from '../../src/entries/lender.js';
import {
  paymentReceiptWireSchema,
  repaymentAllocationWireSchema,
} from '../../src/protocol/lender-schemas.js';
import { allocation, receipt, transaction } from '../helpers/lender-samples.js';

const broken = (schema: typeof receipts | typeof allocations, value: unknown) =>
  schema.safeParse(value).error?.issues.map(({ path }) => path.join('.'));

describe('a payment receipt', () => {
  test('has its dates written at +0700 and the rest unchanged', () => {
    const given = receipt({
      receivedDatetime: new Date('2026-11-20T18:00:00Z'),
      requestingDatetime: new Date('2026-11-20T17:00:01.9Z'),
    });
    expect(receipts.parse(given)).toEqual({
      ...given,
      receivedDatetime: '2026-11-21T01:00:00+0700',
      requestingDatetime: '2026-11-21T00:00:01+0700',
    });
  });

  const wrongTimes = [
    ...[null, '', 0, new Date(NaN), '2026-11-21T01:00:00Z', '2026-11-21T01:00:00+07:00'],
    '2026-02-30T01:00:00+0700',
  ];

  test.each<[string, readonly unknown[]]>([
    ['contractNumber', [undefined, null, '']],
    ['lenderTransactionCode', [undefined, null, '']],
    ['requestId', [null, '']],
    ['serviceApplicationId', [null, '']],
    ['lenderCode', [null, '']],
    ['receivedDatetime', [undefined, ...wrongTimes]],
    ['requestingDatetime', wrongTimes],
    ['receivedAmount', [undefined, null, -1, NaN, Infinity, '1500000', 1n]],
    ['receivedStatus', [undefined, null, 'success']],
    ['lenderReferenceId', ['\ud800']],
  ])('refuses a wrong %s', (name, values) => {
    for (const value of values)
      expect([value, broken(receipts, receipt({ [name]: value }))]).toEqual([value, [name]]);
  });

  test('accepts amounts with a fraction, and timestamps as text', () => {
    for (const receivedAmount of [0, 0.5, 1_500_000, 1e21])
      expect(receipts.parse(receipt({ receivedAmount })).receivedAmount).toBe(receivedAmount);
    expect(broken(receipts, receipt({ receivedDatetime: '2026-11-21T01:00:00+0700' }))).toBeUndefined();
  });

  test('requires a reason for REVERSED, but not for SUCCESS', () => {
    for (const reversalReason of [undefined, null, '']) {
      expect(broken(receipts, receipt({ receivedStatus: 'REVERSED', reversalReason }))).toEqual([
        'reversalReason',
      ]);
      expect(broken(receipts, receipt({ receivedStatus: 'SUCCESS', reversalReason }))).toBeUndefined();
    }
    expect(
      broken(receipts, receipt({ receivedStatus: 'REVERSED', reversalReason: 'chargeback' })),
    ).toBeUndefined();
  });

  test('refuses unknown fields', () => {
    expect(receipts.safeParse(receipt({ colour: 1 })).error?.issues[0]).toMatchObject({
      code: 'unrecognized_keys',
      keys: ['colour'],
    });
  });
});

describe('a repayment allocation', () => {
  test('has its totals filled in exactly', () => {
    const { repaymentTransactions } = allocations.parse(
      allocation({
        repaymentTransactions: [
          transaction({ allocatedPrincipal: 0.1, allocatedServiceFee: 0.2, allocatedPenalty: 0 }),
          transaction({ allocatedPrincipal: 5, allocatedServiceFee: undefined }),
          transaction({ allocatedPrincipal: undefined, allocatedServiceFee: undefined }),
        ],
      }),
    );
    expect(repaymentTransactions.map(({ allocatedTotal }) => allocatedTotal)).toEqual([0.3, 5, 0]);
  });

  test('accepts a total only if it is the sum of the parts', () => {
    const parts = { allocatedPrincipal: 0.1, allocatedServiceFee: 0.2 };
    const total = (allocatedTotal: number) =>
      broken(
        allocations,
        allocation({ repaymentTransactions: [transaction(), transaction({ ...parts, allocatedTotal })] }),
      );
    expect(total(0.3)).toBeUndefined();
    expect(total(0.30000000000000004)).toEqual(['repaymentTransactions.1.allocatedTotal']);
    expect(total(0)).toEqual(['repaymentTransactions.1.allocatedTotal']);
  });

  test.each([
    [
      'a sum that no number holds',
      { allocatedPrincipal: 9007199254740991, allocatedServiceFee: 0.5 },
      'cannot be computed: allocatedPrincipal + allocatedServiceFee + allocatedPenalty has more digits than a number ' +
        'can represent',
    ],
    [
      'a total that is not the sum',
      { allocatedTotal: 7 },
      'must equal allocatedPrincipal + allocatedServiceFee + allocatedPenalty exactly; leave the field out, and it is computed',
    ],
  ])('explains the problem of %s', (_name, changes, message) => {
    const given = allocation({ repaymentTransactions: [transaction(changes)] });
    expect(allocations.safeParse(given).error?.issues).toMatchObject([
      { code: 'custom', path: ['repaymentTransactions', 0, 'allocatedTotal'], message },
    ]);
  });

  test('accepts each repaymentType, or none, and installments from 0 on', () => {
    for (const repaymentType of [undefined, 'NORMAL', 'EARLY_SETTLEMENT', 'PARTIAL'])
      expect(broken(allocations, allocation({ repaymentType }))).toBeUndefined();
    const repaymentTransactions = [0, 1, 360].map((installmentNumber) => transaction({ installmentNumber }));
    expect(broken(allocations, allocation({ repaymentTransactions }))).toBeUndefined();
  });

  test.each<[string, readonly unknown[]]>([
    ['repaymentType', ['normal', '', null]],
    ['repaymentTransactions', [[], undefined, null, {}]],
  ])('refuses a wrong %s', (name, values) => {
    for (const value of values)
      expect([value, broken(allocations, allocation({ [name]: value }))]).toEqual([value, [name]]);
  });

  test.each<[string, readonly unknown[]]>([
    ['installmentNumber', [-1, 1.5, '1', NaN, undefined]],
    ['allocatedPrincipal', [-1]],
    ['allocatedServiceFee', [-1]],
    ['allocatedPenalty', [-1]],
  ])('refuses a wrong %s of a transaction', (name, values) => {
    const repaymentTransactions = values.map((value) => transaction({ [name]: value }));
    expect(broken(allocations, allocation({ repaymentTransactions }))).toEqual(
      values.map((_, index) => `repaymentTransactions.${index}.${name}`),
    );
  });
});

describe('the exported schemas', () => {
  const common = ['requestId', 'serviceApplicationId', 'lenderCode', 'requestingDatetime'];

  test('accept a notification without the fields that the client adds', () => {
    const without = Object.fromEntries(common.map((name) => [name, undefined]));
    expect(receipts.parse({ ...receipt(), ...without })).toMatchObject(without);
    expect(allocations.parse({ ...allocation(), ...without })).toMatchObject(without);
  });

  test('check these fields if they are present, and all others', () => {
    const wrong = Object.fromEntries(common.map((name) => [name, null]));
    for (const schema of [receipts, allocations]) {
      const { error } = schema.safeParse(wrong);
      const messages = new Map(error?.issues.map(({ path, message }) => [path[0], message]));
      for (const name of common) expect(messages.get(name)).toMatch(/; got null: leave the field out$/);
      expect(messages.get('contractNumber')).toMatch(/^is required/);
    }
  });
});

describe('the wire schemas', () => {
  test('accept the output of the input schemas', () => {
    const sent = receipts.parse(receipt());
    expect(paymentReceiptWireSchema.parse(sent)).toEqual(sent);
    const batch = allocations.parse(allocation());
    expect(repaymentAllocationWireSchema.parse(batch)).toEqual(batch);
  });

  test('refuse dates, missing totals, wrong sums and reversals without a reason, each time at the same path', () => {
    const paths = (
      schema: typeof paymentReceiptWireSchema | typeof repaymentAllocationWireSchema,
      value: unknown,
    ) => schema.safeParse(value).error?.issues.map(({ path }) => path.join('.'));
    const batch = allocations.parse(allocation());
    const [first] = batch.repaymentTransactions;
    for (let time = 0; time < 2; time++) {
      expect(paths(paymentReceiptWireSchema, receipt({ receivedDatetime: new Date(0) }))).toEqual([
        'receivedDatetime',
      ]);
      expect(
        paths(paymentReceiptWireSchema, { ...receipts.parse(receipt()), receivedStatus: 'REVERSED' }),
      ).toEqual(['reversalReason']);
      expect(
        paths(repaymentAllocationWireSchema, {
          ...batch,
          repaymentTransactions: [{ ...first, allocatedTotal: undefined }],
        }),
      ).toEqual(['repaymentTransactions.0.allocatedTotal']);
      expect(
        paths(repaymentAllocationWireSchema, {
          ...batch,
          repaymentTransactions: [{ ...first, allocatedTotal: 7 }],
        }),
      ).toEqual(['repaymentTransactions.0.allocatedTotal']);
    }
  });
});

describe('a message states the expected value', () => {
  const issues = (schema: typeof receipts | typeof allocations, value: unknown) =>
    schema.safeParse(value).error?.issues;

  test('a message about a reversal states its reason', () => {
    expect(issues(receipts, receipt({ receivedStatus: 'REVERSED' }))).toMatchObject([
      {
        path: ['reversalReason'],
        message: 'is required if receivedStatus is REVERSED, and must not be empty',
      },
    ]);
  });

  test('a message about an allocation states its transactions', () => {
    expect(issues(allocations, allocation({ repaymentTransactions: [] }))).toMatchObject([
      { path: ['repaymentTransactions'], message: 'must be an array of at least one transaction' },
    ]);
  });

  test('a message about a total in a sent body states the sum, without advice for users of the client', () => {
    const wrong = allocation({ repaymentTransactions: [transaction({ allocatedTotal: 7 })] });
    expect(repaymentAllocationWireSchema.safeParse(wrong).error?.issues).toMatchObject([
      {
        path: ['repaymentTransactions', 0, 'allocatedTotal'],
        message: 'must equal allocatedPrincipal + allocatedServiceFee + allocatedPenalty exactly',
      },
    ]);
  });

  test('a total together with an invalid field has no message: only the field has', () => {
    const wrong = { allocatedPrincipal: -1, allocatedTotal: 7 };
    expect(
      issues(allocations, allocation({ repaymentTransactions: [transaction(wrong)] }))?.map(({ path }) =>
        path.at(-1),
      ),
    ).toEqual(['allocatedPrincipal']);
    const text = { allocatedTotal: '7' };
    expect(
      issues(allocations, allocation({ repaymentTransactions: [transaction(text)] }))?.map(({ path }) =>
        path.at(-1),
      ),
    ).toEqual(['allocatedTotal']);
  });
});
