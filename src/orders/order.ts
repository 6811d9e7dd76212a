/**
 * The format of stored orders that this version of the package writes. This version also reads earlier formats. It
 * neither reads nor changes orders of a later format.
 */
export const currentFormat = 1;

/**
 * An order as it is stored: plain JSON. Names that end in `At` are times: milliseconds since 1970 by the clock of the
 * database. A later version of this package can add members, so every change copies unknown members.
 */
export interface Order {
  /** The format of the stored order. An order without this member has the first format. */
  readonly form?: number;
  readonly orderId: string;
  /** The account of the merchant, if the shop has several merchants. */
  readonly account?: string;
  /** The payments, the oldest payment first. The last payment is the current payment. */
  readonly payments: readonly Payment[];
  readonly invoices: readonly Invoice[];
  /** The amount due of the order; absent if an older version stored the order. */
  readonly askedNow?: AmountDue;
  readonly cancelledAt?: number;
  /** The `referenceId` of the payment that paid the order. */
  readonly paidBy?: string;
  readonly paidAt?: number;
  /** Present while `onPaid` has not succeeded. */
  readonly pendingOnPaid?: PendingOnPaid | undefined;
  /** Present while the account of the order has no client. */
  readonly noClient?: NoClient | undefined;
  /** The time since which no payment can begin, because the order has too many payments. */
  readonly tooManyAt?: number | undefined;
  /**
   * The milliseconds after which the requests and uploads of the order are erased, counted from when the order was paid
   * or cancelled, or from when its last payment ended.
   */
  readonly eraseAfterMs?: number;
  /** The `at` of the last `Restore` that was applied to this order. */
  readonly restoredAt?: number;
  /** The last changes, the oldest change first. */
  readonly history?: readonly HistoryChange[];
}

/** The amount, currency and merchant of a payment, or the amount, currency and merchant that are due for an order. */
export interface AmountAndMerchant {
  readonly value: number;
  readonly currency: string;
  readonly merchantId: string;
}

/** The amount, currency and merchant that are due for an order, from the shop's last request. */
export interface AmountDue extends AmountAndMerchant {
  /** The time since which this amount is due. */
  readonly sinceAt: number;
}

/** A change of a payment, an invoice or the order itself. */
export interface HistoryChange {
  readonly at: number;
  /** The `referenceId` of the payment that changed. */
  readonly referenceId?: string;
  /** The number of the invoice. */
  readonly invoice?: number;
  readonly from: string;
  readonly to: string;
  /** The cause: `'start'`, `'sweep'`, `'time'`, `'webhook: paid'`, `'conclude: absent'` and so on. */
  readonly cause: string;
  /** The member of your staff who made the change, if `by` was passed. */
  readonly by?: string;
}

/**
 * The states of a payment that has ended. One exception: a payment in the state `refused` or `absent` has not ended if
 * the service accepted it after all.
 */
export const endedStates = ['overdue', 'refused', 'absent', 'over', 'declined', 'expired', 'paid'] as const;

export const paymentStates = ['new', 'sending', 'unknown', 'look_up', 'open', ...endedStates] as const;

export type PaymentState = (typeof paymentStates)[number];

/** The content of a payment, without a state. */
export interface NewPayment {
  readonly referenceId: string;
  /** The complete request and its additional fields, as JSON text. Every send uses this text. */
  readonly request: string;
  readonly idempotencyKey: string;
  /**
   * A digest of the request without the number in its `referenceId`, so that payments with the same content have the
   * same digest.
   */
  readonly contentHash: string;
  /**
   * The amount, currency, merchant and store of the payment. Webhooks are compared with the amount, the currency and
   * the merchant. Invoices are uploaded with the merchant and the store.
   */
  readonly expected: AmountAndMerchant & { readonly storeId?: string };
  /** The customer's time to pay (`transExpiredTime`), in milliseconds. */
  readonly lifetimeMs?: number;
}

