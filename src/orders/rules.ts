import type { NextStep } from '../errors/call-metadata.js';
import type { CallResult, Command, Decision, PaymentEvent, RuleSettings } from './commands.js';
import { allDue, effectOf, withClaim, type Due } from './due.js';
import { addInvoice, concludeInvoice, uploadEnded } from './invoice-rules.js';
import {
  currentForm,
  type CallError,
  type NewPayment,
  type Order,
  type Payment,
  type PaymentClaim,
  type PaymentState,
} from './order.js';
import { backoffMs, dayMs, hourMs, inState, minuteMs, notBefore, withPayment } from './order-parts.js';
import {
  existsAfterAll,
  fits,
  isEnded,
  isHeld,
  isLive,
  isOtherAmount,
  isSameAmount,
  isToRefund,
  paymentOf,
} from './payment-state.js';
import { afterRestores, afterTime } from './time-rules.js';

/*
 * The rules of an order's payments. All functions here are pure: they accept IDs, a time and an order, and return the next order
 * and at most one effect. `test/orders/search` runs them through every state of two payments and two processes.
 *
 * A decision is written only if no other process has written the order since it was read, so a stale read does no harm. A command
 * can be decided twice, if the result of the first write was lost: its `commandId` makes both decisions equal.
 *
 * The file begins with `decide` and the sweep; the other commands follow in the order of a payment's life. Changes by time are in
 * `time-rules.ts`, due tasks and claims in `due.ts`, invoices in `invoice-rules.ts`.
 */

/** The first pause after a refusal; it doubles with each further refusal. */
const refusalPauseMs = 5_000;
const longestRefusalPauseMs = 10 * minuteMs;
/** The time after a restore in which the service can have payments that are missing from the database. */
const restoreMs = 2 * dayMs;
const longestStatusLength = 100;

type Decided = Decision & { readonly order: Order };
type Rule<Type extends Command['type']> = (
  order: Order,
  command: Command<Type>,
  now: number,
  settings: RuleSettings,
) => Decided;

const rules: { readonly [Type in Command['type']]: Rule<Type> } = {
  start,
  add,
  doNextDue,
  callEnded,
  event,
  onPaidCalled,
  lookUp,
  conclude,
  refunded,
  cancel,
  addInvoice,
  uploadEnded,
  concludeInvoice,
};

/** Decides a command: returns the next order, at most one effect, and a result. `found` is undefined if there is no row. */
export function decide(
  orderId: string,
  found: Order | undefined,
  command: Command,
  now: number,
  settings: RuleSettings,
): Decision {
  const account = 'account' in command ? command.account : undefined;
  if (found && account !== undefined && found.account !== account)
    return { order: found, problem: 'other_account' };
  const canMake =
    command.type === 'cancel' || command.type === 'add' || (command.type === 'start' && command.next);
  if (!found && !canMake) return { order: undefined, problem: 'no_order' };
  const made = found ?? {
    form: currentForm,
    orderId,
    ...(account !== undefined && { account }),
    payments: [],
    invoices: [],
  };
  const restored = afterRestores(made, now, settings);
  // The result of a call counts even after the end of its claim, so time changes the order only after the command.
  const before = command.type === 'callEnded' ? restored : afterTime(restored, now, settings);
  const decision = ruleOf(command)(before, command, now, settings);
  const after = afterTime(decision.order, now, settings);
  return { ...decision, order: after === found ? after : withEraseTime(after, settings) };
}

/** Stores the time with the order, so that processes without the option erase it too. */
function withEraseTime(order: Order, { eraseAfterMs }: RuleSettings): Order {
  return eraseAfterMs === undefined || order.eraseAfterMs === eraseAfterMs
    ? order
    : { ...order, eraseAfterMs };
}

function ruleOf<Type extends Command['type']>({ type }: Command<Type>): Rule<Type> {
  return rules[type];
}

// A sweep

/** Claims the first task that is due and that this process can do. */
function doNextDue(
  order: Order,
  { commandId, hasClient }: Command<'doNextDue'>,
  now: number,
  settings: RuleSettings,
): Decided {
  const effect = effectOf(order, commandId);
  if (effect) return { order, effect };
  const due = allDue(order).find(
    ({ type, at }) => at <= now && (type !== 'callOnPaid' || settings.onPaid === 'here'),
  );
  if (!due) return { order };
  const needsClient = due.type === 'send' || due.type === 'upload';
  if (needsClient && hasClient === false) return { order: withoutClient(order, now, settings) };
  return claimed(order, due, commandId, now, settings);
}

/** Stores that the account has no client. The next wait is as long as the account has had none, up to an hour. */
function withoutClient(order: Order, now: number, { repeatAfterMs }: RuleSettings): Order {
  const sinceAt = order.noClient?.sinceAt ?? now;
  const elapsedMs = now - sinceAt;
  const nextAt = now + Math.min(Math.max(repeatAfterMs, elapsedMs), hourMs);
  return { ...order, noClient: { sinceAt, nextAt, ...(elapsedMs >= dayMs && { isInReview: true }) } };
}

function claimed(order: Order, due: Due, commandId: string, now: number, settings: RuleSettings): Decided {
  const taken = withClaim(order, due, commandId, now, settings);
  return { order: taken, effect: effectOf(taken, commandId) };
}

// A payment begins, and is sent

/** Stores what the shop asks from now on, and adds a payment if the order can have one. */
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
  // A click gets the same refusal again; a payment that is only added waits.
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

