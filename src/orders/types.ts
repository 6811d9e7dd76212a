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
  /**
   * `'waiting'`: the invoice is not uploaded yet. `sweep` uploads it once the order is paid. If the stored upload was
   * erased before that, `sweep` cannot upload the invoice, and `forReview()` lists it. `'stored'`: the service has the
   * invoice. `'in_review'`: `forReview()` lists the invoice.
   */
  readonly state: 'waiting' | 'stored' | 'in_review';
  /** The service's ID of a stored invoice, if the response contained it. */
  readonly invoiceId?: string;
}

/** The members of every view of an order. */
interface OrderViewBase {
  /** The ID of the order in your shop. */
  readonly orderId: string;
  /** The `referenceId` of the last payment; after the order is paid, of the payment that paid the order. */
  readonly referenceId?: string;
  /** The amount due of the order: the amount of the last request to `start` or `add` before the order ended. */
  readonly amount?: OrderAmount;
  /** The invoices of the order. */
  readonly invoices?: readonly OrderInvoiceView[];
  /**
   * Present after `start` and `add` if the last payment has not ended, and has the same amount as the request that was
   * passed, but different content, such as different items. The payment stays as it is.
   */
  readonly differs?: true;
}

/**
 * An order, for its page. `state` is one of:
 *
 * - `'none'`: no payment has begun.
 * - `'new'`: a payment is stored, but the service has not created it yet. `sweep` sends it, unless `forReview` lists it
 *   as `not_sent`.
 * - `'checking'`: a payment might exist. Show "we are checking", and offer no other way to pay.
 * - `'started'`: the customer can pay at `paymentUrl`.
 * - `'changed'`: the amount of the open payment differs from the amount due. Do not send the customer to that payment:
 *   show `open.amount`, and `open.until`, the time after which the customer can start a new payment.
 * - `'refused'`: the service refused the payment. `error` says why.
 * - `'over'`: the last payment has ended and does not pay the order: it was declined, for example, or has expired.
 *   `start` begins the next payment.
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
        /** The content of the QR code of the payment, if the service returned it. */
        readonly qrData?: string;
      })
    | (Without<'paymentUrl' | 'qrData' | 'error' | 'paidAmount' | 'paidAt'> & {
        readonly state: 'changed';
        /** The open payment, whose amount differs from the amount due. */
        readonly open: OpenPayment;
      })
    | (Without<'paymentUrl' | 'qrData' | 'open' | 'paidAmount' | 'paidAt'> & {
        readonly state: 'new' | 'checking' | 'refused' | 'over';
        /** The error of the last call, or `TOO_MANY_PAYMENTS` if no other payment can begin. */
        readonly error?: CallError;
      })
    | (Without<'paymentUrl' | 'qrData' | 'open' | 'error'> & {
        readonly state: 'paid';
        /** The amount of the payment that paid the order. Compare it with the order's total before you ship. */
        readonly paidAmount: OrderAmount;
        /**
         * The time at which the order became paid, by the clock of your database: at the webhook, or at the conclusion
         * of your staff.
         */
        readonly paidAt: Date;
      })
  );

/** A paid order, which is passed to `onPaid`. */
export type PaidOrderView = Extract<OrderView, { readonly state: 'paid' }>;

/** Members that a state does not have. Their type is undefined, so that a shop can read them in every state. */
type Without<Names extends string> = Readonly<Partial<Record<Names, undefined>>>;

/** The open payment of an order, if its amount differs from the amount due. */
export interface OpenPayment {
  /** The `referenceId` of the payment. */
  readonly referenceId: string;
  /** The link of the payment, if it is known. Do not send the customer there. */
  readonly paymentUrl?: string;
  /** The amount of the payment. */
  readonly amount: OrderAmount;
  /** The time after which `start` begins a new payment. Absent if the payment has no `transExpiredTime`. */
  readonly until?: Date;
}

/** The result of a webhook. */
export type EventResult = OrderView & {
  /** True if the webhook changed the state of the payment. */
  readonly changed: boolean;
  /** True if this webhook paid the order: ship in the same transaction. True in at most one committed transaction. */
  readonly firstPaid: boolean;
  /**
   * The fields of the webhook that differ from the request of the payment. The webhook changed no state, and the
   * payment is in `forReview()` as `mismatch`.
   */
  readonly mismatch?: readonly ('amount' | 'currency' | 'merchantId')[];
  /** The status value of the webhook, if `statusAliases` does not name it. The webhook changed no state. */
  readonly unknownStatus?: string;
  /**
   * Present if the payment is paid, but its amount differs from the amount due: do not ship. The payment is in
   * `forReview()` as `other_amount`.
   */
  readonly otherAmount?: true;
};

