import type { PaymentRequest } from '../protocol/payment-types.js';
import type { CallError } from './order.js';
import type { Query } from './sql-storage.js';

/** An amount of money. */
export interface OrderAmount {
  /** In đồng. */
  readonly value: number;
  /** VND. */
  readonly currency: string;
}

/** An invoice of an order. */
export interface OrderInvoiceView {
  /** From 1, in the order of `addInvoice`. */
  readonly number: number;
  /** `'waiting'` is uploaded once the order is paid; `'in_review'` is in `forReview()`. */
  readonly state: 'waiting' | 'stored' | 'in_review';
  /** The service's ID of a stored invoice, if the response named it. */
  readonly invoiceId?: string;
}

/** What each view of an order has. */
interface OrderViewBase {
  /** The shop's own ID. */
  readonly orderId: string;
  /** The `referenceId` of the latest payment, or, once the order is paid, of the payment that paid it. */
  readonly referenceId?: string;
  /** What the order asks now: the amount of the last request that `start` or `add` was given. */
  readonly amount?: OrderAmount;
  /** The invoices of the order. */
  readonly invoices?: readonly OrderInvoiceView[];
  /** The live payment asks the same amount, for another request than that of this call. */
  readonly differs?: true;
}

/**
 * An order as its page shows it. `state` is one of:
 *
 * - `'none'`: no payment has begun.
 * - `'new'`: a payment is stored, or could not be sent for now. It will be, unless `forReview` lists it as `not_sent`.
 * - `'checking'`: a payment may exist. Show "we are checking", and offer no other way to pay.
 * - `'started'`: `paymentUrl` can be paid.
 * - `'changed'`: the open payment asks another amount than the order asks now. Send no customer to it: show `open`.
 * - `'refused'`: the service refused. `error` says why.
 * - `'over'`: declined, expired, or its time is over. `start` begins the next payment.
 * - `'paid'`, `'cancelled'`: the order has ended.
 */
export type OrderView = OrderViewBase &
  (
    | (Without<'paymentUrl' | 'qrData' | 'open' | 'error' | 'paidAmount' | 'paidAt'> & {
        readonly state: 'none' | 'cancelled';
      })
    | (Without<'open' | 'error' | 'paidAmount' | 'paidAt'> & {
        readonly state: 'started';
        readonly referenceId: string;
        /** The page on which the customer pays. */
        readonly paymentUrl: string;
        /** The content of a QR code, if the service sent one. */
        readonly qrData?: string;
      })
    | (Without<'paymentUrl' | 'qrData' | 'error' | 'paidAmount' | 'paidAt'> & {
        readonly state: 'changed';
        readonly open: OpenPayment;
      })
    | (Without<'paymentUrl' | 'qrData' | 'open' | 'paidAmount' | 'paidAt'> & {
        readonly state: 'new' | 'checking' | 'refused' | 'over';
        /** Why it was refused, or is not sent yet. */
        readonly error?: CallError;
      })
    | (Without<'paymentUrl' | 'qrData' | 'open' | 'error'> & {
        readonly state: 'paid';
        /** What the payment that paid the order asked. Compare it with the order's total before you ship. */
        readonly paidAmount?: OrderAmount;
        readonly paidAt?: Date;
      })
  );

/** Members of other states: a shop may take them from any view, and finds them undefined. */
type Without<Names extends string> = Readonly<Partial<Record<Names, undefined>>>;

/** The payment that is still open, for another amount than the order asks now. */
export interface OpenPayment {
  /** The `referenceId` of the payment. */
  readonly referenceId: string;
  /** Its page, if it is known. Send no customer there. */
  readonly paymentUrl?: string;
  /** What it asks. */
  readonly amount: OrderAmount;
  /** After this time the next `start` begins a new payment. Absent if the payment has no `transExpiredTime`. */
  readonly until?: Date;
}

/** The result of a webhook. */
export type EventResult = OrderView & {
  /** The webhook changed the order. */
  readonly changed: boolean;
  /** This webhook has paid the order: ship in the same transaction. True in at most one committed transaction. */
  readonly firstPaid: boolean;
  /** What differs from the payment's request. The webhook changed no state, and the payment is in `forReview()`. */
  readonly mismatch?: readonly ('amount' | 'currency' | 'merchantId')[];
  /** The webhook's status, if it is none that `statusAliases` names. It changed nothing. */
  readonly unknownStatus?: string;
  /** The payment is paid, and the order asks another amount: do not ship. It is in `forReview()` as `other_amount`. */
  readonly otherAmount?: true;
};

