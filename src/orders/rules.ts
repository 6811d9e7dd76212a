import type { NextStep } from '../errors/call-metadata.js';
import { maxInvoices } from '../protocol/limits.js';
import type { CallResult, Command, Decision, Effect, PaymentEvent, RuleSettings } from './commands.js';
import type {
  Claim,
  Invoice,
  NewPayment,
  Order,
  Payment,
  PaymentClaim,
  PaymentState,
  CallError,
} from './order.js';
import { existsAfterAll, isDisputed, isEnded, isLive, isToRefund, paymentOf, reviewsOf } from './views.js';

/*
 * The rules of an order's payments. Everything here is pure: IDs, references and times come in, the next order and at most
 * one effect go out. `test/orders/search` drives these functions through every state of two payments and two processes.
 *
 * A decision is written only if nobody else has written the order since it was read. So a stale read does no harm: its
 * write fails. A command may be decided twice, where the result of the first write was lost: its `commandId` makes both decisions
 * equal.
 *
 * From top to bottom: `decide`, what time changes, what is due, claims, and then each command in the order of a payment's life.
 */

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
/** By the clock of the database, a claim counts as over this long after its end. */
const graceMs = minuteMs;
/** How long the last webhook may take, after the customer's time is over. */
const lateMs = 10 * minuteMs;
const longestOnPaidPauseMs = 60 * minuteMs;

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
  restored,
  addInvoice,
  uploadEnded,
  concludeInvoice,
};

/** The next order, at most one effect, and a result. `order` is undefined where there is no row. */
export function decide(
  orderId: string,
  found: Order | undefined,
  command: Command,
  now: number,
  settings: RuleSettings,
): Decision {
  const mayMake =
    command.type === 'cancel' || command.type === 'add' || (command.type === 'start' && command.next);
  if (!found && !mayMake) return { order: undefined, problem: 'no_order' };
  const made = found ?? { orderId, payments: [], invoices: [] };
  // The result of a call counts although the end of its claim has passed, and a restore is about the order as it was stored: time
  // changes the order only after them.
  const isOfThePast = command.type === 'callEnded' || command.type === 'restored';
  const order = isOfThePast ? made : afterTime(made, now, settings);
  const decision = ruleOf(command)(order, command, now, settings);
  return { ...decision, order: afterTime(decision.order, now, settings) };
}

function ruleOf<Type extends Command['type']>({ type }: Command<Type>): Rule<Type> {
  return rules[type];
}

// Parts of an order

function withPayment(order: Order, changed: Payment): Order {
  const payments = order.payments.map((each) => (each.referenceId === changed.referenceId ? changed : each));
  return { ...order, payments };
}

function withInvoice(order: Order, changed: Invoice): Order {
  const invoices = order.invoices.map((each) => (each.number === changed.number ? changed : each));
  return { ...order, invoices };
}

/** The order with each payment and invoice changed; the same order where none is. */
function withEach(
  order: Order,
  changePayment: (payment: Payment) => Payment,
  changeInvoice: (invoice: Invoice) => Invoice,
): Order {
  const payments = order.payments.map(changePayment);
  const invoices = order.invoices.map(changeInvoice);
  const isSame =
    payments.every((each, index) => each === order.payments[index]) &&
    invoices.every((each, index) => each === order.invoices[index]);
  return isSame ? order : { ...order, payments, invoices };
}

/** The payment or invoice in a state that begins now. */
function inState<Part extends Payment | Invoice>(
  part: Part,
  state: Part['state'],
  now: number,
  more: Partial<Part> = {},
): Part {
  return { ...part, state, stateAt: now, ...more };
}

/** How long after the last of so many sends the next one begins. */
function backoffMs(sends: number, { repeatAfterMs }: RuleSettings): number {
  return repeatAfterMs * 2 ** Math.max(0, sends - 1);
}

/** The earliest time at which the service wants the next request, by the `Retry-After` of now: in a day at the latest. */
function notBefore(retryAfterMs = 0, now: number): number {
  return now + Math.min(retryAfterMs, dayMs);
}