/** An item of `forReview()`, which waits for your staff. */
export interface ReviewItem {
  /** The ID of the order in your shop. */
  readonly orderId: string;
  /** The account of the order, if the shop has several merchants. */
  readonly account?: string;
  /** The reason why the item waits. */
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
  /** The action for your staff, in a few sentences. */
  readonly action: string;
  /**
   * The calls that are possible now. `'lookUp'`, `'markRefunded'` and `'cancel'` are methods. The other values are
   * conclusions: pass them to `concludeInvoice` if the item has a `number`, and to `conclude` if not.
   */
  readonly conclusions: readonly ReviewConclusion[];
  /**
   * The time from which the conclusion `'absent'` is possible. Not set if that time has passed, or if `'absent'` does
   * not apply.
   */
  readonly safeFrom?: Date;
  /** The amount due of the order. */
  readonly amount?: OrderAmount;
  /** The amount of the payment. */
  readonly paymentAmount?: OrderAmount;
  /** The `referenceId` of the payment; for an invoice, of the payment that paid the order. */
  readonly referenceId?: string;
  /** The number of the invoice, from 1, in the order of `addInvoice`; absent if the item is not about an invoice. */
  readonly number?: number;
  /** The `invoiceNumber` that was passed to `addInvoice`; absent if none was passed, or if the upload was erased. */
  readonly invoiceNumber?: string;
  /** The time since which the item waits. */
  readonly since: Date;
  /** The error of the last call, if it failed. */
  readonly error?: CallError;
}

/** A call that is possible for an item of `forReview()`. */
export type ReviewConclusion =
  | 'lookUp'
  | 'absent'
  | 'exists'
  | 'paid'
  | 'over'
  | 'accept'
  | 'stored'
  | 'markRefunded'
  | 'cancel';

/** The result of `conclude`, `concludeInvoice` and `markRefunded`. */
export interface Conclusion {
  /** The ID of the order in your shop. */
  readonly orderId: string;
  /** True if the conclusion was stored. */
  readonly done: boolean;
  /**
   * Present if the conclusion came too early: the time from which the conclusion is possible. For a payment, call
   * `lookUp` first.
   */
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
  /**
   * The state before the change; `'none'` for a new payment or invoice. If the amount due of the order changed, this is
   * the amount before the change, such as `asks 12000000 VND`.
   */
  readonly from: string;
  /** The state after the change. If the amount due changed, this is the new amount, such as `asks 13000000 VND`. */
  readonly to: string;
  /** The cause: `'start'`, `'sweep'`, `'time'`, `'webhook: paid'`, `'conclude: absent'` and so on. */
  readonly cause: string;
  /** The member of your staff who made the change, if `by` was passed. */
  readonly by?: string;
}

/** An option for a shop with several merchants. */
export interface InAccount {
  /**
   * The account of the order. Required if `client` is a function, except for `forReview`. Orders of other accounts are
   * treated as unknown.
   */
  readonly account?: string | undefined;
}

/** Options of {@link OrderPayments.start}. */
export interface StartOptions extends InAccount {
  /** The `additionalFields` of `initiatePayment`. They are stored with the request. */
  readonly additionalFields?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * An option for a call in your own transaction. The call sends nothing. It locks the row of the order, if the row exists
 * and the database is not SQLite.
 */
export interface InTransaction {
  /** Runs a statement in the transaction. */
  readonly query?: Query | undefined;
}

/** An option that names the member of your staff who makes a change, for {@link OrderPayments.history}. */
export interface ByStaff {
  /** The name or ID of a member of your staff: 1 to 100 characters. */
  readonly by?: string | undefined;
}

/** The event in a webhook. If your provider's webhooks have a different shape, convert them in `onEvent`. */
export interface OrderEvent {
  /** The `referenceId` of the payment, as it was sent to the service. */
  readonly referenceId: string;
  /**
   * `paid`, `declined`, `expired` or `pending`, or the value that `statusAliases` names instead. Any other value
   * changes no state.
   */
  readonly status: string;
  /** The amount that was paid, which is compared with the payment. `value` is a number, in đồng. */
  readonly amount: { readonly value: number; readonly currency: string };
  /** The merchant. If the event contains it, the merchant is compared with the payment. */
  readonly merchantId?: string | undefined;
}

/** The request of an order: a `PaymentRequest` without `referenceId`, which is generated for each payment. */
export type OrderRequest = Omit<PaymentRequest, 'referenceId'>;
