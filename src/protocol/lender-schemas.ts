import * as z from 'zod';
import { add, compare, decimalOf, toExactNumber, type Decimal } from '../values/decimal.js';
import type {
  CompletePaymentReceiptNotification,
  CompleteRepaymentAllocationNotification,
  PaymentReceiptWire,
  RepaymentAllocationWire,
  RepaymentTransaction,
} from './lender-types.js';
import {
  fromCaller,
  hasNumbers,
  money,
  wholeNumber,
  identifier,
  inputTimestamp,
  missingOr,
  object,
  oneOf,
  text,
  wireTimestamp,
} from './field-rules.js';
import { isRecord } from '../values/untrusted-values.js';
import { lenderForm } from './timestamps.js';

const onWire = wireTimestamp(lenderForm);
const asInput = inputTimestamp(lenderForm);

const commonFields = <Timestamp>(timestamp: Timestamp) => ({
  requestId: identifier,
  serviceApplicationId: identifier,
  lenderCode: identifier,
  requestingDatetime: timestamp,
});

const receiptFields = <Timestamp>(timestamp: Timestamp) => ({
  ...commonFields(timestamp),
  contractNumber: identifier,
  lenderReferenceId: text.optional(),
  lenderTransactionCode: identifier,
  bankTransactionSequenceId: text.optional(),
  receivedAmount: money,
  receivedDatetime: timestamp,
  receivedStatus: oneOf(['SUCCESS', 'REVERSED']),
  reversalReason: text.nullish(),
});

type ReceiptState = Readonly<{ receivedStatus: string; reversalReason?: string | null | undefined }>;

function isExplained({ receivedStatus, reversalReason }: ReceiptState): boolean {
  return receivedStatus !== 'REVERSED' || Boolean(reversalReason);
}

// A new object for each use, because zod writes into the object and its path.
const needsReason = () => ({
  path: ['reversalReason'],
  message: 'is required when receivedStatus is REVERSED and must not be empty',
  when: ({ value }: { readonly value: unknown }) => isRecord(value),
});

const moneyParts = ['allocatedPrincipal', 'allocatedServiceFee', 'allocatedPenalty'] as const;

const transactionFields = <Timestamp>(timestamp: Timestamp) => ({
  lenderTransactionCode: identifier,
  bankTransactionSequenceId: text.optional(),
  allocationDatetime: timestamp,
  installmentId: text.optional(),
  installmentNumber: wholeNumber,
  allocatedPrincipal: money.optional(),
  allocatedServiceFee: money.optional(),
  allocatedPenalty: money.optional(),
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

const wrongSum = (advice = '') => ({
  path: ['allocatedTotal'],
  message: `must equal ${moneyParts.join(' + ')} exactly${advice}`,
  when: hasNumbers([], [...moneyParts, 'allocatedTotal']),
});

const wireTransaction = z.strictObject(transactionFields(onWire), object()).refine(totalFits, wrongSum());

const inputTransaction = fromCaller(
  z
    .strictObject({ ...transactionFields(asInput), allocatedTotal: money.optional() }, object())
    .refine(totalFits, wrongSum('; leave it out to have it derived')),
).transform((transaction, context) => {
  const allocatedTotal = transaction.allocatedTotal ?? toExactNumber(allocatedSum(transaction));
  if (allocatedTotal === undefined) {
    const message = `cannot be derived: ${moneyParts.join(' + ')} has more digits than a number can hold`;
    context.addIssue({ code: 'custom', path: ['allocatedTotal'], message });
    return z.NEVER;
  }
  return { ...transaction, allocatedTotal };
});

const transactionsRule = 'must be an array of at least one transaction';

const allocationFields = <Timestamp, Transaction extends z.ZodType>(
  timestamp: Timestamp,
  transaction: Transaction,
) => ({
  ...commonFields(timestamp),
  contractNumber: identifier,
  lenderReferenceId: text.optional(),
  repaymentType: oneOf(['NORMAL', 'EARLY_SETTLEMENT', 'PARTIAL']).optional(),
  repaymentTransactions: z.array(transaction, missingOr(transactionsRule)).min(1, transactionsRule),
});

/** The body of a receipt on the wire. */
export const paymentReceiptWireSchema: z.ZodType<PaymentReceiptWire> = z
  .strictObject(receiptFields(onWire), object())
  .refine(isExplained, needsReason());

/**
 * Checks a payment receipt and turns it into the body that is sent: writes dates, checks the value sets and that a
 * reversal has a reason.
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
export const paymentReceiptNotificationSchema: z.ZodType<
  PaymentReceiptWire,
  CompletePaymentReceiptNotification
> = fromCaller(z.strictObject(receiptFields(asInput), object()).refine(isExplained, needsReason()));

/** The body of an allocation on the wire. */
export const repaymentAllocationWireSchema: z.ZodType<RepaymentAllocationWire> = z.strictObject(
  allocationFields(onWire, wireTransaction),
  object(),
);

/**
 * Checks a repayment allocation and turns it into the body that is sent: writes dates, derives missing totals and
 * compares sums as exact decimals.
 * @see specification, Repayment allocation notification fields
 */
export const repaymentAllocationNotificationSchema: z.ZodType<
  RepaymentAllocationWire,
  CompleteRepaymentAllocationNotification
> = fromCaller(z.strictObject(allocationFields(asInput, inputTransaction), object()));

const { serviceApplicationId: _masked, ...unmaskedFields } = {
  ...receiptFields(onWire),
  ...allocationFields(onWire, wireTransaction),
};

/** Every field of the two notifications except `serviceApplicationId`, whose real name is masked. */
export const lenderFieldNames: ReadonlySet<string> = new Set(Object.keys(unmaskedFields));
