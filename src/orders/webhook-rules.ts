import type { Command, Decided, Decision, PaymentEvent, RuleSettings } from './commands.js';
import { claimTask, effectOf } from './due.js';
import type { Order, Payment } from './order.js';
import { backoffMs, hourMs, inState, withPayment } from './order-parts.js';
import { fitsOrder, isEnded, isLive, isOtherAmount, paymentOf } from './payment-state.js';

/*
 * The rules of webhooks, and of `onPaid`.
 */

const longestStatusLength = 100;

export function acceptWebhook(
  before: Order,
  command: Command<'event'>,
  now: number,
  settings: RuleSettings,
): Decided {
  const { commandId } = command;
  const { referenceId, status } = command.event;
  const found = paymentOf(before, referenceId);
  if (!found) return { order: before, problem: 'no_reference' };
  const unknownStatus = command.event.unknownStatus?.slice(0, longestStatusLength);
  const payment = unknownStatus === found.unknownStatus ? found : { ...found, unknownStatus };
  const order = payment === found ? before : withPayment(before, payment);
  if (status === 'pending' || status === 'unknown') return { order, changed: false };
  const mismatch = differences(payment, command.event);
  if (mismatch.length > 0) {
    const mismatchPaid = status === 'paid' ? true : payment.mismatchPaid;
    const marked = {
      ...payment,
      mismatchAt: payment.mismatchAt ?? now,
      ...(mismatchPaid && { mismatchPaid }),
    };
    return { order: withPayment(order, marked), mismatch };
  }
  if (status === 'paid') return markPaymentPaid(order, payment, command, now, settings);
  const canEnd = isLive(payment) || payment.state === 'overdue';
  if (!canEnd) return { order, changed: payment.endedToken === commandId };
  return {
    order: withPayment(order, inState(payment, status, now, { endedToken: commandId })),
    changed: true,
  };
}

function differences({ expected }: Payment, event: PaymentEvent): NonNullable<Decision['mismatch']> {
  const merchantId = event.merchantId ?? expected.merchantId;
  return [
    ...(event.value === expected.value ? [] : ['amount' as const]),
    ...(event.currency === expected.currency ? [] : ['currency' as const]),
    ...(merchantId === expected.merchantId ? [] : ['merchantId' as const]),
  ];
}

type PaidCommand = Pick<Command<'event'>, 'commandId' | 'canCallOnPaid'>;

/**
 * Stores that a payment is paid, whatever its state is. The payment pays the order if two conditions are met: the order
 * is not paid or cancelled yet, and the payment has the amount, currency and merchant that are due. This is decided
 * only once, when the payment is first reported as paid.
 */
export function markPaymentPaid(
  order: Order,
  payment: Payment,
  command: PaidCommand,
  now: number,
  settings: RuleSettings,
): Decided {
  const { commandId } = command;
  const { referenceId, state, endedToken, acceptedToken } = payment;
  if (state === 'paid') {
    const changed = endedToken === commandId;
    // If `changed` is true, this command was already decided once. If your staff have since accepted the payment for
    // the order, that conclusion has returned `firstPaid: true`, so this command must not return it too.
    const firstPaid = order.paidBy === referenceId && changed && acceptedToken === undefined;
    const otherAmount = isOtherAmount(payment, order);
    return { order, changed, firstPaid, otherAmount, effect: effectOf(order, commandId) };
  }
  const paidDecision = {
    order: withPayment(order, inState(payment, 'paid', now, { endedToken: commandId })),
    changed: true,
    firstPaid: false,
  };
  if (isEnded(order)) return paidDecision;
  if (!fitsOrder(payment, order)) return { ...paidDecision, otherAmount: true };
  return { ...markOrderPaid(paidDecision.order, referenceId, command, now, settings), changed: true };
}

export function markOrderPaid(
  order: Order,
  paidBy: string,
  { commandId, canCallOnPaid }: PaidCommand,
  now: number,
  settings: RuleSettings,
): Decided {
  const pendingOnPaid = settings.onPaid === 'firstPaid' ? undefined : { tries: 0, nextAt: now };
  const paidOrder: Order = { ...order, paidBy, paidAt: now, pendingOnPaid, noClient: undefined };
  const next =
    settings.onPaid === 'here' && canCallOnPaid
      ? claimTask(paidOrder, { type: 'callOnPaid', at: now, tries: 0 }, commandId, now, settings)
      : { order: paidOrder };
  return { ...next, firstPaid: true };
}

/** Stores the result of a call of `onPaid`. */
export function onPaidCalled(
  order: Order,
  { commandId, isDone }: Command<'onPaidCalled'>,
  now: number,
  settings: RuleSettings,
): Decided {
  const { pendingOnPaid } = order;
  if (!pendingOnPaid) return { order };
  if (isDone) return { order: { ...order, pendingOnPaid: undefined } };
  const { claim, ...unclaimed } = pendingOnPaid;
  if (claim?.token !== commandId) return { order };
  const nextAt = now + Math.min(backoffMs(unclaimed.tries, settings), hourMs);
  return { order: { ...order, pendingOnPaid: { ...unclaimed, nextAt } } };
}
