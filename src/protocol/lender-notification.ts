import * as z from 'zod';
import { add, compare, decimalOf, toExactNumber, type Decimal } from './decimal.js';
import type {
  CompletePaymentReceiptNotification,
  CompleteRepaymentAllocationNotification,
  PaymentReceiptWire,
  RepaymentAllocationWire,
  RepaymentTransaction,
} from './lender-types.js';
import { hasNumbers, money, wholeNumber } from './numbers.js';
import { identifier, missingOr, oneOf, record, shapedText, text, timestampFrom } from './text.js';
import { isLenderTimestamp, lenderTimestamp } from './timestamps.js';

const shape = 'yyyy-MM-ddTHH:mm:ss+0700';
const wireTimestamp = shapedText(isLenderTimestamp, `must be a real moment written as ${shape}`);
const inputTimestamp = timestampFrom(lenderTimestamp, isLenderTimestamp, shape);

const commonFields = {
  requestId: identifier,
  serviceApplicationId: identifier,
  lenderCode: identifier,
};

const receiptFields = {
  contractNumber: identifier,
  lenderReferenceId: text.optional(),
  lenderTransactionCode: identifier,
  bankTransactionSequenceId: text.optional(),
  receivedAmount: money,
  receivedStatus: oneOf(['SUCCESS', 'REVERSED']),
  reversalReason: text.nullish(),
};

function isExplained(receipt: {
  receivedStatus: string;
  reversalReason?: string | null | undefined;
}): boolean {
  return receipt.receivedStatus !== 'REVERSED' || Boolean(receipt.reversalReason);
}

/** A rule between fields is asked of a notification with other mistakes too. */
function isObject({ value }: { readonly value: unknown }): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

// Made anew for each use: zod writes into the object, and into its path, that it is given.
const needsReason = () => ({
  path: ['reversalReason'],
  message: 'is required when receivedStatus is REVERSED',
  when: isObject,
});

const transactionFields = {
  lenderTransactionCode: identifier,
  bankTransactionSequenceId: text.optional(),
  installmentId: text.optional(),
  installmentNumber: wholeNumber,
  allocatedPrincipal: money.optional(),
  allocatedServiceFee: money.optional(),
  allocatedPenalty: money.optional(),
};

type AllocatedParts = Pick<
  RepaymentTransaction,
  'allocatedPrincipal' | 'allocatedServiceFee' | 'allocatedPenalty'
>;

/** What the three parts come to, exactly; an absent part counts as 0. */
export function allocatedSum(parts: AllocatedParts): Decimal {
  return [parts.allocatedPrincipal, parts.allocatedServiceFee, parts.allocatedPenalty]
    .map((part) => decimalOf(part ?? 0))
    .reduce(add);
}

/** True for a total that is exact, or that is still to be filled in. */
function totalFits(transaction: AllocatedParts & { allocatedTotal?: number | undefined }): boolean {
  const { allocatedTotal } = transaction;
  return allocatedTotal === undefined || compare(decimalOf(allocatedTotal), allocatedSum(transaction)) === 0;
}

const moneyFields = ['allocatedPrincipal', 'allocatedServiceFee', 'allocatedPenalty', 'allocatedTotal'];

const wrongSum = (advice = '') => ({
  path: ['allocatedTotal'],
  message: `must equal allocatedPrincipal + allocatedServiceFee + allocatedPenalty exactly${advice}`,
  when: hasNumbers([], moneyFields),
});

const wireTransaction = z
  .strictObject({ ...transactionFields, allocationDatetime: wireTimestamp, allocatedTotal: money }, record)
  .refine(totalFits, wrongSum());

const inputTransaction = z
  .strictObject(
    { ...transactionFields, allocationDatetime: inputTimestamp, allocatedTotal: money.optional() },
    record,
  )
  .refine(totalFits, wrongSum('; leave it out to have it filled in'))
  .transform((transaction, context) => {
    const allocatedTotal = transaction.allocatedTotal ?? toExactNumber(allocatedSum(transaction));
    if (allocatedTotal === undefined) {
      const message = 'cannot be filled in: no number is exactly the sum';
      context.addIssue({ code: 'custom', path: ['allocatedTotal'], message, input: transaction });
      return z.NEVER;
    }
    return { ...transaction, allocatedTotal };
  });

const transactionsRule = 'must hold at least one transaction';

function transactionsOf<Transaction extends z.ZodType>(transaction: Transaction) {
  return z.array(transaction, missingOr('must be an array of transactions')).min(1, transactionsRule);
}

const allocationFields = {
  contractNumber: identifier,
  lenderReferenceId: text.optional(),
  repaymentType: oneOf(['NORMAL', 'EARLY_SETTLEMENT', 'PARTIAL']).optional(),
};

/** A receipt as it must stand on the wire. */
export const paymentReceiptWireSchema: z.ZodType<PaymentReceiptWire> = z
  .strictObject(
    { ...commonFields, requestingDatetime: wireTimestamp, ...receiptFields, receivedDatetime: wireTimestamp },
    record,
  )
  .refine(isExplained, needsReason());

/**
 * A payment receipt as a developer types it, turned into what goes over the wire: dates written out, the value sets
 * and the rule that a reversal has a reason checked.
 *
 * @example
 * ```ts
 * import { paymentReceiptNotificationSchema } from 'installment-payments/lender';
 *
 * const notification: unknown = { contractNumber: 'CONTRACT-1' };
 * paymentReceiptNotificationSchema.safeParse(notification).success; // false: the rest is missing
 * ```
 * @see specification, Payment receipt notification fields
 */
export const paymentReceiptNotificationSchema: z.ZodType<
  PaymentReceiptWire,
  CompletePaymentReceiptNotification
> = z
  .strictObject(
    {
      ...commonFields,
      requestingDatetime: inputTimestamp,
      ...receiptFields,
      receivedDatetime: inputTimestamp,
    },
    record,
  )
  .refine(isExplained, needsReason());

/** An allocation as it must stand on the wire. */
export const repaymentAllocationWireSchema: z.ZodType<RepaymentAllocationWire> = z.strictObject(
  {
    ...commonFields,
    requestingDatetime: wireTimestamp,
    ...allocationFields,
    repaymentTransactions: transactionsOf(wireTransaction),
  },
  record,
);

/**
 * A repayment allocation as a developer types it, turned into what goes over the wire: dates written out, sums
 * filled in and checked as exact decimals.
 *
 * @example
 * ```ts
 * import { repaymentAllocationNotificationSchema } from 'installment-payments/lender';
 *
 * const notification: unknown = { contractNumber: 'CONTRACT-1', repaymentTransactions: [] };
 * repaymentAllocationNotificationSchema.safeParse(notification).success; // false: there is no transaction
 * ```
 * @see specification, Repayment allocation notification fields
 */
export const repaymentAllocationNotificationSchema: z.ZodType<
  RepaymentAllocationWire,
  CompleteRepaymentAllocationNotification
> = z.strictObject(
  {
    ...commonFields,
    requestingDatetime: inputTimestamp,
    ...allocationFields,
    repaymentTransactions: transactionsOf(inputTransaction),
  },
  record,
);

/** Every field name of the two notifications but `serviceApplicationId`, which goes by another name on a real wire. */
export const lenderFieldNames: ReadonlySet<string> = new Set([
  'requestId',
  'lenderCode',
  'requestingDatetime',
  'receivedDatetime',
  'repaymentTransactions',
  ...Object.keys(receiptFields),
  ...Object.keys(allocationFields),
]);
