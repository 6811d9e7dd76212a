/**
 * An order as it is stored: plain JSON. Each name of a time ends in `At`: milliseconds since 1970 by the clock of the
 * database. A later version of this package adds members, so every change copies those that it does not know.
 */
export interface Order {
  readonly orderId: string;
  /** The merchant, where one shop has several. */
  readonly account?: string;
  /** One after the other; the last one is the present one. */
  readonly payments: readonly Payment[];
  readonly invoices: readonly Invoice[];
  readonly cancelledAt?: number;
  /** The reference of the payment that paid the order. */
  readonly paidBy?: string;
  readonly paidAt?: number;
  /** Present while `onPaid` is still to be called. */
  readonly telling?: Telling | undefined;
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
  /** A digest of the request without its reference: tells whether two payments ask for the same. */
  readonly content: string;
  /** What the customer was asked to pay: webhooks are compared with it. */
  readonly asked: { readonly value: number; readonly currency: string; readonly merchantId: string };
  /** `transExpiredTime`: how long the customer may take. */
  readonly lifetimeMs?: number;
  /** The database was restored: the service may know a payment that the database has forgotten. */
  readonly mayExist: boolean;
}

export interface Payment extends Omit<NewPayment, 'request'> {
  /** Absent once it was erased. */
  readonly request?: string | undefined;
  readonly state: PaymentState;
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
  /** Nothing was sent, and sending it again would not help: a person looks at it. */
  readonly givenUpAt?: number | undefined;
  /** Since when it is known to exist. */
  readonly openedAt?: number;
  readonly paymentUrl?: string | undefined;
  readonly qrData?: string;
  readonly error?: CallError | undefined;
  /** The `commandId` of the command that ended it: where that command is decided again, it has the same result. */
  readonly endedToken?: string;
  /** Since when it waits for a person because a webhook named another amount, currency or merchant. */
  readonly mismatchAt?: number | undefined;
  /** Since when it waits for a person because it was accepted after it was refused or concluded to be absent. */
  readonly existsAfterAllAt?: number | undefined;
  /** Since when it waits for a person because no webhook came for a day. */
  readonly noWordAt?: number | undefined;
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

export interface Invoice {
  /** From 1, in the order of `addInvoice`. */
  readonly number: number;
  /** The upload as JSON text, its file by name; absent once it was erased. */
  readonly upload?: string | undefined;
  /** A digest of the upload: the same one is added once. */
  readonly content: string;
  readonly state: 'new' | 'sending' | 'stored' | 'look_up' | 'refused' | 'dropped';
  readonly stateAt: number;
  readonly sends: number;
  readonly nextAt: number;
  readonly claim?: Claim;
  /** As of a payment. */
  readonly safeAt?: number;
  readonly error?: CallError;
}

/** The calls of `onPaid` for an order that is paid. */
export interface Telling {
  readonly tries: number;
  readonly nextAt: number;
  readonly claim?: Claim;
}

/** The error of a payment's or invoice's last call, as the order's page or a person needs it. */
export interface CallError {
  /** The `code` of the client's error, or one of orders. */
  readonly code: string;
  /** What to do, in a sentence or two. */
  readonly action: string;
}
