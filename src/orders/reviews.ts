import { isUploadErased } from './invoice-rules.js';
import { invoiceStates, paymentStates, type CallError, type Order, type Payment } from './order.js';
import { existsAfterAll, fitsOrder, isEnded, isOtherAmount, isToRefund, paymentOf } from './payment-state.js';
import type { ReviewItem } from './types.js';

/** A reason why an order waits for your staff. */
export interface Review {
  readonly reason: ReviewItem['reason'];
  readonly sinceAt: number;
  readonly referenceId?: string;
  /** The number of the invoice. */
  readonly number?: number;
  readonly error?: CallError;
  /** The status value of the last webhook, if `statusAliases` does not name it. */
  readonly unknownStatus?: string;
}

/** The states of this version. A later version can store other states. */
const knownStates: ReadonlySet<string> = new Set(paymentStates);
const knownInvoiceStates: ReadonlySet<string> = new Set(invoiceStates);

function reviewsOfPayment(payment: Payment, order: Order): Review[] {
  const { referenceId, state, stateAt, error, unknownStatus, lifetimeMs } = payment;
  // A payment with a time to pay is not listed as `changed`: it becomes overdue or expired without your staff.
  const isChanged = state === 'open' && lifetimeMs === undefined && !fitsOrder(payment, order);
  const since: readonly [Review['reason'], number | undefined][] = [
    ['unreadable', knownStates.has(state) ? undefined : stateAt],
    ['refund', isToRefund(payment, order) ? stateAt : undefined],
    ['other_amount', isOtherAmount(payment, order) ? stateAt : undefined],
    ['changed', isChanged ? Math.max(stateAt, order.askedNow?.sinceAt ?? 0) : undefined],
    ['mismatch', payment.mismatchAt],
    ['exists_after_all', existsAfterAll(payment) ? payment.existsAfterAllAt : undefined],
    ['look_up', state === 'look_up' ? stateAt : undefined],
    ['overdue', state === 'overdue' ? stateAt : undefined],
    ['no_webhook', state === 'open' ? payment.silentSince : undefined],
    ['not_sent', state === 'new' && !isEnded(order) ? payment.givenUpAt : undefined],
  ];
  const about = {
    referenceId,
    ...(error && { error }),
    ...(unknownStatus !== undefined && { unknownStatus }),
  };
  return since.flatMap(([reason, sinceAt]): Review[] =>
    sinceAt === undefined ? [] : [{ reason, sinceAt, ...about }],
  );
}

function reviewsOfInvoices({ invoices, paidBy: referenceId, paidAt = 0 }: Order): Review[] {
  // Invoices are uploaded only after the order is paid.
  if (referenceId === undefined) return [];
  return invoices.flatMap((invoice): Review[] => {
    const { state, number, stateAt, error } = invoice;
    const isErased = isUploadErased(invoice);
    const about = { referenceId, number, sinceAt: isErased ? paidAt : stateAt, ...(error && { error }) };
    if (!knownInvoiceStates.has(state)) return [{ reason: 'unreadable', ...about }];
    if (state === 'look_up' || state === 'refused') return [{ reason: `invoice_${state}`, ...about }];
    return state === 'not_loaded' || isErased ? [{ reason: 'invoice_not_loaded', ...about }] : [];
  });
}

/**
 * True if a payment or an invoice of the order is still to be sent, for the first time or again. Unlike `needsClient`
 * of `due.ts`, this includes a payment or an invoice that waits for your staff or for another invoice.
 */
function hasSomethingToSend(order: Order): boolean {
  const { payments, invoices } = order;
  return isEnded(order)
    ? invoices.some(({ state }) => state === 'new')
    : payments.some(({ state }) => state === 'new' || state === 'unknown');
}

function reviewsOfOrder(order: Order): Review[] {
  const { pendingOnPaid, paidAt = 0, noClient, tooManyAt } = order;
  const last = paymentOf(order, order.paidBy) ?? order.payments.at(-1);
  const about = last ? { referenceId: last.referenceId } : {};
  return [
    ...(pendingOnPaid?.isInReview ? [{ reason: 'on_paid_due', sinceAt: paidAt, ...about } as const] : []),
    ...(noClient?.isInReview && hasSomethingToSend(order)
      ? [{ reason: 'no_client', sinceAt: noClient.sinceAt, ...about } as const]
      : []),
    ...(tooManyAt !== undefined && !isEnded(order)
      ? [{ reason: 'too_many', sinceAt: tooManyAt, ...about } as const]
      : []),
  ];
}

export function reviewsOf(order: Order): Review[] {
  return [
    ...order.payments.flatMap((payment) => reviewsOfPayment(payment, order)),
    ...reviewsOfInvoices(order),
    ...reviewsOfOrder(order),
  ];
}
