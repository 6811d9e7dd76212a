/**
 * Shapes of the two lender notifications (specification: Lender notification, Payment receipt notification fields,
 * Repayment allocation notification fields).
 */

/** Fields that every notification has. Where one is left out, the client fills it in from its options, or makes it. */
export interface LenderCommonFields {
  /** @default a new UUID */
  requestId?: string | undefined;
  /** The service's identifier of the application. @default the client's `serviceApplicationId` */
  serviceApplicationId?: string | undefined;
  /** @default the client's `lenderCode` */
  lenderCode?: string | undefined;
  /** A `Date`, or `yyyy-MM-ddTHH:mm:ss+0700`. @default now */
  requestingDatetime?: Date | string | undefined;
}

/**
 * A customer's payment that reached the lender, or was reversed. It records the receipt only;
 * what became of the amount is said by a {@link RepaymentAllocationNotification}.
 *
 * @example
 * ```ts
 * import type { PaymentReceiptNotification } from 'installment-payments/lender';
 *
 * const receipt: PaymentReceiptNotification = {
 *   contractNumber: 'CONTRACT-1',
 *   lenderTransactionCode: 'LTC-1',
 *   receivedAmount: 1_500_000,
 *   receivedDatetime: new Date(),
 *   receivedStatus: 'SUCCESS',
 * };
 * ```
 */
export interface PaymentReceiptNotification extends LenderCommonFields {
  /** The installment contract that was paid for. */
  contractNumber: string;
  /** Stable application or loan identifier of the lender; required once it is available. */
  lenderReferenceId?: string | undefined;
  /** Unique code of the lender: the idempotency key of this event. */
  lenderTransactionCode: string;
  /** Sequence ID of the lender's bank; links the receipt to its allocation. */
  bankTransactionSequenceId?: string | undefined;
  /** In VND; finite, not negative. */
  receivedAmount: number;
  /** When the payment reached the lender: a `Date`, or `yyyy-MM-ddTHH:mm:ss+0700`. */
  receivedDatetime: Date | string;
  /** Whether the payment arrived, or was taken back. */
  receivedStatus: 'SUCCESS' | 'REVERSED';
  /** Required when `receivedStatus` is `REVERSED`. */
  reversalReason?: string | null | undefined;
}

/** How one received amount was allocated to one installment. */
export interface RepaymentTransaction {
  /** The code of the receipt that the amount came from. */
  lenderTransactionCode: string;
  /** Sequence ID of the lender's bank, as on the receipt. */
  bankTransactionSequenceId?: string | undefined;
  /** When the amount was allocated: a `Date`, or `yyyy-MM-ddTHH:mm:ss+0700`. */
  allocationDatetime: Date | string;
  /** Installment ID of the lender. */
  installmentId?: string | undefined;
  /** Sequence number of the installment: a whole number that is not negative. */
  installmentNumber: number;
  /** In VND; counts as 0 when left out. */
  allocatedPrincipal?: number | undefined;
  /** User service fee in VND; counts as 0 when left out. */
  allocatedServiceFee?: number | undefined;
  /** Late payment fee in VND; counts as 0 when left out. */
  allocatedPenalty?: number | undefined;
  /** The sum of the three parts, exact as decimals. @default that sum */
  allocatedTotal?: number | undefined;
}

/**
 * How received amounts were allocated to the installments of a contract; one notification may carry several.
 *
 * @example
 * ```ts
 * import type { RepaymentAllocationNotification } from 'installment-payments/lender';
 *
 * const allocation: RepaymentAllocationNotification = {
 *   contractNumber: 'CONTRACT-1',
 *   repaymentType: 'NORMAL',
 *   repaymentTransactions: [
 *     {
 *       lenderTransactionCode: 'LTC-1',
 *       allocationDatetime: new Date(),
 *       installmentNumber: 1,
 *       allocatedPrincipal: 1_400_000,
 *       allocatedServiceFee: 100_000,
 *     },
 *   ],
 * };
 * ```
 */
export interface RepaymentAllocationNotification extends LenderCommonFields {
  /** The installment contract that the amounts were allocated to. */
  contractNumber: string;
  /** Stable application or loan identifier of the lender. */
  lenderReferenceId?: string | undefined;
  /** Why the installments were paid. */
  repaymentType?: 'NORMAL' | 'EARLY_SETTLEMENT' | 'PARTIAL' | undefined;
  /** At least one. */
  repaymentTransactions: readonly RepaymentTransaction[];
}

type Complete<T extends LenderCommonFields> = Omit<T, keyof LenderCommonFields> & {
  [Field in keyof LenderCommonFields]-?: Exclude<LenderCommonFields[Field], undefined>;
};

/** A receipt whose common fields are in place: what {@link paymentReceiptNotificationSchema} takes. */
export type CompletePaymentReceiptNotification = Complete<PaymentReceiptNotification>;

/** An allocation whose common fields are in place: what {@link repaymentAllocationNotificationSchema} takes. */
export type CompleteRepaymentAllocationNotification = Complete<RepaymentAllocationNotification>;

interface CommonWire {
  /** ID of this notification. */
  requestId: string;
  /** The service's identifier of the application. */
  serviceApplicationId: string;
  /** Code of the lender. */
  lenderCode: string;
  /** `yyyy-MM-ddTHH:mm:ss+0700`. */
  requestingDatetime: string;
}

/** A receipt as it goes over the wire. */
export interface PaymentReceiptWire
  extends CommonWire, Omit<PaymentReceiptNotification, keyof LenderCommonFields> {
  receivedDatetime: string;
}

/** One allocation as it goes over the wire. */
export interface RepaymentTransactionWire extends RepaymentTransaction {
  allocationDatetime: string;
  allocatedTotal: number;
}

/** An allocation notification as it goes over the wire. */
export interface RepaymentAllocationWire
  extends CommonWire, Omit<RepaymentAllocationNotification, keyof LenderCommonFields> {
  repaymentTransactions: RepaymentTransactionWire[];
}
