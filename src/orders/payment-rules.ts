import type { NextStep } from '../errors/call-metadata.js';
import type { CallResult, Command, Decided, RuleSettings } from './commands.js';
import { claimTask, effectOf } from './due.js';
import type { CallError, NewPayment, Order, Payment, PaymentClaim, PaymentState } from './order.js';
import { backoffMs, dayMs, hourMs, inState, minuteMs, notBefore, withPayment } from './order-parts.js';
import { fitsOrder, isEnded, isHeld, isLive, isSameAmount, paymentOf } from './payment-state.js';

/*
 * The rules for beginning and sending a payment.
 */

/** The pause after the first refusal of a request. The pause doubles with each further refusal of the same request. */
const refusalPauseMs = 5_000;
const longestRefusalPauseMs = 10 * minuteMs;
/** The time after a restore in which the service can have payments that are missing from the database (assumed). */
const restoreMs = 2 * dayMs;

/**
 * Stores that the account has no client. The next lookup waits as long as the account has been without a client, but at
 * least `repeatAfterMs` and at most an hour. After a day, the order also waits for your staff.
 */
export function markNoClient(order: Order, now: number, { repeatAfterMs }: RuleSettings): Order {
  const sinceAt = order.noClient?.sinceAt ?? now;
  const elapsedMs = now - sinceAt;
  const nextAt = now + Math.min(Math.max(repeatAfterMs, elapsedMs), hourMs);
  return { ...order, noClient: { sinceAt, nextAt, ...(elapsedMs >= dayMs && { isInReview: true }) } };
}

/**
 * Stores the amount due, and adds a payment if the order can have another payment. `sendsLater` is true for the command
 * `add`, which stores the payment without sending it.
 */
function withNextPayment(
  order: Order,
  next: NewPayment | undefined,
  { sendsLater }: { readonly sendsLater: boolean },
  now: number,
  settings: RuleSettings,
): Order {
  if (!next || isEnded(order)) return order;
  const updated = withAmountDue(order, next, now);
  const current = endOutdatedPayment(updated, now);
  const earliest = refusedUntil(current.payments, next);
  // Before `earliest`, `start` adds no payment, and the checkout shows the same refusal again. `add` adds a payment,
  // which is not sent before `earliest`.
  const isBlocked = isHeld(current) || current.payments.some(isLive) || (!sendsLater && now < earliest);
  if (isBlocked) return current;
  if (current.payments.length >= settings.mostPayments)
    return { ...current, tooManyAt: current.tooManyAt ?? now };
  // All earlier payments have ended, so their requests are no longer needed.
  const endedPayments = current.payments.map((payment) => ({ ...payment, request: undefined }));
  const mayExist = settings.restores.some(({ at }) => now < at + restoreMs);
  const nextAt = sendsLater ? Math.max(now + minuteMs, earliest) : now;
  const added: Payment = { ...next, state: 'new', stateAt: now, addedAt: now, sends: 0, nextAt, mayExist };
  return { ...current, payments: [...endedPayments, added], tooManyAt: undefined };
}

function withAmountDue(order: Order, { expected }: NewPayment, now: number): Order {
  const { askedNow } = order;
  if (askedNow && isSameAmount(askedNow, expected)) return order;
  const { value, currency, merchantId } = expected;
  return { ...order, askedNow: { value, currency, merchantId, sinceAt: now } };
}

/**
 * Ends the last payment if it is unsent and does not have the amount due. Exception: if the database was restored, the
 * service might have this payment, so the payment does not end but waits for your staff.
 */
function endOutdatedPayment(order: Order, now: number): Order {
  const last = order.payments.at(-1);
  if (last?.state !== 'new' || fitsOrder(last, order)) return order;
  return withPayment(order, inState(last, last.mayExist ? 'look_up' : 'absent', now));
}

/**
 * The time until which a request with this `contentHash` is not sent again, because it was refused; -Infinity if the
 * last payment had a different `contentHash` or was not refused.
 */
function refusedUntil(payments: readonly Payment[], { contentHash }: Pick<Payment, 'contentHash'>): number {
  const last = payments.at(-1);
  if (last?.state !== 'refused') return -Infinity;
  const isSameRefusal = (payment: Payment) =>
    payment.state === 'refused' && payment.contentHash === contentHash;
  const refusalsInARow = payments.length - 1 - payments.findLastIndex((payment) => !isSameRefusal(payment));
  if (refusalsInARow === 0) return -Infinity;
  return last.stateAt + Math.min(refusalPauseMs * 2 ** (refusalsInARow - 1), longestRefusalPauseMs);
}

/**
 * Decides `start`, with a request (`next`) at a checkout, or without a request in a job. A payment that was sent before
 * is sent again only after the back-off and the `Retry-After` of the service.
 */
