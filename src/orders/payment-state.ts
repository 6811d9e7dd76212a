import { endedStates, type AmountAndMerchant, type Order, type Payment } from './order.js';

const endedStateSet: ReadonlySet<string> = new Set(endedStates);

export function paymentOf(order: Order, referenceId: string | undefined): Payment | undefined {
  return order.payments.find((payment) => payment.referenceId === referenceId);
}

/** True if the service accepted the payment after the payment had been recorded as refused or absent. */
export function existsAfterAll({ state, existsAfterAllAt }: Payment): boolean {
  return (state === 'absent' || state === 'refused') && existsAfterAllAt !== undefined;
}

/**
 * True if the customer can pay the payment, or if the service can still create the payment. Only one payment of an
 * order is live at a time. A payment in a state of a later version counts as live.
 */
export function isLive(payment: Payment): boolean {
  return !endedStateSet.has(payment.state) || existsAfterAll(payment);
}

/** True if the order is paid or cancelled, so that no payment is sent for it. */
export function isEnded({ paidBy, cancelledAt }: Order): boolean {
  return paidBy !== undefined || cancelledAt !== undefined;
}

/**
 * True if a webhook with a mismatch (another amount, currency or merchant) said that the payment is paid, or if the
 * payment is overdue after a webhook with a mismatch. Such a webhook does not change the state, but the customer might
 * have paid.
 */
export function mightBePaidDespiteMismatch({ state, mismatchAt, mismatchPaid }: Payment): boolean {
  return mismatchPaid === true || (state === 'overdue' && mismatchAt !== undefined);
}

/** True for a paid payment that did not pay the order and was not refunded. */
function isUnsettled({ state, referenceId, refundedAt }: Payment, { paidBy }: Order): boolean {
  return state === 'paid' && paidBy !== referenceId && refundedAt === undefined;
}

/** True if a paid payment must be refunded: it is a second payment of the order, or the order was cancelled. */
export function isToRefund(payment: Payment, order: Order): boolean {
  return isUnsettled(payment, order) && isEnded(order);
}

/**
 * True for a paid payment that did not pay its order, because its amount, currency or merchant differed from what was
 * due (`markPaymentPaid`).
 */
export function isOtherAmount(payment: Payment, order: Order): boolean {
  return isUnsettled(payment, order) && !isEnded(order);
}

/**
 * True if the customer has paid a different amount, or might have paid, and your staff have to check this. Until your
 * staff store a conclusion, no payment begins, and a payment in the state `new` is not sent.
 */
export function isHeld(order: Order): boolean {
  return order.payments.some(
    (payment) => mightBePaidDespiteMismatch(payment) || isOtherAmount(payment, order),
  );
}

/** The amount due of an order. If an older version stored the order, this is the amount of its last payment. */
export function amountDueOf({ askedNow, payments }: Order): AmountAndMerchant | undefined {
  return askedNow ?? payments.at(-1)?.expected;
}

/** True if the amounts, currencies and merchants are the same. */
export function isSameAmount(one: AmountAndMerchant, other: AmountAndMerchant): boolean {
  return one.value === other.value && one.currency === other.currency && one.merchantId === other.merchantId;
}

/** True if the payment has the amount, currency and merchant that are due. */
export function fitsOrder({ expected }: Payment, order: Order): boolean {
  const amountDue = amountDueOf(order);
  return amountDue === undefined || isSameAmount(expected, amountDue);
}
