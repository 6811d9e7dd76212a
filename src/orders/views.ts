import type { NewPayment, Order, Payment } from './order.js';
import type { OrderView, ReviewItem } from './types.js';

export function paymentOf(order: Order, referenceId: string | undefined): Payment | undefined {
  return order.payments.find((payment) => payment.referenceId === referenceId);
}

/** It was refused, or a person concluded that it is absent, and then the service accepted it. */
export function existsAfterAll({ state, existsAfterAllAt }: Payment): boolean {
  return (state === 'absent' || state === 'refused') && existsAfterAllAt !== undefined;
}

/** True while a customer may pay it, or it may still be made: an order has one such payment at a time. */
export function isLive(payment: Payment): boolean {
  return ['new', 'sending', 'unknown', 'look_up', 'open'].includes(payment.state) || existsAfterAll(payment);
}

/** Its time is over, and a webhook named another amount, currency or merchant: the next payment waits until a person has looked. */
export function isDisputed({ state, mismatchAt }: Payment): boolean {
  return state === 'overdue' && mismatchAt !== undefined;
}

/** Nothing is sent for it any more. */
export function isEnded({ paidBy, cancelledAt }: Order): boolean {
  return paidBy !== undefined || cancelledAt !== undefined;
}

/** A second payment of an order, or one of a cancelled order. */
export function isToRefund({ state, referenceId, refundedAt }: Payment, { paidBy }: Order): boolean {
  return state === 'paid' && paidBy !== referenceId && refundedAt === undefined;
}

const actions: Readonly<Record<Exclude<ReviewItem['reason'], 'unreadable'>, string>> = {
  refund: 'Refund this payment at the service, then call markRefunded.',
  mismatch:
    'A notification names another amount, currency or merchant. Compare it with the service, then conclude.',
  exists_after_all:
    'The service has this payment after all. Look it up, end it there or leave it, then conclude.',
  look_up: 'Call lookUp. From its safeFrom on, look the reference up at the service, then conclude.',
  overdue:
    'No word came in its time. Look the reference up at the service, then conclude: over, paid or absent.',
  no_word: 'No word came for a day. Look the reference up at the service, then conclude.',
  not_sent:
    'Nothing was sent. Correct what error names; start sends it again, or call lookUp and conclude absent.',
  invoice_look_up: 'The upload may be stored. Look it up at the service, then call concludeInvoice.',
  invoice_refused: 'The upload was refused. Add a corrected one, then conclude this one as absent.',
};

/** Something that waits for a person, as it is in an order. */
export type Review = Omit<ReviewItem, 'orderId' | 'since' | 'reason'> & {
  readonly reason: keyof typeof actions;
  readonly sinceAt: number;
};

function reviewsOfPayment(payment: Payment, order: Order): [Review['reason'], number | undefined][] {
  const { state, stateAt } = payment;
  return [
    ['refund', isToRefund(payment, order) ? stateAt : undefined],
    ['mismatch', payment.mismatchAt],
    ['exists_after_all', existsAfterAll(payment) ? payment.existsAfterAllAt : undefined],
    ['look_up', state === 'look_up' ? stateAt : undefined],
    ['overdue', state === 'overdue' ? stateAt : undefined],
    ['no_word', state === 'open' ? payment.noWordAt : undefined],
    ['not_sent', state === 'new' && !isEnded(order) ? payment.givenUpAt : undefined],
  ];
}

/** Everything about an order that waits for a person. */
export function reviewsOf(order: Order): Review[] {
  const ofPayments = order.payments.flatMap((payment) =>
    reviewsOfPayment(payment, order).flatMap(([reason, sinceAt]): Review[] => {
      const { referenceId, error } = payment;
      return sinceAt === undefined
        ? []
        : [{ reason, action: actions[reason], referenceId, sinceAt, ...(error && { error }) }];
    }),
  );
  const { paidBy: referenceId } = order;
  const ofInvoices = order.invoices.flatMap(({ state, number, stateAt, error }): Review[] => {
    // Nothing is uploaded before the order is paid, so nothing waits.
    if (referenceId === undefined || (state !== 'look_up' && state !== 'refused')) return [];
    const reason = `invoice_${state}` as const;
    const about = { referenceId, number, sinceAt: stateAt, ...(error && { error }) };
    return [{ reason, action: actions[reason], ...about }];
  });
  return [...ofPayments, ...ofInvoices];
}

export function viewStateOf(order: Order | undefined): OrderView['state'] {
  if (order?.cancelledAt !== undefined) return 'cancelled';
  if (order?.paidBy !== undefined) return 'paid';
  const last = order?.payments.at(-1);
  if (!last) return 'none';
  if (existsAfterAll(last) || isDisputed(last)) return 'checking';
  switch (last.state) {
    case 'new':
    case 'refused':
      return last.state;
    case 'sending':
    case 'unknown':
    case 'look_up':
      return 'checking';
    case 'open':
      return last.paymentUrl === undefined ? 'checking' : 'started';
    default:
      return 'over';
  }
}

/** The order as its page shows it; `candidate` is the payment that the request of this call would make. */
export function viewOf(orderId: string, order: Order | undefined, candidate?: NewPayment): OrderView {
  const state = viewStateOf(order);
  const last = order?.payments.at(-1);
  const { referenceId, paymentUrl, qrData, error } = (order && paymentOf(order, order.paidBy)) ?? last ?? {};
  const isStarted = state === 'started';
  const differs = candidate && last && isLive(last) && last.content !== candidate.content;
  return {
    orderId,
    state,
    ...(referenceId !== undefined && { referenceId }),
    ...(isStarted && paymentUrl !== undefined && { paymentUrl }),
    ...(isStarted && qrData !== undefined && { qrData }),
    ...(error && (state === 'refused' || state === 'new' || state === 'checking') && { error }),
    ...(differs && { differs }),
  };
}
