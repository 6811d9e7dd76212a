import type { Command, Decided, RuleSettings } from './commands.js';
import { effectOf } from './due.js';
import type { Order, Payment, PaymentState } from './order.js';
import { inState, withPayment } from './order-parts.js';
import { existsAfterAll, isLive, isOtherAmount, isToRefund, paymentOf } from './payment-state.js';
import { endedByPayment, markPaid } from './webhook-rules.js';

/*
 * The rules of what staff do: look up, conclude, refund and cancel.
 */

/** Stops the repeats of a payment, so that your staff can look it up. */
export function stopRepeats(order: Order, { referenceId }: Command<'lookUp'>, now: number): Decided {
  const payment = paymentOf(order, referenceId);
  if (!payment) return { order, problem: 'no_reference' };
  const { state, safeAt = now } = payment;
  if (!['new', 'sending', 'unknown'].includes(state)) return { order, safeAt };
  return { order: withPayment(order, inState(payment, 'look_up', now)), safeAt };
}

/** Stores what your staff found at the provider. Every conclusion that is stored ends a mismatch. */
export function concludePayment(
  order: Order,
  command: Command<'conclude'>,
  now: number,
  settings: RuleSettings,
): Decided {
  const found = paymentOf(order, command.referenceId);
  if (!found) return { order, problem: 'no_reference' };
  const { commandId } = command;
  const { state, stateAt, safeAt = now } = found;
  const payment: Payment = {
    ...found,
    mismatchAt: undefined,
    mismatchPaid: undefined,
    existsAfterAllAt: undefined,
    silentSince: undefined,
  };
  const become = (next: PaymentState, more: Partial<Payment> = {}): Decided => {
    const changed = { ...payment, state: next, stateAt: state === next ? stateAt : now, ...more };
    return { order: withPayment(order, changed), concluded: true };
  };
  /** None of its requests is under way or will be sent. */
  const isStopped = ['look_up', 'overdue', 'absent'].includes(state) && !existsAfterAll(found);
  const endedSafely = (next: 'absent' | 'over'): Decided =>
    isStopped && now >= safeAt
      ? become(next)
      : // The time is returned only if waiting for it helps.
        { order, concluded: false, ...(now < safeAt && { safeAt }) };
  switch (command.conclusion) {
    case 'paid':
      return { ...markPaid(withPayment(order, payment), payment, command, now, settings), concluded: true };
    case 'accept':
      return acceptedAmount(order, payment, command, now, settings);
    case 'over':
      if (state === 'paid') return endedMismatch(order, found, payment, commandId);
      return isSurelyEnded(found) || isKnownToExist(found) || isUnsent(found)
        ? become('over')
        : endedSafely('over');
    case 'exists': {
      const link = { paymentUrl: payment.paymentUrl ?? command.paymentUrl };
      const canOpen = isLive(payment) || state === 'absent' || state === 'refused';
      const isLast = order.payments.at(-1) === found;
      if (!canOpen || !isLast) return become(state, link);
      // The day without a webhook begins again.
      return become('open', { stateAt: now, openedAt: found.openedAt ?? now, ...link });
    }
    case 'absent':
      return isSurelyEnded(found) ? endedMismatch(order, found, payment, commandId) : endedSafely('absent');
  }
}

/** True if the payment has ended, and none of its requests can still arrive. */
function isSurelyEnded(payment: Payment): boolean {
  const isOver = ['refused', 'over', 'declined', 'expired', 'paid'].includes(payment.state);
  return isOver && !existsAfterAll(payment);
}

function isKnownToExist(payment: Payment): boolean {
  return existsAfterAll(payment) || payment.openedAt !== undefined;
}

function isUnsent({ state, mayExist }: Payment): boolean {
  return state === 'new' && !mayExist;
}

/** Ends a mismatch without a change of state, after your staff have checked it. */
function endedMismatch(order: Order, found: Payment, looked: Payment, commandId: string): Decided {
  if (found.mismatchAt === undefined) return { order, concluded: found.mismatchEndedToken === commandId };
  return { order: withPayment(order, { ...looked, mismatchEndedToken: commandId }), concluded: true };
}

/** Accepts a paid payment of another amount for the order. */
function acceptedAmount(
  order: Order,
  payment: Payment,
  command: Command<'conclude'>,
  now: number,
  settings: RuleSettings,
): Decided {
  const { commandId } = command;
  const { referenceId, acceptedToken } = payment;
  if (order.paidBy === referenceId && acceptedToken === commandId)
    return { order, concluded: true, firstPaid: true, effect: effectOf(order, commandId) };
  if (!isOtherAmount(payment, order)) return { order, concluded: false };
  const taken = withPayment(order, { ...payment, acceptedToken: commandId });
  return { ...endedByPayment(taken, referenceId, command, now, settings), concluded: true };
}

export function markRefunded(order: Order, { referenceId }: Command<'refunded'>, now: number): Decided {
  const payment = paymentOf(order, referenceId);
  if (!payment) return { order, problem: 'no_reference' };
  if (payment.refundedAt !== undefined) return { order, concluded: true };
  const canRefund = isToRefund(payment, order) || isOtherAmount(payment, order);
  if (!canRefund) return { order, concluded: false };
  return { order: withPayment(order, { ...payment, refundedAt: now }), concluded: true };
}

export function cancelOrder(order: Order, _command: Command<'cancel'>, now: number): Decided {
  if (order.paidBy !== undefined) return { order, concluded: false };
  if (order.cancelledAt !== undefined) return { order, concluded: true };
  return { order: { ...order, cancelledAt: now, noClient: undefined }, concluded: true };
}