export interface Payment extends Omit<NewPayment, 'request'> {
  /** The stored request; absent after it was erased. */
  readonly request?: string | undefined;
  readonly state: PaymentState;
  /** True if the service might have the payment: a call had no clear result, or the database was restored. */
  readonly mayExist: boolean;
  /** The time at which the state began. */
  readonly stateAt: number;
  readonly addedAt: number;
  /** The number of sends, including a send that a process did not finish. */
  readonly sends: number;
  /** The time of the first send that can have reached the service. Repeats end `lifetimeMs` after that time. */
  readonly firstSendAt?: number | undefined;
  /** The last claim. It is kept after its end, because the process that made the claim can report a result later. */
  readonly claim?: PaymentClaim;
  /**
   * The time from which no request for the payment can arrive any more. If the service does not have the payment by
   * then, the payment will never exist.
   */
  readonly safeAt?: number;
  /** The earliest time of the next send. The first send at a checkout does not wait for this time. */
  readonly nextAt: number;
  /**
   * The time since which the payment waits for your staff, because it is not sent automatically any more: the service
   * did not create it, and the same call would fail again or was made `mostSends` times.
   */
  readonly givenUpAt?: number | undefined;
  /** The time since which the service is known to have the payment. */
  readonly openedAt?: number;
  readonly paymentUrl?: string | undefined;
  readonly qrData?: string;
  readonly error?: CallError | undefined;
  /**
   * The `commandId` of the webhook, or of the conclusion `'paid'`, that ended the payment. If that command is decided
   * again, it has the same result. The conclusions `'absent'` and `'over'` do not store their `commandId` here. If such
   * a conclusion only closes a mismatch, its `commandId` is in `mismatchEndedToken`.
   */
  readonly endedToken?: string;
  /** The `commandId` of the conclusion `'accept'`, which accepted this payment although it has another amount. */
  readonly acceptedToken?: string;
  /** The `commandId` of the conclusion that closed a mismatch without a change of state. */
  readonly mismatchEndedToken?: string;
  /**
   * The time since which the payment waits for your staff because of a mismatch: a webhook named another amount,
   * currency or merchant.
   */
  readonly mismatchAt?: number | undefined;
  /** Present if a webhook with a mismatch said that the payment is paid: the customer might have paid. */
  readonly mismatchPaid?: true | undefined;
  /** The status value of the last webhook, if `statusAliases` does not name it. */
  readonly unknownStatus?: string | undefined;
  /**
   * The time since which the payment waits for your staff, because the service accepted the payment after the payment
   * had been recorded as refused or absent.
   */
  readonly existsAfterAllAt?: number | undefined;
  /** The time since which the payment waits for your staff, because no webhook has ended it within a day. */
  readonly silentSince?: number | undefined;
  readonly refundedAt?: number;
}

/** The right of one process to do a task (send, upload or call `onPaid`) for a limited time. */
export interface Claim {
  /** The `commandId` of the command that made the claim. */
  readonly token: string;
  /** The time after which the process sends nothing more. */
  readonly endsAt: number;
}

export interface PaymentClaim extends Claim {
  /**
   * The values of the payment before the claim. If the result of the call is `not_made`, the payment gets these values
   * back.
   */
  readonly before: Pick<Payment, 'state' | 'stateAt' | 'sends' | 'firstSendAt' | 'givenUpAt'>;
}

export const invoiceStates = [
  'new',
  'sending',
  'stored',
  'look_up',
  'refused',
  'not_loaded',
  'dropped',
] as const;

export type InvoiceState = (typeof invoiceStates)[number];

export interface Invoice {
  /** The number of the invoice, from 1, in the order of `addInvoice`. */
  readonly number: number;
  /** The upload as JSON text, with the name for `loadFile`; absent after it was erased. */
  readonly upload?: string | undefined;
  /**
   * A digest of the `invoiceNumber` or, without a number, of the whole upload, so that the same invoice is added only
   * once.
   */
  readonly contentHash: string;
  readonly state: InvoiceState;
  readonly stateAt: number;
  readonly sends: number;
  readonly nextAt: number;
  readonly claim?: Claim;
  /** The same as `safeAt` of a payment. */
  readonly safeAt?: number;
  /** The service's ID of a stored invoice. */
  readonly invoiceId?: string;
  readonly error?: CallError | undefined;
}

/** The state of the calls of `onPaid` for a paid order, until a call succeeds. */
export interface PendingOnPaid {
  readonly tries: number;
  readonly nextAt: number;
  readonly isInReview?: true;
  readonly claim?: Claim;
}

/** The state of an order whose account has no client. */
export interface NoClient {
  readonly sinceAt: number;
  /** The time of the next lookup of a client. */
  readonly nextAt: number;
  readonly isInReview?: true;
}

/** The error of the last call of a payment or an invoice, for the order's page and your staff. */
export interface CallError {
  /** The `code` of the client's error, or a code of the order module. */
  readonly code: string;
  /** The next step, in one or two sentences. */
  readonly action: string;
}