// Changes by time alone. Each of these functions says when, and Infinity for never.

function claimOverAt({ state, claim }: Payment | Invoice): number {
  return state === 'sending' && claim ? claim.endsAt + graceMs : Infinity;
}

function repeatsEndAt({ state, firstSendAt = Infinity, lifetimeMs = Infinity }: Payment): number {
  return state === 'unknown' ? firstSendAt + lifetimeMs : Infinity;
}

/** When the customer's time is over for certain, and the last webhook about it has had time to arrive. */
function overdueAt(payment: Payment): number {
  const { state, stateAt, lifetimeMs = Infinity, openedAt = Infinity, safeAt = stateAt } = payment;
  const mayBePaid = state === 'open' || state === 'look_up' || existsAfterAll(payment);
  // The customer's time began when the service made the payment: before we knew of it, and before its last request was lost.
  return mayBePaid ? Math.min(openedAt, safeAt) + lifetimeMs + lateMs : Infinity;
}

/** When an open payment without `transExpiredTime` has been without a webhook for a day. */
function noWordReviewAt({ state, stateAt, lifetimeMs, noWordAt }: Payment): number {
  const isSilent = state === 'open' && lifetimeMs === undefined && noWordAt === undefined;
  return isSilent ? stateAt + dayMs : Infinity;
}

function changesAt(payment: Payment): number {
  return Math.min(claimOverAt(payment), repeatsEndAt(payment), overdueAt(payment), noWordReviewAt(payment));
}

function mayRepeat(payment: Payment, order: Order, now: number, settings: RuleSettings): boolean {
  const isInTime = payment.sends < settings.mostSends && now < repeatsEndAt(payment);
  return settings.repeatUnknown && isInTime && !isEnded(order);
}

function paymentAfterTime(payment: Payment, order: Order, now: number, settings: RuleSettings): Payment {
  const become = (next: PaymentState, more?: Partial<Payment>): Payment =>
    paymentAfterTime(inState(payment, next, now, more), order, now, settings);
  const { state, stateAt, sends, mayExist } = payment;
  if (now >= claimOverAt(payment))
    return become('unknown', { mayExist: true, nextAt: stateAt + backoffMs(sends, settings) });
  if (state === 'unknown' && !mayRepeat(payment, order, now, settings)) return become('look_up');
  if (state === 'new' && mayExist && isEnded(order)) return become('look_up');
  if (now >= overdueAt(payment))
    return become(settings.reviewOverdue || payment.mismatchAt !== undefined ? 'overdue' : 'expired');
  return now >= noWordReviewAt(payment) ? { ...payment, noWordAt: now } : payment;
}

function afterTime(order: Order, now: number, settings: RuleSettings): Order {
  return withEach(
    order,
    (payment) => paymentAfterTime(payment, order, now, settings),
    (invoice) => (now >= claimOverAt(invoice) ? inState(invoice, 'look_up', now) : invoice),
  );
}

// Due for a machine

/** One thing that `sweep` does, and from when on. */
type Due =
  | { readonly type: 'send'; readonly at: number; readonly payment: Payment }
  | { readonly type: 'callOnPaid'; readonly at: number; readonly tries: number }
  | { readonly type: 'upload'; readonly at: number; readonly invoice: Invoice }
  | { readonly type: 'erase'; readonly at: number };

function sendDue(order: Order): Due[] {
  if (isEnded(order)) return [];
  return order.payments.flatMap((payment): Due[] => {
    const { state, nextAt, givenUpAt } = payment;
    const waits = (state === 'new' && givenUpAt === undefined) || state === 'unknown';
    return waits ? [{ type: 'send', at: nextAt, payment }] : [];
  });
}

function onPaidDue({ telling }: Order): Due[] {
  if (!telling) return [];
  const { claim, nextAt, tries } = telling;
  return [{ type: 'callOnPaid', at: claim ? claim.endsAt + graceMs : nextAt, tries }];
}

