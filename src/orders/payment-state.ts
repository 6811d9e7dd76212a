import { endedStates, type Asked, type Order, type Payment } from './order.js';

const ended: ReadonlySet<string> = new Set(endedStates);

export function paymentOf(order: Order, referenceId: string | undefined): Payment | undefined {
  return order.payments.find((payment) => payment.referenceId === referenceId);
}

/** True if the service accepted a payment that had been recorded as refused or absent. */
export function existsAfterAll({ state, existsAfterAllAt }: Payment): boolean {
  return (state === 'absent' || state === 'refused') && existsAfterAllAt !== undefined;
}

/**
 * True if a customer can pay the payment, or it can still be made. An order has one such payment at a time. A state of
 * a later version counts as live.
 */
export function isLive(payment: Payment): boolean {
  return !ended.has(payment.state) || existsAfterAll(payment);
}

/** True if the order is paid or cancelled: nothing more is sent for it. */
export function isEnded({ paidBy, cancelledAt }: Order): boolean {
  return paidBy !== undefined || cancelledAt !== undefined;
}

/** True if a webhook with a mismatch might be about money: no other payment begins before your staff have concluded. */
export function isDisputed({ state, mismatchAt, mismatchPaid }: Payment): boolean {
  return mismatchPaid === true || (state === 'overdue' && mismatchAt !== undefined);
}

/** True for a paid payment that neither paid the order nor was refunded. */
function isUnsettled({ state, referenceId, refundedAt }: Payment, { paidBy }: Order): boolean {
  return state === 'paid' && paidBy !== referenceId && refundedAt === undefined;
}

/** True for a paid payment that the order does not need: a second payment, or a payment of a cancelled order. */
export function isToRefund(payment: Payment, order: Order): boolean {
  return isUnsettled(payment, order) && isEnded(order);
}

/** True for a paid payment whose amount was not what the order asked for when it was paid. */
export function isOtherAmount(payment: Payment, order: Order): boolean {
  return isUnsettled(payment, order) && !isEnded(order);
}

/** True if there might be money that your staff have to check: no payment begins, and no new payment is sent. */
export function isHeld(order: Order): boolean {
  return order.payments.some((payment) => isDisputed(payment) || isOtherAmount(payment, order));
}

/** The amount that the order asks for now. An order of an older version asks for the amount of its last payment. */
export function askedBy({ askedNow, payments }: Order): Asked | undefined {
  return askedNow ?? payments.at(-1)?.expected;
}

export function isSameAmount(one: Asked, other: Asked): boolean {
  return one.value === other.value && one.currency === other.currency && one.merchantId === other.merchantId;
}

/** True if a payment asks for what the order asks for now: the same amount, currency and merchant. */
export function fitsOrder({ expected }: Payment, order: Order): boolean {
  const asked = askedBy(order);
  return asked === undefined || isSameAmount(expected, asked);
}
