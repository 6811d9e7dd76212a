/** The form of a stored order that this version writes. It reads each earlier form, and writes no order of a later one. */
export const currentForm = 1;

/**
 * An order as it is stored: plain JSON. Each name of a time ends in `At`: milliseconds since 1970 by the clock of the
 * database. A later version of this package adds members, so every change copies those that it does not know.
 */
export interface Order {
  /** The form of the stored order; an order without it has the first form. */
  readonly form?: number;
  readonly orderId: string;
  /** The merchant, if the shop has several. */
  readonly account?: string;
  /** One after the other; the last one is the present one. */
  readonly payments: readonly Payment[];
  readonly invoices: readonly Invoice[];
  /** What the last request of the shop asks; absent in an order of an older version. */
  readonly askedNow?: AskedNow;
  readonly cancelledAt?: number;
  /** The reference of the payment that paid the order. */
  readonly paidBy?: string;
  readonly paidAt?: number;
  /** Present while `onPaid` is still to be called. */
  readonly pendingOnPaid?: PendingOnPaid | undefined;
  /** Present while the account of the order has no client. */
  readonly noClient?: NoClient | undefined;
  /** Since when a payment was asked for that could not begin, because the order has too many. */
  readonly tooManyAt?: number | undefined;
  /** How long after its end the order's requests and uploads are erased. */
  readonly eraseAfterMs?: number;
  /** The time of the last restore of the database that was applied to this order. */
  readonly restoredAt?: number;
  /** The last changes, the oldest first. */
  readonly history?: readonly Change[];
}

/** What a payment asks the customer to pay, and for which merchant. */
export interface Asked {
  readonly value: number;
  readonly currency: string;
  readonly merchantId: string;
}

/** What the order asks. */
export interface AskedNow extends Asked {
  /** Since when it asks this. */
  readonly sinceAt: number;
}

/** A change of a payment, an invoice or the order itself. */
export interface Change {
  readonly at: number;
  /** The payment, or the payment of the invoice. */
  readonly referenceId?: string;
  /** The number of the invoice. */
  readonly invoice?: number;
  readonly from: string;
  readonly to: string;
  /** What caused it: `'start'`, `'sweep'`, `'time'`, `'webhook: paid'`, `'conclude: absent'` and so on. */
  readonly cause: string;
  /** Who did it, if the caller said so. */
  readonly by?: string;
}

export const paymentStates = [
  'new',
  'sending',
  'unknown',
  'look_up',
  'open',
  'overdue',
  'refused',
  'absent',
  'over',
  'declined',
  'expired',
  'paid',
] as const;

export type PaymentState = (typeof paymentStates)[number];

/** The content of a payment, before it has a state. */
export interface NewPayment {
  readonly referenceId: string;
  /** The complete request and its additional fields, as JSON text: each send has this text and no other. */
  readonly request: string;
  readonly idempotencyKey: string;
  /** A digest of the request without its reference: tells whether two payments have the same content. */
  readonly contentHash: string;
  /** What the payment asks: webhooks are compared with it, and invoices go to its merchant and store. */
  readonly expected: Asked & { readonly storeId?: string };
  /** `transExpiredTime`: how long the customer may take. */
  readonly lifetimeMs?: number;
}

export interface Payment extends Omit<NewPayment, 'request'> {
  /** Absent once it was erased. */
  readonly request?: string | undefined;
  readonly state: PaymentState;
  /** The service may know the payment: an earlier call ended without a clear result, or the database was restored. */
  readonly mayExist: boolean;
  /** When the state began. */
  readonly stateAt: number;
  readonly addedAt: number;
  /** How often it was sent, or was about to be when a process ended. */
  readonly sends: number;
  /** The first send of which the service may know: `lifetimeMs` counts from it. */
  readonly firstSendAt?: number | undefined;
  /** The last claim. It stays when it is over: its holder may still report. */
  readonly claim?: PaymentClaim;
  /** By then each of its requests has arrived or is lost: what the service does not have then, it will not have. */
  readonly safeAt?: number;
  /** When `sweep` or a click sends it. */
  readonly nextAt: number;
  /** Since when it waits for staff because nothing was sent, and sending it again would not help. */
  readonly givenUpAt?: number | undefined;
  /** Since when it is known to exist. */
  readonly openedAt?: number;
  readonly paymentUrl?: string | undefined;
  readonly qrData?: string;
  readonly error?: CallError | undefined;
  /** The `commandId` of the command that ended it: if that command is decided again, it has the same result. */
  readonly endedToken?: string;
  /** The `commandId` of the command that accepted another amount for the order. */
  readonly acceptedToken?: string;
  /** The `commandId` of the conclusion that ended a mismatch and nothing else. */
  readonly mismatchEndedToken?: string;
  /** Since when it waits for staff because a webhook named another amount, currency or merchant. */
  readonly mismatchAt?: number | undefined;
  /** That webhook said that the payment is paid: there may be money. */
  readonly mismatchPaid?: true | undefined;
  /** The last status of a webhook that means nothing to this shop. */
  readonly unknownStatus?: string;
  /** Since when it waits for staff because it was accepted after it was refused or concluded to be absent. */
  readonly existsAfterAllAt?: number | undefined;
  /** Since when it waits for staff because no webhook came for a day. */
  readonly silentSince?: number | undefined;
  readonly refundedAt?: number;
}

/** A right to send, for one process and a limited time. */
export interface Claim {
  /** The `commandId` of the command that took it. */
  readonly token: string;
  /** Nothing is sent after it. */
  readonly endsAt: number;
}

export interface PaymentClaim extends Claim {
  /** The payment as the claim found it, for a call of which nothing was sent. */
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
  /** From 1, in the order of `addInvoice`. */
  readonly number: number;
  /** The upload as JSON text, its file by name; absent once it was erased. */
  readonly upload?: string | undefined;
  /** A digest of the upload: the same one is added once. */
  readonly contentHash: string;
  readonly state: InvoiceState;
  readonly stateAt: number;
  readonly sends: number;
  readonly nextAt: number;
  readonly claim?: Claim;
  /** The same as of a payment. */
  readonly safeAt?: number;
  /** The service's ID of a stored invoice. */
  readonly invoiceId?: string;
  readonly error?: CallError | undefined;
}

/** The calls of `onPaid` for an order that is paid. */
export interface PendingOnPaid {
  readonly tries: number;
  readonly nextAt: number;
  /** When the order waits for your staff too, because `onPaid` has not succeeded: an hour after it was paid, by default. */
  readonly reviewAt?: number;
  readonly isInReview?: true;
  readonly claim?: Claim;
}

/** The account of an order has no client. */
export interface NoClient {
  readonly sinceAt: number;
  readonly nextAt: number;
  readonly isInReview?: true;
}

/** The error of a payment's or invoice's last call, as the order's page or your staff need it. */
export interface CallError {
  /** The `code` of the client's error, or one of orders. */
  readonly code: string;
  /** What to do, in a sentence or two. */
  readonly action: string;
}