/** One at a time, and none beside one that is in doubt. */
function uploadDue({ invoices, paidBy }: Order): Due[] {
  const isBusy = invoices.some(({ state }) => state === 'sending' || state === 'look_up');
  const invoice = invoices.find(({ state }) => state === 'new');
  return paidBy === undefined || isBusy || !invoice ? [] : [{ type: 'upload', at: invoice.nextAt, invoice }];
}

/** When the order ended: paid, cancelled, or its last payment over. */
function endedAt({ paidAt, cancelledAt, payments }: Order): number | undefined {
  const last = payments.at(-1);
  return paidAt ?? cancelledAt ?? (last && !isLive(last) ? last.stateAt : undefined);
}

function eraseDue(order: Order, { eraseAfterMs }: RuleSettings): Due[] {
  const at = endedAt(order);
  if (eraseAfterMs === undefined || at === undefined) return [];
  const isBusy =
    reviewsOf(order).length > 0 ||
    uploadDue(order).length > 0 ||
    [...order.payments, ...order.invoices].some(({ state }) => state === 'sending');
  return isBusy || erased(order) === order ? [] : [{ type: 'erase', at: at + eraseAfterMs }];
}

function allDue(order: Order, settings: RuleSettings): Due[] {
  return [...sendDue(order), ...onPaidDue(order), ...uploadDue(order), ...eraseDue(order, settings)];
}

/** When `sweep` has something to do for an order; undefined where it has not. */
export function dueAt(order: Order, settings: RuleSettings): number | undefined {
  const first = Math.min(
    ...allDue(order, settings).map(({ at }) => at),
    ...order.payments.map(changesAt),
    ...order.invoices.map(claimOverAt),
  );
  return first === Infinity ? undefined : first;
}

/** What `sweep` does with an order: the first thing that is due. */
function doNextDue(
  order: Order,
  { commandId }: Command<'doNextDue'>,
  now: number,
  settings: RuleSettings,
): Decided {
  const effect = effectOf(order, commandId);
  if (effect) return { order, effect };
  const due = allDue(order, settings).find(({ at }) => at <= now);
  return due ? claimed(order, due, commandId, now, settings) : { order };
}

function erased(order: Order): Order {
  // A webhook may still say that it is paid, and then these invoices are uploaded.
  const waits = ({ state }: Invoice) =>
    order.cancelledAt === undefined && (state === 'new' || state === 'look_up');
  return withEach(
    order,
    (payment) => (payment.request === undefined ? payment : { ...payment, request: undefined }),
    (invoice) =>
      invoice.upload === undefined || waits(invoice) ? invoice : { ...invoice, upload: undefined },
  );
}

// Claims: the right of one process to do what is due

function claimed(order: Order, due: Due, commandId: string, now: number, settings: RuleSettings): Decided {
  const taken = withClaim(order, due, { token: commandId, endsAt: now + settings.claimMs }, now, settings);
  return { order: taken, effect: effectOf(taken, commandId) };
}

function withClaim(order: Order, due: Due, claim: Claim, now: number, settings: RuleSettings): Order {
  const sendingNow = { state: 'sending', stateAt: now } as const;
  const safeAt = (earlier = 0) => Math.max(earlier, now + settings.safeAfterMs);
  switch (due.type) {
    case 'send': {
      const { state, stateAt, sends, firstSendAt, givenUpAt } = due.payment;
      return withPayment(order, {
        ...due.payment,
        ...sendingNow,
        safeAt: safeAt(due.payment.safeAt),
        sends: sends + 1,
        firstSendAt: firstSendAt ?? now,
        givenUpAt: undefined,
        claim: { ...claim, before: { state, stateAt, sends, firstSendAt, givenUpAt } },
      });
    }
    case 'upload': {
      const { invoice } = due;
      const sends = invoice.sends + 1;
      return withInvoice(order, { ...invoice, ...sendingNow, safeAt: safeAt(invoice.safeAt), sends, claim });
    }
    case 'callOnPaid':
      return { ...order, telling: { tries: due.tries + 1, nextAt: now, claim } };
    case 'erase':
      return erased(order);
  }
}