export function startPayment(
  order: Order,
  { commandId, next, hasClient }: Command<'start'>,
  now: number,
  settings: RuleSettings,
): Decided {
  const effect = effectOf(order, commandId);
  if (effect) return { order, effect };
  const nextOrder = withNextPayment(order, next, { sendsLater: false }, now, settings);
  const last = nextOrder.payments.at(-1);
  const sendsNothing = !last || isEnded(nextOrder) || now < startSendsAt(last, nextOrder);
  if (sendsNothing) return { order: nextOrder };
  if (hasClient === false) return { order: markNoClient(nextOrder, now, settings) };
  return claimTask(nextOrder, { type: 'send', at: now, payment: last }, commandId, now, settings);
}

/** The earliest time at which `start` sends a payment; Infinity if `start` does not send the payment. */
function startSendsAt(payment: Payment, order: Order): number {
  const { state, nextAt, sends } = payment;
  if (state === 'new') {
    if (isHeld(order)) return Infinity;
    // `slice(0, -1)` leaves out this payment, which is the last.
    return sends === 0 ? refusedUntil(order.payments.slice(0, -1), payment) : nextAt;
  }
  return state === 'unknown' ? nextAt : Infinity;
}

export function addPayment(
  order: Order,
  { next }: Command<'add'>,
  now: number,
  settings: RuleSettings,
): Decided {
  return { order: withNextPayment(order, next, { sendsLater: true }, now, settings) };
}

/**
 * Stores the result of a call. `accepted` is always stored. Any other result is stored only while the payment is
 * `sending` under the claim of that call.
 */
export function callEnded(
  order: Order,
  command: Command<'callEnded'>,
  now: number,
  settings: RuleSettings,
): Decided {
  const { result } = command;
  const payment = paymentOf(order, command.referenceId);
  if (!payment) return { order };
  if (result.step === 'accepted') return { order: withPayment(order, acceptedPayment(payment, result, now)) };
  const { state, claim } = payment;
  if (state !== 'sending' || claim?.token !== command.commandId) return { order };
  const next =
    'error' in result
      ? failedPayment(payment, result, now, settings)
      : withClaimUndone(payment, claim, now, settings);
  return { order: endOutdatedPayment(withPayment(order, next), now) };
}

/** The payment after the service accepted it. The claim of the call does not matter: the payment certainly exists. */
function acceptedPayment(
  payment: Payment,
  { paymentUrl, qrData }: Extract<CallResult, { step: 'accepted' }>,
  now: number,
): Payment {
  const linked: Payment =
    payment.paymentUrl === undefined
      ? { ...payment, paymentUrl, error: undefined, ...(qrData !== undefined && { qrData }) }
      : payment;
  if (linked.state === 'refused' || linked.state === 'absent')
    return { ...linked, existsAfterAllAt: payment.existsAfterAllAt ?? now };
  if (linked.state === 'open' || !isLive(linked)) return linked;
  return inState(linked, 'open', now, { openedAt: now });
}

/**
 * The next step if an earlier send might have created the payment: a refusal of this call says nothing about that send.
 * The client applies the same rule if it is called with `mayHaveBeenSent`. The rule is repeated here, because a restore
 * of the database can set `mayExist` after the client was called without `mayHaveBeenSent`.
 */
function stepIfMayExist(step: NextStep): NextStep {
  return step === 'call_again' || step === 'repeat' ? 'repeat' : 'look_up';
}

function failedPayment(
  payment: Payment,
  { step: reported, error, retryAfterMs }: Extract<CallResult, { error: CallError }>,
  now: number,
  settings: RuleSettings,
): Payment {
  const changeTo = (state: PaymentState, more?: Partial<Payment>): Payment =>
    inState(payment, state, now, { mayExist: state !== 'new' && state !== 'refused', error, ...more });
  const earliest = notBefore(retryAfterMs, now);
  // `stateAt` is the time of the last send, because the payment is still in the state `sending`.
  const wait = { nextAt: Math.max(payment.stateAt + backoffMs(payment.sends, settings), earliest) };
  switch (payment.mayExist ? stepIfMayExist(reported) : reported) {
    case 'refused':
      return changeTo('refused');
    case 'look_up':
      return changeTo('look_up');
    case 'repeat':
      return changeTo('unknown', wait);
    case 'fix':
      return changeTo('new', { firstSendAt: undefined, givenUpAt: now });
    case 'call_again': {
      const isGivenUp = payment.sends >= settings.mostSends;
      const next = isGivenUp ? { givenUpAt: now, nextAt: earliest } : wait;
      return changeTo('new', { firstSendAt: undefined, ...next });
    }
  }
}

/**
 * Undoes the claim of a call whose result is `not_made`. The payment is due again after `repeatAfterMs`, so that many
 * such payments do not fill every sweep.
 */
function withClaimUndone(
  payment: Payment,
  { before }: PaymentClaim,
  now: number,
  settings: RuleSettings,
): Payment {
  const nextAt = now + settings.repeatAfterMs;
  // `firstSendAt` and `givenUpAt` can be missing in `before`, because JSON leaves out a member that is undefined.
  return { ...payment, firstSendAt: undefined, givenUpAt: undefined, ...before, nextAt };
}