/** Something that waits for your staff. */
export interface ReviewItem {
  /** The shop's own ID. */
  readonly orderId: string;
  /** The merchant of the order, if the shop has several. */
  readonly account?: string;
  /** Why it waits. */
  readonly reason:
    | 'refund'
    | 'other_amount'
    | 'changed'
    | 'on_paid_due'
    | 'unreadable'
    | 'no_client'
    | 'mismatch'
    | 'exists_after_all'
    | 'look_up'
    | 'overdue'
    | 'no_webhook'
    | 'not_sent'
    | 'too_many'
    | 'invoice_look_up'
    | 'invoice_refused'
    | 'invoice_not_loaded';
  /** What to do, in a sentence or two, for your staff. */
  readonly action: string;
  /**
   * The calls that would be stored now. `'lookUp'`, `'markRefunded'` and `'cancel'` are methods; with `number` the others are
   * for `concludeInvoice`, without it for `conclude`.
   */
  readonly conclusions: readonly ReviewConclusion[];
  /** From when `'absent'` and `'over'` are safe, if it is too early for them now. */
  readonly safeFrom?: Date;
  /** What the order asks now. */
  readonly amount?: OrderAmount;
  /** What the payment asks. */
  readonly paymentAmount?: OrderAmount;
  /** The payment's `referenceId`; for an invoice, of the payment that paid the order. */
  readonly referenceId?: string;
  /** The number of the invoice. */
  readonly number?: number;
  /** Since when it waits. */
  readonly since: Date;
  /** The error of the last call, if it failed. */
  readonly error?: CallError;
}

/** A call that settles something for review. */
export type ReviewConclusion =
  'lookUp' | 'absent' | 'exists' | 'paid' | 'over' | 'accept' | 'stored' | 'markRefunded' | 'cancel';

/** Whether a conclusion was stored. */
export interface Conclusion {
  /** The shop's own ID. */
  readonly orderId: string;
  /** The conclusion was stored. */
  readonly done: boolean;
  /** From when it is safe, if it was too early. Call lookUp first. */
  readonly safeFrom?: Date;
  /** After `'paid'` and `'accept'`, as in {@link EventResult}. */
  readonly firstPaid?: boolean;
  /** After `'paid'`, as in {@link EventResult}. */
  readonly otherAmount?: true;
}

/** A change of a payment, an invoice or the order itself. */
export interface OrderChange {
  /** When it changed. */
  readonly at: Date;
  /** The payment that changed; absent for an invoice and for the order itself. */
  readonly referenceId?: string;
  /** The number of the invoice that changed. */
  readonly invoice?: number;
  /** The state before; `'none'` if it is new. */
  readonly from: string;
  /** The state after. */
  readonly to: string;
  /** What caused it: `'start'`, `'sweep'`, `'time'`, `'webhook: paid'`, `'conclude: absent'` and so on. */
  readonly cause: string;
  /** Who did it, if the caller said so. */
  readonly by?: string;
}

/** The merchant of an order, for a shop with several. */
export interface InAccount {
  /** Required if `client` is a function. An order or reference of another account is one that is not there. */
  readonly account?: string | undefined;
}

/** Options of {@link OrderPayments.start}. */
export interface StartOptions extends InAccount {
  /** As for `initiatePayment`; stored with the request. */
  readonly additionalFields?: Readonly<Record<string, unknown>> | undefined;
}

/** A transaction of the caller: the row is locked in it, and nothing is sent. */
export interface InTransaction {
  /** Runs a statement in the transaction. */
  readonly query?: Query | undefined;
}

/** Who does something, for {@link OrderPayments.history}. */
export interface ByStaff {
  /** A name or an ID of your staff: 1 to 100 characters. */
  readonly by?: string | undefined;
}

/** A webhook of a payment, in the shape that a line in `onEvent` makes of your provider's. */
export interface OrderEvent {
  /** The `referenceId` of a payment of an order, as it was sent to the service. */
  readonly referenceId: string;
  /** `paid`, `declined`, `expired` or `pending`, or a value of `statusAliases`. Any other changes nothing. */
  readonly status: string;
  /** Compared with what the payment asks; `value` in đồng, as a number. */
  readonly amount: { readonly value: number; readonly currency: string };
  /** Compared if it is given. */
  readonly merchantId?: string | undefined;
}

/** The request of an order: a `PaymentRequest` without its `referenceId`, which is made for each payment. */
export type OrderRequest = Omit<PaymentRequest, 'referenceId'>;