/** The task of the process whose command took a claim that still stands. */
export function effectOf(order: Order, commandId: string): Effect | undefined {
  for (const payment of order.payments) {
    const { state, claim } = payment;
    if (state === 'sending' && claim?.token === commandId) return { type: 'send', payment, claim };
  }
  for (const invoice of order.invoices) {
    const { state, claim } = invoice;
    if (state === 'sending' && claim?.token === commandId) return { type: 'upload', invoice, claim };
  }
  const claim = order.telling?.claim;
  return claim?.token === commandId ? { type: 'callOnPaid', claim } : undefined;
}

// A payment begins, and is sent

/** The order with another payment, where one may begin. */
function begun(
  order: Order,
  { next, account }: { next?: NewPayment; account?: string },
  nextAt: number,
  now: number,
): Order {
  if (!next || isEnded(order) || order.payments.some((each) => isLive(each) || isDisputed(each)))
    return order;
  const added: Payment = { ...next, state: 'new', stateAt: now, addedAt: now, sends: 0, nextAt };
  return { ...order, ...(account !== undefined && { account }), payments: [...order.payments, added] };
}

function isOtherAccount(order: Order, account: string | undefined): boolean {
  return account !== undefined && order.payments.length > 0 && order.account !== account;
}

/** A click. It repeats a send only after the back-off, and after the time for which the service asked. */
function start(order: Order, command: Command<'start'>, now: number, settings: RuleSettings): Decided {
  if (isOtherAccount(order, command.account)) return { order, problem: 'other_account' };
  const effect = effectOf(order, command.commandId);
  if (effect) return { order, effect };
  const next = begun(order, command, now, now);
  const last = next.payments.at(-1);
  if (!last || isEnded(next) || now < clickSendsFrom(last)) return { order: next };
  return claimed(next, { type: 'send', at: now, payment: last }, command.commandId, now, settings);
}

function clickSendsFrom({ state, nextAt, sends }: Payment): number {
  if (state === 'new' && sends === 0) return 0;
  return state === 'new' || state === 'unknown' ? nextAt : Infinity;
}

function add(order: Order, command: Command<'add'>, now: number): Decided {
  if (isOtherAccount(order, command.account)) return { order, problem: 'other_account' };
  return { order: begun(order, command, now + minuteMs, now) };
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
  return { order: withPayment(order, next) };
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
 * What to do where an earlier send may have made the payment: that this call was refused says nothing about that one. The client
 * sees to it by `mayHaveBeenSent`, except where the database was restored while the call ran.
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
  if (status === 'other') return { order, changed: false };
  const mismatch = differences(payment, command.event);
  if (mismatch.length > 0)
    return { order: withPayment(order, { ...payment, mismatchAt: payment.mismatchAt ?? now }), mismatch };
  if (status === 'paid') return paid(order, payment, command, now, settings);
  const mayEnd = isLive(payment) || payment.state === 'overdue';
  if (!mayEnd) return { order, changed: payment.endedToken === commandId };
  return {
    order: withPayment(order, inState(payment, status, now, { endedToken: commandId })),
    changed: true,
  };
}

function differences({ asked }: Payment, event: PaymentEvent): NonNullable<Decision['mismatch']> {
  const merchantId = event.merchantId ?? asked.merchantId;
  return [
    ...(event.value === asked.value ? [] : ['amount' as const]),
    ...(event.currency === asked.currency ? [] : ['currency' as const]),
    ...(merchantId === asked.merchantId ? [] : ['merchantId' as const]),
  ];
}

