import type { Asked, Order, Payment, PaymentState } from './order.js';

/** The states in which nothing of a payment is under way any more, unless the service turns out to have it after all. */
const endedStates: readonly string[] = [
  'overdue',
  'refused',
  'absent',
  'over',
  'declined',
  'expired',
  'paid',
] satisfies PaymentState[];

export function paymentOf(order: Order, referenceId: string | undefined): Payment | undefined {
  return order.payments.find((payment) => payment.referenceId === referenceId);
}

/** The service accepted a payment that it had refused, or that your staff had concluded to be absent. */
export function existsAfterAll({ state, existsAfterAllAt }: Payment): boolean {
  return (state === 'absent' || state === 'refused') && existsAfterAllAt !== undefined;
}

/**
 * A customer may pay it, or it may still be made: an order has one such payment at a time. A state that this version does not
 * know counts as live.
 */
export function isLive(payment: Payment): boolean {
  return !endedStates.includes(payment.state) || existsAfterAll(payment);
}

/** Nothing is sent for the order any more. */
export function isEnded({ paidBy, cancelledAt }: Order): boolean {
  return paidBy !== undefined || cancelledAt !== undefined;
}

/** A webhook that did not fit may be about money: no other payment begins before your staff have looked. */
export function isDisputed({ state, mismatchAt, mismatchPaid }: Payment): boolean {
  return mismatchPaid === true || (state === 'overdue' && mismatchAt !== undefined);
}

/** A paid payment that neither paid the order nor was refunded. */
function isUnsettled({ state, referenceId, refundedAt }: Payment, { paidBy }: Order): boolean {
  return state === 'paid' && paidBy !== referenceId && refundedAt === undefined;
}

/** A paid payment of an order that has ended without it: a second payment, or one of a cancelled order. */
export function isToRefund(payment: Payment, order: Order): boolean {
  return isUnsettled(payment, order) && isEnded(order);
}

/** A paid payment that asked another amount than the order asked when it was paid. */
export function isOtherAmount(payment: Payment, order: Order): boolean {
  return isUnsettled(payment, order) && !isEnded(order);
}

/** There may be money for the order that your staff have to look at: no payment begins, and none that is new is sent. */
export function isHeld(order: Order): boolean {
  return order.payments.some((payment) => isDisputed(payment) || isOtherAmount(payment, order));
}

/** What the order asks now: an order of an older version asks what its last payment asks. */
export function askedBy({ askedNow, payments }: Order): Asked | undefined {
  return askedNow ?? payments.at(-1)?.expected;
}

export function isSameAmount(one: Asked, other: Asked): boolean {
  return one.value === other.value && one.currency === other.currency && one.merchantId === other.merchantId;
}

/** Whether a payment asks what the order asks now: its amount, currency and merchant. */
export function fits({ expected }: Payment, order: Order): boolean {
  const asked = askedBy(order);
  return asked === undefined || isSameAmount(expected, asked);
}
