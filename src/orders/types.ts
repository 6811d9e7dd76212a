import type { PaymentRequest } from '../protocol/payment-types.js';
import type { CallError } from './order.js';
import type { Query } from './sql-storage.js';

/** An amount of money. */
export interface OrderAmount {
  /** The amount in đồng. */
  readonly value: number;
  /** The currency: VND. */
  readonly currency: string;
}

/** An invoice of an order. */
export interface OrderInvoiceView {
  /** The number of the invoice, from 1, in the order of `addInvoice`. */
  readonly number: number;
  /** `'waiting'`: it is uploaded once the order is paid. `'in_review'`: it is listed in `forReview()`. */
  readonly state: 'waiting' | 'stored' | 'in_review';
  /** The service's ID of a stored invoice, if the response contained it. */
  readonly invoiceId?: string;
}

/** The members of every view of an order. */
interface OrderViewBase {
  /** The shop's own ID. */
  readonly orderId: string;
  /** The `referenceId` of the last payment; after the order is paid, of the payment that paid it. */
  readonly referenceId?: string;
  /** The amount that the order asks for now: the amount of the last request to `start` or `add`. */
  readonly amount?: OrderAmount;
  /** The invoices of the order. */
  readonly invoices?: readonly OrderInvoiceView[];
  /** The live payment has the same amount, but was made for a different request than that of this call. */
  readonly differs?: true;
}

/**
 * An order as its page shows it. `state` is one of:
 *
 * - `'none'`: no payment has begun.
 * - `'new'`: a payment is stored and not sent yet. It will be sent, unless `forReview` lists it as `not_sent`.
 * - `'checking'`: a payment might exist. Show "we are checking", and offer no other way to pay.
 * - `'started'`: `paymentUrl` can be paid.
 * - `'changed'`: the amount of the open payment differs from that of the order. Do not send the customer to it: show
 *   `open`.
 * - `'refused'`: the service refused. `error` says why.
 * - `'over'`: the last payment was declined or has expired. `start` begins the next payment.
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
        /** The payment that is still open, with its old link, its amount and when it ends. */
        readonly open: OpenPayment;
      })
    | (Without<'paymentUrl' | 'qrData' | 'open' | 'paidAmount' | 'paidAt'> & {
        readonly state: 'new' | 'checking' | 'refused' | 'over';
        /** The reason why it was refused, or is not sent yet. */
        readonly error?: CallError;
      })
    | (Without<'paymentUrl' | 'qrData' | 'open' | 'error'> & {
        readonly state: 'paid';
        /** The amount of the payment that paid the order. Compare it with the order's total before you ship. */
        readonly paidAmount: OrderAmount;
        /** When the order became paid: your database's time at the webhook, or when your staff concluded it. */
        readonly paidAt: Date;
      })
  );

/** A paid order, as `onPaid` gets it. */
export type PaidOrderView = Extract<OrderView, { readonly state: 'paid' }>;

/** The members of other states. They are undefined, so that a shop can read them from any view. */
type Without<Names extends string> = Readonly<Partial<Record<Names, undefined>>>;

/** The payment that is still open, although the order now asks for a different amount. */
export interface OpenPayment {
  /** The `referenceId` of the payment. */
  readonly referenceId: string;
  /** The page of the payment, if it is known. Do not send the customer there. */
  readonly paymentUrl?: string;
  /** The amount of the payment. */
  readonly amount: OrderAmount;
  /** The time after which `start` begins a new payment. Absent if the payment has no `transExpiredTime`. */
  readonly until?: Date;
}

/** The result of a webhook. */
export type EventResult = OrderView & {
  /** The webhook changed the order. */
  readonly changed: boolean;
  /** This webhook paid the order: ship in the same transaction. It is true in at most one committed transaction. */
  readonly firstPaid: boolean;
  /**
   * The fields that differ from the payment's request. The webhook changed no state, and the payment is in
   * `forReview()`.
   */
  readonly mismatch?: readonly ('amount' | 'currency' | 'merchantId')[];
  /** The status value of the webhook, if `statusAliases` does not name it. The webhook changed no state. */
  readonly unknownStatus?: string;
  /**
   * The payment is paid, but its amount differs from that of the order: do not ship. It is in `forReview()` as
   * `other_amount`.
   */
  readonly otherAmount?: true;
};