/** Paid counts whenever it is reported. Only the first payment of an order that was not cancelled pays it. */
function paid(
  order: Order,
  payment: Payment,
  { commandId, mayCallOnPaid }: Pick<Command<'event'>, 'commandId' | 'mayCallOnPaid'>,
  now: number,
  settings: RuleSettings,
): Decided {
  const { referenceId, state, endedToken } = payment;
  if (state === 'paid') {
    const firstPaid = order.paidBy === referenceId && endedToken === commandId;
    return { order, changed: endedToken === commandId, firstPaid, effect: effectOf(order, commandId) };
  }
  const counted = withPayment(order, inState(payment, 'paid', now, { endedToken: commandId }));
  if (isEnded(order)) return { order: counted, changed: true, firstPaid: false };
  const telling = settings.hasOnPaid ? { tries: 0, nextAt: now } : undefined;
  const paidOrder: Order = { ...counted, paidBy: referenceId, paidAt: now, telling };
  const callsNow = settings.hasOnPaid && mayCallOnPaid;
  const next = callsNow
    ? claimed(paidOrder, { type: 'callOnPaid', at: now, tries: 0 }, commandId, now, settings)
    : { order: paidOrder };
  return { ...next, changed: true, firstPaid: true };
}

/** How `onPaid` ended. */
function onPaidCalled(
  order: Order,
  { commandId, isDone }: Command<'onPaidCalled'>,
  now: number,
  settings: RuleSettings,
): Decided {
  const { telling } = order;
  if (!telling) return { order };
  if (isDone) return { order: { ...order, telling: undefined } };
  if (telling.claim?.token !== commandId) return { order };
  const { tries } = telling;
  const nextAt = now + Math.min(backoffMs(tries, settings), longestOnPaidPauseMs);
  return { order: { ...order, telling: { tries, nextAt } } };
}

// People

/** Stops repeats, so that a person can look the payment up. */
function lookUp(order: Order, { referenceId }: Command<'lookUp'>, now: number): Decided {
  const payment = paymentOf(order, referenceId);
  if (!payment) return { order, problem: 'no_reference' };
  const { state, safeAt = now } = payment;
  if (!['new', 'sending', 'unknown'].includes(state)) return { order, safeAt };
  return { order: withPayment(order, inState(payment, 'look_up', now)), safeAt };
}

/** A person has seen the payment at the service. Any conclusion says that a mismatch was looked at. */
function conclude(order: Order, command: Command<'conclude'>, now: number, settings: RuleSettings): Decided {
  const found = paymentOf(order, command.referenceId);
  if (!found) return { order, problem: 'no_reference' };
  const { state, stateAt, safeAt = now } = found;
  const payment = { ...found, mismatchAt: undefined, existsAfterAllAt: undefined, noWordAt: undefined };
  const become = (next: PaymentState, more: Partial<Payment> = {}): Decided => {
    const changed = { ...payment, state: next, stateAt: state === next ? stateAt : now, ...more };
    return { order: withPayment(order, changed), concluded: true };
  };
  switch (command.conclusion) {
    case 'paid':
      return { ...paid(withPayment(order, payment), payment, command, now, settings), concluded: true };
    case 'over':
      if (state === 'paid') return { order, concluded: false };
      return state === 'sending' ? { order, concluded: false, safeAt } : become('over');
    case 'exists': {
      const link = { paymentUrl: payment.paymentUrl ?? command.paymentUrl };
      const mayOpen = isLive(payment) || state === 'absent' || state === 'refused';
      const isLast = order.payments.at(-1) === found;
      // Its time has passed: what exists then is over.
      if (state === 'overdue') return become('over', link);
      if (!mayOpen || !isLast) return become(state, link);
      // From now on a day without a webhook counts again.
      return become('open', { stateAt: now, openedAt: found.openedAt ?? now, ...link });
    }
    case 'absent': {
      const isStopped = ['look_up', 'overdue', 'absent'].includes(state) && !existsAfterAll(found);
      if (isStopped && now >= safeAt) return become('absent');
      // A time is named only where waiting for it helps.
      return { order, concluded: false, ...(now < safeAt && { safeAt }) };
    }
  }
}

