import type { NextStep } from '../errors/call-metadata.js';
import type { CallResult, Command, Decided, RuleSettings } from './commands.js';
import { claimed, effectOf } from './due.js';
import type { CallError, NewPayment, Order, Payment, PaymentClaim, PaymentState } from './order.js';
import { backoffMs, dayMs, hourMs, inState, minuteMs, notBefore, withPayment } from './order-parts.js';
import { fitsOrder, isEnded, isHeld, isLive, isSameAmount, paymentOf } from './payment-state.js';

/*
 * The rules by which a payment begins and is sent.
 */

/** The first pause after a refusal; it doubles with each further refusal. */
const refusalPauseMs = 5_000;
const longestRefusalPauseMs = 10 * minuteMs;
/** The time after a restore in which the service can have payments that are missing from the database. */
const restoreMs = 2 * dayMs;

/** Stores that the account has no client. The next wait is as long as the account has had none, up to an hour. */
export function withoutClient(order: Order, now: number, { repeatAfterMs }: RuleSettings): Order {
  const sinceAt = order.noClient?.sinceAt ?? now;
  const elapsedMs = now - sinceAt;
  const nextAt = now + Math.min(Math.max(repeatAfterMs, elapsedMs), hourMs);
  return { ...order, noClient: { sinceAt, nextAt, ...(elapsedMs >= dayMs && { isInReview: true }) } };
}

/** Stores what the shop asks for from now on, and adds a payment if the order can have one. */
function begun(
  order: Order,
  next: NewPayment | undefined,
  { isAdded }: { readonly isAdded: boolean },
  now: number,
  settings: RuleSettings,
): Order {
  if (!next || isEnded(order)) return order;
  const asking = asks(order, next, now);
  const free = withoutUnsent(asking, now);
  const earliest = refusedUntil(free.payments, next);
  // Before `earliest`, a click adds no payment and shows the same refusal again; `add` adds a payment that waits.
  const isBlocked = isHeld(free) || free.payments.some(isLive) || (!isAdded && now < earliest);
  if (isBlocked) return free;
  if (free.payments.length >= settings.mostPayments) return { ...free, tooManyAt: free.tooManyAt ?? now };
  // The requests of ended payments are no longer needed.
  const earlier = free.payments.map((payment) => ({ ...payment, request: undefined }));
  const mayExist = settings.restores.some(({ at }) => now < at + restoreMs);
  const nextAt = isAdded ? Math.max(now + minuteMs, earliest) : now;
  const added: Payment = { ...next, state: 'new', stateAt: now, addedAt: now, sends: 0, nextAt, mayExist };
  return { ...free, payments: [...earlier, added], tooManyAt: undefined };
}

function asks(order: Order, { expected }: NewPayment, now: number): Order {
  const { askedNow } = order;
  if (askedNow && isSameAmount(askedNow, expected)) return order;
  const { value, currency, merchantId } = expected;
  return { ...order, askedNow: { value, currency, merchantId, sinceAt: now } };
}

/** Ends an unsent last payment whose amount is not what the order asks for now. */
function withoutUnsent(order: Order, now: number): Order {
  const last = order.payments.at(-1);
  if (last?.state !== 'new' || fitsOrder(last, order)) return order;
  // After a restore, the service can have the payment, although the database shows it as unsent.
  return withPayment(order, inState(last, last.mayExist ? 'look_up' : 'absent', now));
}

/** The time until which the same content is not sent again after a refusal. The pause doubles with each refusal. */
function refusedUntil(payments: readonly Payment[], { contentHash }: Pick<Payment, 'contentHash'>): number {
  const last = payments.at(-1);
  if (last?.state !== 'refused') return -Infinity;
  const other = payments.findLastIndex(
    (payment) => payment.state !== 'refused' || payment.contentHash !== contentHash,
  );
  const refusals = payments.length - 1 - other;
  if (refusals === 0) return -Infinity;
  return last.stateAt + Math.min(refusalPauseMs * 2 ** (refusals - 1), longestRefusalPauseMs);
}

/** Decides a click. It repeats a send only after the back-off, and not before the time that the service asked for. */
export function startPayment(
  order: Order,
  { commandId, next, hasClient }: Command<'start'>,
  now: number,
  settings: RuleSettings,
): Decided {
  const effect = effectOf(order, commandId);
  if (effect) return { order, effect };
  const begunOrder = begun(order, next, { isAdded: false }, now, settings);
  const last = begunOrder.payments.at(-1);
  const isWaiting = !last || isEnded(begunOrder) || now < clickSendsFrom(last, begunOrder);
  if (isWaiting) return { order: begunOrder };
  if (hasClient === false) return { order: withoutClient(begunOrder, now, settings) };
  return claimed(begunOrder, { type: 'send', at: now, payment: last }, commandId, now, settings);
}

function clickSendsFrom(payment: Payment, order: Order): number {
  const { state, nextAt, sends } = payment;
  if (state === 'new') {
    if (isHeld(order)) return Infinity;
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
  return { order: begun(order, next, { isAdded: true }, now, settings) };
}

/**
 * Stores the result of a call. It counts only while the claim of that call is the current one; `accepted` always
 * counts.
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
  if (result.step === 'accepted') return { order: withPayment(order, accepted(payment, result, now)) };
  const { state, claim } = payment;
  if (state !== 'sending' || claim?.token !== command.commandId) return { order };
  const next =
    'error' in result ? failed(payment, result, now, settings) : unclaimed(payment, claim, now, settings);
  return { order: withoutUnsent(withPayment(order, next), now) };
}

/** Stores that a payment exists, even if another claim has replaced that of the call. */
function accepted(
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
 * The step if an earlier send might have made the payment: a refusal of this call says nothing about the earlier one.
 * The client already does this because of `mayHaveBeenSent`, unless the database was restored during the call.
 */
function stepInDoubt(step: NextStep): NextStep {
  return step === 'call_again' || step === 'repeat' ? 'repeat' : 'look_up';
}

function failed(
  payment: Payment,
  { step: reported, error, retryAfterMs }: Extract<CallResult, { error: CallError }>,
  now: number,
  settings: RuleSettings,
): Payment {
  const become = (state: PaymentState, more?: Partial<Payment>): Payment =>
    inState(payment, state, now, { mayExist: state !== 'new' && state !== 'refused', error, ...more });
  const earliest = notBefore(retryAfterMs, now);
  // The payment is in the state `sending`, so `stateAt` is the time of its last send.
  const waits = { nextAt: Math.max(payment.stateAt + backoffMs(payment.sends, settings), earliest) };
  switch (payment.mayExist ? stepInDoubt(reported) : reported) {
    case 'refused':
      return become('refused');
    case 'look_up':
      return become('look_up');
    case 'repeat':
      return become('unknown', waits);
    case 'fix':
      return become('new', { firstSendAt: undefined, givenUpAt: now });
    case 'call_again': {
      const isGivenUp = payment.sends >= settings.mostSends;
      const next = isGivenUp ? { givenUpAt: now, nextAt: earliest } : waits;
      return become('new', { firstSendAt: undefined, ...next });
    }
  }
}

/**
 * Undoes a claim whose call sent nothing. The payment is due again later, so that many of these do not fill every
 * sweep.
 */
function unclaimed(payment: Payment, { before }: PaymentClaim, now: number, settings: RuleSettings): Payment {
  const nextAt = now + settings.repeatAfterMs;
  return { ...payment, firstSendAt: undefined, givenUpAt: undefined, ...before, nextAt };
}