/** An item that waits for your staff. */
export interface ReviewItem {
  /** The shop's own ID. */
  readonly orderId: string;
  /** The account of the order, if the shop has several merchants. */
  readonly account?: string;
  /** The reason why it waits. */
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
  /** The action for your staff, in one or two sentences. */
  readonly action: string;
  /**
   * The calls that are possible now. `'lookUp'`, `'markRefunded'` and `'cancel'` are methods. The others are
   * conclusions: for `concludeInvoice` if the item has a `number`, and for `conclude` if not.
   */
  readonly conclusions: readonly ReviewConclusion[];
  /** The time from which `'absent'` and `'over'` are safe, if they are not safe yet. */
  readonly safeFrom?: Date;
  /** The amount that the order asks for now. */
  readonly amount?: OrderAmount;
  /** The amount of the payment. */
  readonly paymentAmount?: OrderAmount;
  /** The `referenceId` of the payment; for an invoice, of the payment that paid the order. */
  readonly referenceId?: string;
  /** The number of the invoice, from 1, in the order of `addInvoice`; absent if the item is not about an invoice. */
  readonly number?: number;
  /** The `invoiceNumber` that was passed to `addInvoice`; absent if there was none, or if it was erased. */
  readonly invoiceNumber?: string;
  /** The time since which it waits. */
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
  /** The time from which it is safe, if it was too early. Call `lookUp` first. */
  readonly safeFrom?: Date;
  /** The same as in {@link EventResult}, after `'paid'` and `'accept'`. */
  readonly firstPaid?: boolean;
  /** The same as in {@link EventResult}, after `'paid'`. */
  readonly otherAmount?: true;
}

/** A change of a payment, an invoice or the order itself. */
export interface OrderChange {
  /** The time of the change. */
  readonly at: Date;
  /** The `referenceId` of the payment that changed; absent for an invoice and for the order itself. */
  readonly referenceId?: string;
  /** The number of the invoice that changed. */
  readonly invoice?: number;
  /** The state before the change; `'none'` if it is new. */
  readonly from: string;
  /** The state after the change. */
  readonly to: string;
  /** The cause: `'start'`, `'sweep'`, `'time'`, `'webhook: paid'`, `'conclude: absent'` and so on. */
  readonly cause: string;
  /** The member of your staff who did it, if the caller named one. */
  readonly by?: string;
}

/** The account of an order, for a shop with several merchants. */
export interface InAccount {
  /** Required if `client` is a function, except for `forReview`. Orders of other accounts are treated as unknown. */
  readonly account?: string | undefined;
}

/** Options of {@link OrderPayments.start}. */
export interface StartOptions extends InAccount {
  /** The same as for `initiatePayment`; stored with the request. */
  readonly additionalFields?: Readonly<Record<string, unknown>> | undefined;
}

/** A transaction of the caller. It locks the row, and nothing is sent in it. */
export interface InTransaction {
  /** Runs a statement in the transaction. */
  readonly query?: Query | undefined;
}

/** The person who gives a command, for {@link OrderPayments.history}. */
export interface ByStaff {
  /** The name or ID of a member of your staff: 1 to 100 characters. */
  readonly by?: string | undefined;
}

/** A webhook of a payment. If your provider's webhooks have another shape, convert them in `onEvent`. */
export interface OrderEvent {
  /** The `referenceId` of the payment, as it was sent to the service. */
  readonly referenceId: string;
  /** `paid`, `declined`, `expired`, `pending`, or a value of `statusAliases`. Any other value changes no state. */
  readonly status: string;
  /** The amount that was paid: compared with the payment. `value` is a number, in đồng. */
  readonly amount: { readonly value: number; readonly currency: string };
  /** The merchant: compared with the payment, if it is present. */
  readonly merchantId?: string | undefined;
}

/** The request of an order: a `PaymentRequest` without `referenceId`, which is generated for each payment. */
export type OrderRequest = Omit<PaymentRequest, 'referenceId'>;