function refunded(order: Order, { referenceId }: Command<'refunded'>, now: number): Decided {
  const payment = paymentOf(order, referenceId);
  if (!payment) return { order, problem: 'no_reference' };
  return { order: isToRefund(payment, order) ? withPayment(order, { ...payment, refundedAt: now }) : order };
}

function cancel(order: Order, _command: Command<'cancel'>, now: number): Decided {
  if (order.paidBy !== undefined) return { order, concluded: false };
  return { order: order.cancelledAt === undefined ? { ...order, cancelledAt: now } : order, concluded: true };
}

/**
 * The database was set back. What had not been sent by then may have been sent since, by a process whose claim is forgotten.
 */
function restored(order: Order, command: Command<'restored'>, now: number, settings: RuleSettings): Decided {
  const safeAt = now + settings.safeAfterMs;
  const changePayment = (payment: Payment): Payment => {
    const { state, addedAt } = payment;
    if (!['new', 'sending', 'unknown'].includes(state) || addedAt > command.sinceAt) return payment;
    const known = { ...payment, mayExist: true, safeAt };
    return state === 'new' ? inState(known, 'unknown', now, { nextAt: now, givenUpAt: undefined }) : known;
  };
  const changeInvoice = (invoice: Invoice): Invoice =>
    ['new', 'sending', 'look_up'].includes(invoice.state) && invoice.stateAt <= command.sinceAt
      ? inState(invoice, 'look_up', now, { safeAt })
      : invoice;
  return { order: withEach(order, changePayment, changeInvoice) };
}

// Invoices. An upload is never repeated by itself: nothing lets the service recognise it.

function addInvoice(order: Order, { upload, content }: Command<'addInvoice'>, now: number): Decided {
  const kept = order.invoices.filter(({ state }) => state !== 'refused' && state !== 'dropped');
  if (kept.some((invoice) => invoice.content === content)) return { order };
  if (kept.length >= maxInvoices) return { order, problem: 'too_many_invoices' };
  const number = order.invoices.length + 1;
  const added: Invoice = { number, upload, content, state: 'new', stateAt: now, sends: 0, nextAt: now };
  return { order: { ...order, invoices: [...order.invoices, added] } };
}

function uploadEnded(
  order: Order,
  command: Command<'uploadEnded'>,
  now: number,
  settings: RuleSettings,
): Decided {
  const { result } = command;
  const invoice = order.invoices.find(({ number }) => number === command.number);
  if (!invoice) return { order };
  const { state, claim, sends } = invoice;
  const become = (next: Invoice['state'], more?: Partial<Invoice>): Decided => ({
    order: withInvoice(order, inState(invoice, next, now, more)),
  });
  if (result.step === 'accepted') return state === 'stored' ? { order } : become('stored');
  const isInDoubt = state === 'sending' || state === 'look_up';
  if (!isInDoubt || claim?.token !== command.commandId) return { order };
  if (!('error' in result)) return become('new', { sends: sends - 1, nextAt: now + settings.repeatAfterMs });
  const { step, error, retryAfterMs } = result;
  if (step === 'repeat' || step === 'look_up') return become('look_up', { error });
  if (step !== 'call_again' || sends >= settings.mostSends) return become('refused', { error });
  const nextAt = Math.max(now + backoffMs(sends, settings), notBefore(retryAfterMs, now));
  return become('new', { error, nextAt });
}

function concludeInvoice(order: Order, command: Command<'concludeInvoice'>, now: number): Decided {
  const invoice = order.invoices.find(({ number }) => number === command.number);
  if (!invoice) return { order, problem: 'no_invoice' };
  const { state, safeAt = now } = invoice;
  const become = (next: Invoice['state']): Decided => ({
    order: withInvoice(order, inState(invoice, next, now, { nextAt: now })),
    concluded: true,
  });
  if (command.conclusion === 'stored') return become('stored');
  if (state === 'new' || state === 'dropped') return { order, concluded: true };
  if (state === 'refused') return become('dropped');
  return state === 'look_up' && now >= safeAt ? become('new') : { order, concluded: false, safeAt };
}
