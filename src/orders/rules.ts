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
 * The rules of an order's payments. Everything here is pure: IDs, references and times come in, the next order and at most
 * one effect go out. `test/orders/search` drives these functions through every state of two payments and two processes.
 *
 * A decision is written only if no other process has written the order since it was read. So a stale read does no harm: its
 * write fails. A command may be decided twice, if the result of the first write was lost: its `commandId` makes both decisions
 * equal.
 *
 * From top to bottom: `decide`, what a sweep does, and then each command in the order of a payment's life. What time changes is in
 * `time-rules.ts`, what is due and claims in `due.ts`, invoices in `invoice-rules.ts`.
 */

/** The pauses after a refusal: 5 s, 10 s, 20 s and so on. */
const refusalPauseMs = 5_000;
const longestRefusalPauseMs = 10 * minuteMs;
/** How long after a restore the service may know a payment that the database has forgotten. */
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

/** The next order, at most one effect, and a result. `order` is undefined if there is no row. */
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
  // The result of a call counts although the end of its claim has passed: time changes the order only after it.
  const before = command.type === 'callEnded' ? restored : afterTime(restored, now, settings);
  const decision = ruleOf(command)(before, command, now, settings);
  const after = afterTime(decision.order, now, settings);
  return { ...decision, order: after === found ? after : withEraseTime(after, settings) };
}

/** The time is stored with the order, so that each process erases it, also one that does not have the option. */
function withEraseTime(order: Order, { eraseAfterMs }: RuleSettings): Order {
  return eraseAfterMs === undefined || order.eraseAfterMs === eraseAfterMs
    ? order
    : { ...order, eraseAfterMs };
}

function ruleOf<Type extends Command['type']>({ type }: Command<Type>): Rule<Type> {
  return rules[type];
}

// A sweep

/** What `sweep` does with an order: the first thing that is due and that this process can do. */
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

/** The waits grow with the time for which the account has had no client. */
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

/** The order with what its shop asks from now on, and with another payment if one may begin. */
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
  // A click gets the refusal again; what is only added waits.
  const isBlocked = isHeld(free) || free.payments.some(isLive) || (!isAdded && now < earliest);
  if (isBlocked) return free;
  if (free.payments.length >= settings.mostPayments) return { ...free, tooManyAt: free.tooManyAt ?? now };
  // The requests of payments that ended are not needed any more.
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

/** A payment of another amount than the order asks now, of which nothing was sent, will not be sent. */
function withoutUnsent(order: Order, now: number): Order {
  const last = order.payments.at(-1);
  if (last?.state !== 'new' || fits(last, order)) return order;
  // After a restore the service may have it all the same.
  return withPayment(order, inState(last, last.mayExist ? 'look_up' : 'absent', now));
}

/** What the service has just refused is sent again only after a pause, each time a longer one. */
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

/** A click. It repeats a send only after the back-off, and after the time for which the service asked. */
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

/** The result of a call counts only while the claim of that call stands. `accepted` always counts. */
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

/** A payment that exists is never lost, whoever reports it. */
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
 * The step if an earlier send may have made the payment: that this call was refused says nothing about that one. The client
 * sees to it by `mayHaveBeenSent`, except if the database was restored while the call ran.
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
  // Its state began with the send.
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

/** Takes a claim back whose call sent nothing. The payment is due again only later: else many of these would fill every sweep. */
function unclaimed(payment: Payment, { before }: PaymentClaim, now: number, settings: RuleSettings): Payment {
  const nextAt = now + settings.repeatAfterMs;
  return { ...payment, firstSendAt: undefined, givenUpAt: undefined, ...before, nextAt };
}

// Webhooks

function event(order: Order, command: Command<'event'>, now: number, settings: RuleSettings): Decided {
  const { commandId } = command;
  const payment = paymentOf(order, command.event.referenceId);
  if (!payment) return { order, problem: 'no_reference' };
  const { status } = command.event;
  if (status === 'pending') return { order, changed: false };
  if (status === 'unknown') {
    const unknownStatus = command.event.unknownStatus?.slice(0, longestStatusLength);
    const isNew = unknownStatus !== undefined && unknownStatus !== payment.unknownStatus;
    return { order: isNew ? withPayment(order, { ...payment, unknownStatus }) : order, changed: false };
  }
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
 * Paid counts whenever it is reported. The first payment that asked what the order asks now pays it, unless the order was
 * cancelled. Whether it did is judged once, when the payment is reported paid.
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
    // If your staff accepted it meanwhile, that call was told.
    const firstPaid = order.paidBy === referenceId && changed && acceptedToken === undefined;
    const otherAmount = isOtherAmount(payment, order);
    return { order, changed, firstPaid, otherAmount, effect: effectOf(order, commandId) };
  }
  const counted = withPayment(order, inState(payment, 'paid', now, { endedToken: commandId }));
  if (isEnded(order)) return { order: counted, changed: true, firstPaid: false };
  if (!fits(payment, order)) return { order: counted, changed: true, firstPaid: false, otherAmount: true };
  return { ...endedByPayment(counted, referenceId, command, now, settings), changed: true };
}

/** The order, paid by one of its payments. */
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

/** The end of a call of `onPaid`. */
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

/** Stops repeats, so that your staff can look the payment up. */
function lookUp(order: Order, { referenceId }: Command<'lookUp'>, now: number): Decided {
  const payment = paymentOf(order, referenceId);
  if (!payment) return { order, problem: 'no_reference' };
  const { state, safeAt = now } = payment;
  if (!['new', 'sending', 'unknown'].includes(state)) return { order, safeAt };
  return { order: withPayment(order, inState(payment, 'look_up', now)), safeAt };
}

/** Your staff have seen the payment at the provider. Any conclusion that is stored ends a mismatch. */
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
  /** No request of it is under way, or will be sent. */
  const isStopped = ['look_up', 'overdue', 'absent'].includes(state) && !existsAfterAll(found);
  const endedSafely = (next: 'absent' | 'over'): Decided =>
    isStopped && now >= safeAt
      ? become(next)
      : // A time is named only if waiting for it helps.
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
      // From now on a day without a webhook counts again.
      return become('open', { stateAt: now, openedAt: found.openedAt ?? now, ...link });
    }
    case 'absent':
      return isSurelyEnded(found) ? endedMismatch(order, found, payment, commandId) : endedSafely('absent');
  }
}

/** Nothing of it is under way, whatever becomes of it. */
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

/** A conclusion that leaves the state as it is says that the mismatch was looked at. */
function endedMismatch(order: Order, found: Payment, looked: Payment, commandId: string): Decided {
  if (found.mismatchAt === undefined) return { order, concluded: found.mismatchEndedToken === commandId };
  return { order: withPayment(order, { ...looked, mismatchEndedToken: commandId }), concluded: true };
}

/** Your staff take a payment of another amount for the order as it is. */
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
