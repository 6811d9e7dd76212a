import type { AmountAndMerchant, NewPayment, Order, Payment } from './order.js';
import {
  existsAfterAll,
  fitsOrder,
  amountDueOf,
  isHeld,
  isLive,
  isSameAmount,
  paymentOf,
} from './payment-state.js';
import { overdueAt } from './time-rules.js';
import type { OpenPayment, OrderAmount, OrderInvoiceView, OrderView } from './types.js';

/** The amount and currency of a payment or an order, without the merchant. */
export function amountOf({ value, currency }: AmountAndMerchant): OrderAmount {
  return { value, currency };
}

/**
 * True if the customer must not see a link, because your staff have to check what was paid, or because the service
 * accepted the last payment after the payment had been recorded as refused or absent.
 */
function isUnderReview(order: Order, last: Payment): boolean {
  return existsAfterAll(last) || isHeld(order);
}

export function viewStateOf(order: Order | undefined): OrderView['state'] {
  if (order?.cancelledAt !== undefined) return 'cancelled';
  if (order?.paidBy !== undefined) return 'paid';
  const last = order?.payments.at(-1);
  if (!order || !last) return 'none';
  if (isUnderReview(order, last)) return 'checking';
  switch (last.state) {
    case 'new':
    case 'refused':
      return last.state;
    case 'open':
      if (!fitsOrder(last, order)) return 'changed';
      return last.paymentUrl === undefined ? 'checking' : 'started';
    case 'overdue':
    case 'absent':
    case 'over':
    case 'declined':
    case 'expired':
    case 'paid':
      return 'over';
    // Includes the states of later versions.
    default:
      return 'checking';
  }
}

const invoiceStates: Readonly<Record<string, OrderInvoiceView['state']>> = {
  new: 'waiting',
  sending: 'waiting',
  stored: 'stored',
};

function invoicesOf({ invoices }: Order): OrderInvoiceView[] {
  return invoices
    .filter(({ state }) => state !== 'dropped')
    .map(({ number, state, invoiceId }) => ({
      number,
      state: invoiceStates[state] ?? 'in_review',
      ...(invoiceId !== undefined && { invoiceId }),
    }));
}

function openPaymentOf(payment: Payment): OpenPayment {
  const { referenceId, paymentUrl, expected } = payment;
  const until = overdueAt(payment);
  return {
    referenceId,
    ...(paymentUrl !== undefined && { paymentUrl }),
    amount: amountOf(expected),
    ...(until < Infinity && { until: new Date(until) }),
  };
}

const tooManyPayments = {
  code: 'TOO_MANY_PAYMENTS',
  action: 'The order has as many payments as mostPayments allows. Cancel the order, or raise mostPayments.',
};

/** The view of an order. `candidate` is the payment that the request of this call would make. */
export function viewOf(orderId: string, order: Order | undefined, candidate?: NewPayment): OrderView {
  const state = viewStateOf(order);
  if (!order || state === 'none') return { orderId, state: 'none' };
  const paidPayment = paymentOf(order, order.paidBy);
  const last = order.payments.at(-1);
  const shown = paidPayment ?? last;
  const amountDue = amountDueOf(order);
  const invoices = invoicesOf(order);
  const differs =
    candidate &&
    last &&
    isLive(last) &&
    isSameAmount(last.expected, candidate.expected) &&
    last.contentHash !== candidate.contentHash;
  const base = {
    orderId,
    ...(shown && { referenceId: shown.referenceId }),
    ...(amountDue && { amount: amountOf(amountDue) }),
    ...(invoices.length > 0 && { invoices }),
    ...(differs && { differs }),
  };
  const error = order.tooManyAt === undefined ? last?.error : tooManyPayments;
  switch (state) {
    case 'started': {
      const { paymentUrl = '', qrData, referenceId } = last ?? { referenceId: '' };
      return { ...base, state, referenceId, paymentUrl, ...(qrData !== undefined && { qrData }) };
    }
    case 'changed':
      return last ? { ...base, state, open: openPaymentOf(last) } : { orderId, state: 'none' };
    case 'paid': {
      if (!paidPayment) return { ...base, state: 'checking' };
      const { paidAt = paidPayment.stateAt } = order;
      return { ...base, state, paidAmount: amountOf(paidPayment.expected), paidAt: new Date(paidAt) };
    }
    case 'new':
    case 'refused':
    case 'checking':
      return { ...base, state, ...(error && { error }) };
    case 'over':
      return { ...base, state, ...(order.tooManyAt !== undefined && { error: tooManyPayments }) };
    case 'cancelled':
      return { ...base, state };
  }
}
