import type { Filled } from './payment-types.js';

/**
 * Shapes of the two lender notifications (specification: Lender notification, Payment receipt notification fields,
 * Repayment allocation notification fields).
 */

/**
 * The fields of both notifications. The client adds fields that are left out. The specification gives only the names of
 * the fields, so their meaning and values are assumed.
 */
export interface LenderCommonFields {
  /** ID of this notification. @default a new UUID */
  requestId?: string | undefined;
  /**
   * Application identifier of the service. The real name of this field can differ.
   * @default the client's `serviceApplicationId`
   */
  serviceApplicationId?: string | undefined;
  /** Code of the lender. @default the client's `lenderCode` */
  lenderCode?: string | undefined;
  /** Time of this notification, sent as `yyyy-MM-ddTHH:mm:ss+0700`, as in the specification's samples. @default now */
  requestingDatetime?: Date | string | undefined;
}

/**
 * Reports that a customer's payment reached the lender, or that it was reversed. A {@link
 * RepaymentAllocationNotification} reports how the amount was allocated.
 */
export interface PaymentReceiptNotification extends LenderCommonFields {
  /** Contract number. */
  contractNumber: string;
  /** Stable application or loan identifier of the lender; required if it is available. */
  lenderReferenceId?: string | undefined;
  /** Unique code of the lender: the idempotency key of this event. */
  lenderTransactionCode: string;
  /** Sequence ID of the lender's bank; links the receipt to its allocation. */
  bankTransactionSequenceId?: string | undefined;
  /** Amount received in VND: 0 or greater (assumed). */
  receivedAmount: number;
  /** Time when the payment reached the lender, sent as `yyyy-MM-ddTHH:mm:ss+0700`. */
  receivedDatetime: Date | string;
  /** Whether the payment was received or reversed. */
  receivedStatus: 'SUCCESS' | 'REVERSED';
  /** Reason for a reversal; required if `receivedStatus` is `REVERSED`. */
  reversalReason?: string | null | undefined;
}

/** How one received amount was allocated to one installment. */
export interface RepaymentTransaction {
  /** Transaction code of the payment receipt that the amount came from. */
  lenderTransactionCode: string;
  /** Sequence ID of the lender's bank, as in the payment receipt. */
  bankTransactionSequenceId?: string | undefined;
  /** Time when the amount was allocated, sent as `yyyy-MM-ddTHH:mm:ss+0700`. */
  allocationDatetime: Date | string;
  /** Installment ID of the lender. */
  installmentId?: string | undefined;
  /** Sequence number of the installment: an integer, 0 or greater (assumed). */
  installmentNumber: number;
  /** Allocated principal in VND; counts as 0 if it is left out (assumed). */
  allocatedPrincipal?: number | undefined;
  /** Allocated user service fee in VND; counts as 0 if it is left out (assumed). */
  allocatedServiceFee?: number | undefined;
  /** Allocated late payment fee in VND; counts as 0 if it is left out (assumed). */
  allocatedPenalty?: number | undefined;
  /** The sum of the three allocated amounts, exact as decimals. @default that sum */
  allocatedTotal?: number | undefined;
}

/**
 * The allocation of received amounts to the installments of a contract. A notification can contain several allocations.
 */
export interface RepaymentAllocationNotification extends LenderCommonFields {
  /** Contract number. */
  contractNumber: string;
  /** Stable application or loan identifier of the lender. */
  lenderReferenceId?: string | undefined;
  /** Type of the repayment. */
  repaymentType?: 'NORMAL' | 'EARLY_SETTLEMENT' | 'PARTIAL' | undefined;
  /** The allocations: at least one (assumed). */
  repaymentTransactions: readonly RepaymentTransaction[];
}

/** The fields as they are sent: timestamps are strings. */
type Written<T> = { [Field in keyof T]: Exclude<T[Field], Date> };

/** An allocation as it is sent. */
export type RepaymentTransactionWire = Filled<Written<RepaymentTransaction>, 'allocatedTotal'>;

/**
 * A checked receipt, as {@link paymentReceiptNotificationSchema} returns it. Common fields can be missing: the client
 * adds them before the check.
 */
export type CheckedPaymentReceipt = Written<PaymentReceiptNotification>;

/** A checked allocation notification, as {@link repaymentAllocationNotificationSchema} returns it. */
export type CheckedRepaymentAllocation = Written<
  Omit<RepaymentAllocationNotification, 'repaymentTransactions'>
> & {
  /** The allocations: at least one (assumed). */
  repaymentTransactions: RepaymentTransactionWire[];
};

/** A receipt as it is sent. */
export type PaymentReceiptWire = Filled<CheckedPaymentReceipt, keyof LenderCommonFields>;

/** An allocation notification as it is sent. */
export type RepaymentAllocationWire = Filled<CheckedRepaymentAllocation, keyof LenderCommonFields>;
