import type { PaymentRequest } from '../protocol/payment-types.js';
import type { CallError } from './order.js';
import type { Query } from './sql-storage.js';

/** An order as its page shows it. */
export interface OrderView {
  /** The shop's own. */
  readonly orderId: string;
  /**
   * - `'none'`: no payment has begun.
   * - `'new'`: a payment is stored, or could not be sent for now. It will be, unless `forReview` has it as `not_sent`.
   * - `'checking'`: a payment may exist. Show "we are checking", and offer no other way to pay.
   * - `'started'`: `paymentUrl` can be paid.
   * - `'refused'`: the service refused. `error` says why.
   * - `'over'`: declined, expired, or its time is over. `start` begins the next payment.
   * - `'paid'`, `'cancelled'`: the order has ended.
   */
  readonly state: 'none' | 'new' | 'checking' | 'started' | 'refused' | 'over' | 'paid' | 'cancelled';
  /** Of the last payment; of a paid order, the one that paid it. */
  readonly referenceId?: string;
  /** Where the customer pays, with `'started'`. */
  readonly paymentUrl?: string;
  /** The content of a QR code, where the service gave one. */
  readonly qrData?: string;
  /** Why it was refused, or is not sent yet. */
  readonly error?: CallError;
  /** The live payment asks for another request than this call. */
  readonly differs?: true;
}

/** What became of a notification. */
export interface EventResult extends OrderView {
  /** It changed something. */
  readonly changed: boolean;
  /** The order is paid since this notification: ship in the same transaction. True in at most one committed transaction. */
  readonly firstPaid: boolean;
  /** It names something else than was asked for, and changed nothing: a person compares it. */
  readonly mismatch?: readonly ('amount' | 'currency' | 'merchantId')[];
}

/** Something that waits for a person. */
export interface ReviewItem {
  /** The shop's own. */
  readonly orderId: string;
  /** Why it waits. */
  readonly reason:
    | 'refund'
    | 'mismatch'
    | 'exists_after_all'
    | 'look_up'
    | 'overdue'
    | 'no_word'
    | 'not_sent'
    | 'unreadable'
    | 'invoice_look_up'
    | 'invoice_refused';
  /** What to do, in a sentence or two. */
  readonly action: string;
  /** Of the payment; of an invoice, the payment that paid the order. */
  readonly referenceId?: string;
  /** Of an invoice. */
  readonly number?: number;
  /** Since when it waits. */
  readonly since: Date;
  /** How the last call ended, where it failed. */
  readonly error?: CallError;
}

/** Whether a conclusion was stored. */
export interface Conclusion {
  /** It was stored. */
  readonly done: boolean;
  /** From when it is safe, where it was too early. Call lookUp first. */
  readonly safeFrom?: Date;
  /** After `'paid'`, as in {@link EventResult}. */
  readonly firstPaid?: boolean;
}

/** Options of {@link OrderPayments.start}. */
export interface StartOptions {
  /** The merchant, where `client` is a function. It is stored with the first payment. */
  readonly account?: string | undefined;
  /** As for `initiatePayment`; stored with the request. */
  readonly additionalFields?: Readonly<Record<string, unknown>> | undefined;
}

/** A transaction of the caller: the row is locked in it, and nothing is sent. */
export interface InTransaction {
  /** Runs a statement in the transaction. */
  readonly query?: Query | undefined;
}

/** The notification of a payment, in the shape that a line in `onEvent` makes of yours. */
export interface OrderEvent {
  /** Of a payment of an order, as it was sent to the service. */
  readonly referenceId: string;
  /** `paid`, `declined` or `expired`, or your `words`. Any other changes nothing. */
  readonly status: string;
  /** Compared with what was asked; `value` in đồng, as a number. */
  readonly amount: { readonly value: number; readonly currency: string };
  /** Compared where it is given. */
  readonly merchantId?: string | undefined;
}

/** The request of an order: a `PaymentRequest` without its `referenceId`, which each payment has of its own. */
export type OrderRequest = Omit<PaymentRequest, 'referenceId'>;
