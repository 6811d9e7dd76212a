import type { Command, Decided, RuleSettings } from './commands.js';
import { effectOf } from './due.js';
import type { Order, Payment, PaymentState } from './order.js';
import { inState, withPayment } from './order-parts.js';
import { existsAfterAll, isLive, isOtherAmount, isToRefund, paymentOf } from './payment-state.js';
import { markOrderPaid, markPaymentPaid } from './webhook-rules.js';

/*
 * The rules for the calls of your staff: lookUp, conclude, markRefunded and cancel.
 */

/** Stops the repeats of a payment, so that your staff can look up the payment. */
export function stopRepeats(order: Order, { referenceId }: Command<'lookUp'>, now: number): Decided {
  const payment = paymentOf(order, referenceId);
  if (!payment) return { order, problem: 'no_reference' };
  const { state, safeAt = now } = payment;
  if (!['new', 'sending', 'unknown'].includes(state)) return { order, safeAt };
  return { order: withPayment(order, inState(payment, 'look_up', now)), safeAt };
}

/**
 * Stores the conclusion of your staff about a payment. Every conclusion that is stored also closes a mismatch
 * (`cleared`).
 */
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
  const cleared: Payment = {
    ...found,
    mismatchAt: undefined,
    mismatchPaid: undefined,
    existsAfterAllAt: undefined,
    silentSince: undefined,
  };
  const changeTo = (next: PaymentState, more: Partial<Payment> = {}): Decided => {
    const changed = { ...cleared, state: next, stateAt: state === next ? stateAt : now, ...more };
    return { order: withPayment(order, changed), concluded: true };
  };
  /** True if the payment is not sent any more. But a request that is already sent can arrive until `safeAt`. */
  const isStopped = ['look_up', 'overdue', 'absent'].includes(state) && !existsAfterAll(found);
  const endIfSafe = (next: 'absent' | 'over'): Decided => {
    if (isStopped && now >= safeAt) return changeTo(next);
    // `safeAt` is returned only if it has not passed.
    return { order, concluded: false, ...(now < safeAt && { safeAt }) };
  };
  switch (command.conclusion) {
    case 'paid':
      return {
        ...markPaymentPaid(withPayment(order, cleared), cleared, command, now, settings),
        concluded: true,
      };
    case 'accept':
      return acceptOtherAmount(order, cleared, command, now, settings);
    case 'over':
      if (state === 'paid') return closeMismatch(order, found, cleared, commandId);
      return isSurelyEnded(found) || isKnownToExist(found) || isUnsent(found)
        ? changeTo('over')
        : endIfSafe('over');
    case 'exists': {
      const link = { paymentUrl: found.paymentUrl ?? command.paymentUrl };
      const canOpen = isLive(cleared) || state === 'absent' || state === 'refused';
      const isLast = order.payments.at(-1) === found;
      if (!canOpen || !isLast) return changeTo(state, link);
      // If no webhook ends an open payment within a day after `stateAt`, the payment can wait for your staff
      // (`silentAt` in `time-rules.ts`). This conclusion sets `stateAt`, so the day begins again.
      return changeTo('open', { stateAt: now, openedAt: found.openedAt ?? now, ...link });
    }
    case 'absent':
      return isSurelyEnded(found) ? closeMismatch(order, found, cleared, commandId) : endIfSafe('absent');
  }
}

/** True if the payment has certainly ended. A conclusion then does not need to wait for `safeAt`. */
function isSurelyEnded(payment: Payment): boolean {
  const hasEnded = ['refused', 'over', 'declined', 'expired', 'paid'].includes(payment.state);
  return hasEnded && !existsAfterAll(payment);
}

function isKnownToExist(payment: Payment): boolean {
  return existsAfterAll(payment) || payment.openedAt !== undefined;
}

function isUnsent({ state, mayExist }: Payment): boolean {
  return state === 'new' && !mayExist;
}

/** Closes a mismatch without a change of state, after your staff have checked the payment. */
function closeMismatch(order: Order, found: Payment, cleared: Payment, commandId: string): Decided {
  if (found.mismatchAt === undefined) return { order, concluded: found.mismatchEndedToken === commandId };
  return { order: withPayment(order, { ...cleared, mismatchEndedToken: commandId }), concluded: true };
}

/** Accepts a paid payment for the order, although the amount of the payment differs from the amount due. */
function acceptOtherAmount(
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
  const accepted = withPayment(order, { ...payment, acceptedToken: commandId });
  return { ...markOrderPaid(accepted, referenceId, command, now, settings), concluded: true };
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
