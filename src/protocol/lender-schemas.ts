import * as z from 'zod/mini';
import { add, compare, decimalOf, toExactNumber, type Decimal } from '../values/decimal.js';
import type {
  CheckedPaymentReceipt,
  CheckedRepaymentAllocation,
  PaymentReceiptNotification,
  PaymentReceiptWire,
  RepaymentAllocationNotification,
  RepaymentAllocationWire,
  RepaymentTransaction,
} from './lender-types.js';
import {
  transformed,
  ruleError,
  identifier,
  objectError,
  whenValid,
  oneOf,
  optional,
  text,
  wholeNumber,
  wrongOptional,
} from '../validation/rules.js';
import { inputTimestamp, money, wireTimestamp } from './field-rules.js';
import { isRecord } from '../values/untrusted-values.js';
import { lenderForm } from './timestamps.js';

const wireTime = wireTimestamp(lenderForm);
const inputTime = inputTimestamp(lenderForm);

const wireCommon = {
  requestId: identifier,
  serviceApplicationId: identifier,
  lenderCode: identifier,
  requestingDatetime: wireTime,
};

/** The client adds the common fields that are left out. */
const inputCommon = {
  requestId: optional(identifier),
  serviceApplicationId: optional(identifier),
  lenderCode: optional(identifier),
  requestingDatetime: z.optional(inputTimestamp(lenderForm, wrongOptional)),
};

const receiptFields = <Timestamp>(timestamp: Timestamp) => ({
  contractNumber: identifier,
  lenderReferenceId: optional(text),
  lenderTransactionCode: identifier,
  bankTransactionSequenceId: optional(text),
  receivedAmount: money,
  receivedDatetime: timestamp,
  receivedStatus: oneOf(['SUCCESS', 'REVERSED']),
  reversalReason: z.nullish(text),
});

type ReceiptState = Readonly<{ receivedStatus: string; reversalReason?: string | null | undefined }>;

const hasReversalReason = ({ receivedStatus, reversalReason }: ReceiptState) =>
  receivedStatus !== 'REVERSED' || Boolean(reversalReason);

const reversalReasonRule = z.refine<ReceiptState>(hasReversalReason, {
  path: ['reversalReason'],
  message: 'is required if receivedStatus is REVERSED, and must not be empty',
  when: ({ value }) => isRecord(value),
});

const moneyParts = ['allocatedPrincipal', 'allocatedServiceFee', 'allocatedPenalty'] as const;

const transactionFields = <Timestamp>(timestamp: Timestamp) => ({
  lenderTransactionCode: identifier,
  bankTransactionSequenceId: optional(text),
  allocationDatetime: timestamp,
  installmentId: optional(text),
  installmentNumber: wholeNumber,
  allocatedPrincipal: optional(money),
  allocatedServiceFee: optional(money),
  allocatedPenalty: optional(money),
  allocatedTotal: money,
});

type AllocatedParts = Pick<RepaymentTransaction, (typeof moneyParts)[number]>;

function allocatedSum(parts: AllocatedParts): Decimal {
  return moneyParts.map((name) => decimalOf(parts[name] ?? 0)).reduce(add);
}

function totalFits(transaction: AllocatedParts & { allocatedTotal?: number | undefined }): boolean {
  const { allocatedTotal } = transaction;
  return allocatedTotal === undefined || compare(decimalOf(allocatedTotal), allocatedSum(transaction)) === 0;
}

const exactSum = (advice = '') =>
  z.refine<Parameters<typeof totalFits>[0]>(totalFits, {
    path: ['allocatedTotal'],
    message: `must equal ${moneyParts.join(' + ')} exactly${advice}`,
    when: whenValid(...moneyParts, 'allocatedTotal'),
  });

const wireTransaction = z.strictObject(transactionFields(wireTime), objectError()).check(exactSum());

const inputTransaction = transformed(
  z
    .strictObject({ ...transactionFields(inputTime), allocatedTotal: optional(money) }, objectError())
    .check(exactSum('; leave the field out, and it is computed')),
  (transaction, refuse) => {
    const allocatedTotal = transaction.allocatedTotal ?? toExactNumber(allocatedSum(transaction));
    const problem = `cannot be computed: ${moneyParts.join(' + ')} has more digits than a number can represent`;
    return allocatedTotal === undefined
      ? refuse(problem, { path: ['allocatedTotal'] })
      : { ...transaction, allocatedTotal };
  },
);

const transactionsRule = 'must be an array of at least one transaction';

const allocationFields = <Transaction extends z.ZodMiniType>(transaction: Transaction) => ({
  contractNumber: identifier,
  lenderReferenceId: optional(text),
  repaymentType: optional(oneOf(['NORMAL', 'EARLY_SETTLEMENT', 'PARTIAL'])),
  repaymentTransactions: z
    .array(transaction, ruleError(transactionsRule))
    .check(z.minLength(1, transactionsRule)),
});

/** The body of a receipt on the wire. */
export const paymentReceiptWireSchema: z.ZodMiniType<PaymentReceiptWire> = z
  .strictObject({ ...wireCommon, ...receiptFields(wireTime) }, objectError())
  .check(reversalReasonRule);

/**
 * Checks a payment receipt as the client does: converts dates, checks the value sets and that a reversal has a reason.
 * The common fields can be missing.
 *
 * @example
 * ```ts
 * import { paymentReceiptNotificationSchema } from 'installment-payments/lender';
 *
 * const notification: unknown = { contractNumber: 'CONTRACT-1' };
 * paymentReceiptNotificationSchema.safeParse(notification).success; // false: required fields are missing
 * ```
 * @see specification, Payment receipt notification fields
 */
export const paymentReceiptNotificationSchema: z.ZodMiniType<
  CheckedPaymentReceipt,
  PaymentReceiptNotification
> = z.strictObject({ ...inputCommon, ...receiptFields(inputTime) }, objectError()).check(reversalReasonRule);

/** The body of an allocation on the wire. */
export const repaymentAllocationWireSchema: z.ZodMiniType<RepaymentAllocationWire> = z.strictObject(
  { ...wireCommon, ...allocationFields(wireTransaction) },
  objectError(),
);

/**
 * Checks a repayment allocation as the client does: converts dates, derives missing totals and compares sums as exact
 * decimals. The common fields can be missing.
 * @see specification, Repayment allocation notification fields
 */
export const repaymentAllocationNotificationSchema: z.ZodMiniType<
  CheckedRepaymentAllocation,
  RepaymentAllocationNotification
> = z.strictObject({ ...inputCommon, ...allocationFields(inputTransaction) }, objectError());