/** Ends an unsent last payment whose amount is not what the order asks now. */
function withoutUnsent(order: Order, now: number): Order {
  const last = order.payments.at(-1);
  if (last?.state !== 'new' || fits(last, order)) return order;
  // After a restore the service can have it even so.
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
function start(
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

function add(order: Order, { next }: Command<'add'>, now: number, settings: RuleSettings): Decided {
  return { order: begun(order, next, { isAdded: true }, now, settings) };
}

/** Stores the result of a call. It counts only while the claim of that call is the current one; `accepted` always counts. */
function callEnded(
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
 * The step if an earlier send might have made the payment: a refusal of this call says nothing about the earlier one. The client
 * already does this because of `mayHaveBeenSent`, unless the database was restored during the call.
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
  // The state `sending` began with the send.
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

/** Undoes a claim whose call sent nothing. The payment is due again later, so that many of these do not fill every sweep. */
function unclaimed(payment: Payment, { before }: PaymentClaim, now: number, settings: RuleSettings): Payment {
  const nextAt = now + settings.repeatAfterMs;
  return { ...payment, firstSendAt: undefined, givenUpAt: undefined, ...before, nextAt };
}

// Webhooks

function event(before: Order, command: Command<'event'>, now: number, settings: RuleSettings): Decided {
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
  if (status === 'paid') return paid(order, payment, command, now, settings);
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

type PaidCommand = Pick<Command<'event'>, 'commandId' | 'mayCallOnPaid'>;

/**
 * Stores that a payment is paid, in whatever state it is. The first paid payment that asks what the order asks now pays the order,
 * unless it was cancelled. This is decided once, when the payment is first reported as paid.
 */
function paid(
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
    // If your staff accepted it meanwhile, that call has returned firstPaid.
    const firstPaid = order.paidBy === referenceId && changed && acceptedToken === undefined;
    const otherAmount = isOtherAmount(payment, order);
    return { order, changed, firstPaid, otherAmount, effect: effectOf(order, commandId) };
  }
  const counted = withPayment(order, inState(payment, 'paid', now, { endedToken: commandId }));
  if (isEnded(order)) return { order: counted, changed: true, firstPaid: false };
  if (!fits(payment, order)) return { order: counted, changed: true, firstPaid: false, otherAmount: true };
  return { ...endedByPayment(counted, referenceId, command, now, settings), changed: true };
}

/** Marks the order as paid by one of its payments. */
function endedByPayment(
  order: Order,
  paidBy: string,
  { commandId, mayCallOnPaid }: PaidCommand,
  now: number,
  settings: RuleSettings,
): Decided {
  const pendingOnPaid = settings.onPaid === 'firstPaid' ? undefined : { tries: 0, nextAt: now };
  const paidOrder: Order = { ...order, paidBy, paidAt: now, pendingOnPaid, noClient: undefined };
  const next =
    settings.onPaid === 'here' && mayCallOnPaid
      ? claimed(paidOrder, { type: 'callOnPaid', at: now, tries: 0 }, commandId, now, settings)
      : { order: paidOrder };
  return { ...next, firstPaid: true };
}

/** Stores the result of a call of `onPaid`. */
function onPaidCalled(
  order: Order,
  { commandId, isDone }: Command<'onPaidCalled'>,
  now: number,
  settings: RuleSettings,
): Decided {
  const { pendingOnPaid } = order;
  if (!pendingOnPaid) return { order };
  if (isDone) return { order: { ...order, pendingOnPaid: undefined } };
  const { claim, ...waiting } = pendingOnPaid;
  if (claim?.token !== commandId) return { order };
  const nextAt = now + Math.min(backoffMs(waiting.tries, settings), hourMs);
  return { order: { ...order, pendingOnPaid: { ...waiting, nextAt } } };
}

// Staff

/** Stops the repeats of a payment, so that your staff can look it up. */
function lookUp(order: Order, { referenceId }: Command<'lookUp'>, now: number): Decided {
  const payment = paymentOf(order, referenceId);
  if (!payment) return { order, problem: 'no_reference' };
  const { state, safeAt = now } = payment;
  if (!['new', 'sending', 'unknown'].includes(state)) return { order, safeAt };
  return { order: withPayment(order, inState(payment, 'look_up', now)), safeAt };
}

/** Stores what your staff found at the provider. Every conclusion that is stored ends a mismatch. */
function conclude(order: Order, command: Command<'conclude'>, now: number, settings: RuleSettings): Decided {
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
      return { ...paid(withPayment(order, payment), payment, command, now, settings), concluded: true };
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

function refunded(order: Order, { referenceId }: Command<'refunded'>, now: number): Decided {
  const payment = paymentOf(order, referenceId);
  if (!payment) return { order, problem: 'no_reference' };
  if (payment.refundedAt !== undefined) return { order, concluded: true };
  const canRefund = isToRefund(payment, order) || isOtherAmount(payment, order);
  if (!canRefund) return { order, concluded: false };
  return { order: withPayment(order, { ...payment, refundedAt: now }), concluded: true };
}

function cancel(order: Order, _command: Command<'cancel'>, now: number): Decided {
  if (order.paidBy !== undefined) return { order, concluded: false };
  if (order.cancelledAt !== undefined) return { order, concluded: true };
  return { order: { ...order, cancelledAt: now, noClient: undefined }, concluded: true };
}
