import type { NextStep } from '../errors/call-metadata.js';
import type { Command, Decision, Effect, PaymentEvent, Policy, SendResult } from './commands.js';
import type {
  Claim,
  Invoice,
  NewPayment,
  Order,
  Payment,
  PaymentClaim,
  PaymentState,
  Problem,
} from './order.js';
import { isEnded, isLive, isToRefund, reviewsOf } from './views.js';

/*
 * The rules of an order's payments. Everything here is pure: tokens, references and times come in, and the next order goes
 * out. `test/orders/search` drives these functions through every state of two payments and two processes.
 *
 * A decision is written only if nobody else has written since the order was read. So a decision may be made on the time of
 * an older read, and a command may be decided twice: where its first answer was lost, its token gives the same one again.
 */

const minuteMs = 60_000;
/** Judged by the clock of the database, a claim counts as over this long after its end. */
const graceMs = minuteMs;
/** For the last notification, after the customer's time is over. */
const lateMs = 10 * minuteMs;
const dayMs = 24 * 60 * minuteMs;
const longestTellMs = 60 * minuteMs;
export const mostInvoices = 3;

const unpaidStates: readonly PaymentState[] = ['new', 'sending', 'unknown', 'look_up', 'open', 'overdue'];

/** One that was concluded to be absent and was accepted after all blocks the next one too, until a person has looked. */
function mayBeLive(payment: Payment): boolean {
  return isLive(payment) || payment.existsAfterAllAt !== undefined;
}

function paymentOf(order: Order | undefined, referenceId: string): Payment | undefined {
  return order?.payments.find((payment) => payment.referenceId === referenceId);
}

function withPayment(order: Order, changed: Payment): Order {
  const payments = order.payments.map((each) => (each.referenceId === changed.referenceId ? changed : each));
  return { ...order, payments };
}

function withInvoice(order: Order, changed: Invoice): Order {
  return {
    ...order,
    invoices: order.invoices.map((each) => (each.number === changed.number ? changed : each)),
  };
}

/** The n-th repeat begins this long after the send before it. */
function backoffMs(sends: number, { repeatAfterMs }: Policy): number {
  return repeatAfterMs * 2 ** Math.max(0, sends - 1);
}

/** A wait that the service asks for, a day at most. */
function askedMs(retryAfterMs = 0): number {
  return Math.min(retryAfterMs, dayMs);
}

// What time alone changes

/** When the customer's time is over for certain; undefined without one. */
function overdueAt({ lifetimeMs, openedAt = 0, claim, stateAt }: Payment): number | undefined {
  if (lifetimeMs === undefined) return undefined;
  // The service may have created it as late as the last claim allowed.
  return Math.max(openedAt, claim?.endsAt ?? stateAt) + lifetimeMs + lateMs;
}

function mayRepeat(payment: Payment, order: Order, now: number, policy: Policy): boolean {
  const { sends, lifetimeMs = Infinity, firstSendAt = now } = payment;
  return (
    policy.repeatUnknown && !isEnded(order) && sends < policy.mostSends && now < firstSendAt + lifetimeMs
  );
}

function paymentAfterTime(payment: Payment, order: Order, now: number, policy: Policy): Payment {
  const { state, claim, lifetimeMs, openedAt, noWordAt } = payment;
  const become = (next: PaymentState, more: Partial<Payment> = {}): Payment =>
    paymentAfterTime({ ...payment, state: next, stateAt: now, ...more }, order, now, policy);
  if (state === 'sending' && claim && now >= claim.endsAt + graceMs)
    return become('unknown', {
      mayExist: true,
      nextAt: claim.endsAt - policy.claimMs + backoffMs(payment.sends, policy),
    });
  if (state === 'unknown' && !mayRepeat(payment, order, now, policy)) return become('look_up');
  if (state === 'new' && payment.mayExist && isEnded(order)) return become('look_up');
  if (state !== 'open' && state !== 'look_up') return payment;
  if (now >= (overdueAt(payment) ?? Infinity)) return become(policy.reviewOverdue ? 'overdue' : 'expired');
  const isSilent = state === 'open' && lifetimeMs === undefined && noWordAt === undefined;
  return isSilent && now >= (openedAt ?? now) + dayMs ? { ...payment, noWordAt: now } : payment;
}

function invoiceAfterTime(invoice: Invoice, now: number): Invoice {
  const { state, claim } = invoice;
  const isOver = state === 'sending' && claim && now >= claim.endsAt + graceMs;
  return isOver ? { ...invoice, state: 'look_up', stateAt: now } : invoice;
}

function mapped<T>(list: readonly T[], change: (each: T) => T): readonly T[] {
  const changed = list.map(change);
  return changed.some((each, index) => each !== list[index]) ? changed : list;
}

function afterTime(order: Order, now: number, policy: Policy): Order {
  const payments = mapped(order.payments, (payment) => paymentAfterTime(payment, order, now, policy));
  const invoices = mapped(order.invoices, (invoice) => invoiceAfterTime(invoice, now));
  return payments === order.payments && invoices === order.invoices
    ? order
    : { ...order, payments, invoices };
}

// Claims

function claimOf(token: string, now: number, policy: Policy): Claim {
  return { token, endsAt: now + policy.claimMs, safeAt: now + policy.safeAfterMs };
}

function claimedPayment(payment: Payment, token: string, now: number, policy: Policy): Payment {
  const { givenUpAt, ...kept } = payment;
  const { state, stateAt, sends, firstSendAt = now } = payment;
  const before = { state, stateAt, ...(givenUpAt !== undefined && { givenUpAt }) };
  const claim = { ...claimOf(token, now, policy), before };
  return { ...kept, state: 'sending', stateAt: now, sends: sends + 1, firstSendAt, claim };
}

/** What is due for a machine: one thing at a time. */
type Due =
  | { readonly type: 'send'; readonly at: number; readonly payment: Payment }
  | { readonly type: 'upload'; readonly at: number; readonly invoice: Invoice }
  | { readonly type: 'tell'; readonly at: number }
  | { readonly type: 'erase'; readonly at: number };

function sendDue(order: Order): Due[] {
  if (isEnded(order)) return [];
  return order.payments.flatMap((payment): Due[] => {
    const { state, nextAt, givenUpAt } = payment;
    const waits = (state === 'new' && givenUpAt === undefined) || state === 'unknown';
    return waits ? [{ type: 'send', at: nextAt ?? 0, payment }] : [];
  });
}

/** One at a time, and none beside one that is in doubt. */
function uploadDue({ invoices, paidBy }: Order): Due[] {
  const isBusy = invoices.some(({ state }) => state === 'sending' || state === 'look_up');
  const invoice = invoices.find(({ state }) => state === 'new');
  return paidBy === undefined || isBusy || !invoice ? [] : [{ type: 'upload', at: invoice.nextAt, invoice }];
}

function tellDue({ telling }: Order): Due[] {
  if (!telling) return [];
  const { claim, nextAt } = telling;
  return [{ type: 'tell', at: claim ? claim.endsAt + graceMs : nextAt }];
}

/** When the order ended: paid, cancelled, or its last payment over. */
function endOf({ paidAt, cancelledAt, payments }: Order): number | undefined {
  const last = payments.at(-1);
  return paidAt ?? cancelledAt ?? (last && !isLive(last) ? last.stateAt : undefined);
}

function eraseDue(order: Order, { eraseAfterMs }: Policy): Due[] {
  const end = endOf(order);
  const isBusy =
    order.telling !== undefined ||
    reviewsOf(order).length > 0 ||
    (order.paidBy !== undefined &&
      order.invoices.some(({ state }) => state === 'new' || state === 'sending'));
  const isErased = order.payments.every(({ request }) => request === undefined);
  if (eraseAfterMs === undefined || end === undefined || isBusy || isErased) return [];
  return [{ type: 'erase', at: end + eraseAfterMs }];
}

function allDue(order: Order, policy: Policy): Due[] {
  return [...sendDue(order), ...tellDue(order), ...uploadDue(order), ...eraseDue(order, policy)];
}

function erased(order: Order, now: number): Order {
  return {
    ...order,
    erasedAt: now,
    payments: order.payments.map(({ request: _request, ...kept }) => kept),
    // One that waits is kept: money may still be reported.
    invoices: order.invoices.map(({ upload, ...kept }) =>
      kept.state === 'new' && upload !== undefined ? { ...kept, upload } : kept,
    ),
  };
}

/** What the holder of a token does. */
function effectOf(order: Order, token: string): Effect | undefined {
  for (const payment of order.payments) {
    const { claim } = payment;
    if (payment.state === 'sending' && claim?.token === token) return { type: 'send', payment, claim };
  }
  for (const invoice of order.invoices) {
    const { claim } = invoice;
    if (invoice.state === 'sending' && claim?.token === token) return { type: 'upload', invoice, claim };
  }
  const claim = order.telling?.claim;
  return claim?.token === token ? { type: 'tell', claim } : undefined;
}

function claimed(order: Order, due: Due, token: string, now: number, policy: Policy): Decision {
  if (due.type === 'erase') return { order: erased(order, now) };
  const claim = claimOf(token, now, policy);
  let next: Order;
  if (due.type === 'send') next = withPayment(order, claimedPayment(due.payment, token, now, policy));
  else if (due.type === 'upload') {
    const { invoice } = due;
    next = withInvoice(order, {
      ...invoice,
      state: 'sending',
      stateAt: now,
      sends: invoice.sends + 1,
      claim,
    });
  } else next = { ...order, telling: { tries: (order.telling?.tries ?? 0) + 1, nextAt: now, claim } };
  return { order: next, effect: effectOf(next, token) };
}

// Commands

type CommandOf<Type extends Command['type']> = Extract<Command, { type: Type }>;

function withNext(order: Order, next: NewPayment, nextAt: number, now: number): Order {
  const added: Payment = { ...next, state: 'new', stateAt: now, addedAt: now, sends: 0, nextAt };
  return { ...order, payments: [...order.payments, added] };
}

/** The order with another payment, where one may begin. */
function begun(
  order: Order,
  { next, account }: Partial<Pick<CommandOf<'start'>, 'next' | 'account'>>,
  nextAt: number,
  now: number,
): Order {
  if (!next || isEnded(order) || order.payments.some(mayBeLive)) return order;
  const of = order.payments.length === 0 && account !== undefined ? { ...order, account } : order;
  return withNext(of, next, nextAt, now);
}

function isOtherAccount(order: Order, account: string | undefined): boolean {
  return account !== undefined && order.payments.length > 0 && order.account !== account;
}

/** A click. It sends no more often than the back-off allows, and not before the service allows. */
function start(order: Order, command: CommandOf<'start'>, now: number, policy: Policy): Decision {
  if (isOtherAccount(order, command.account)) return { order, problem: 'other_account' };
  const next = begun(order, command, now, now);
  const last = next.payments.at(-1);
  if (!last || isEnded(next)) return { order: next };
  const from = last.state === 'new' ? (last.waitAt ?? 0) : last.state === 'unknown' ? last.nextAt : Infinity;
  if (now < (from ?? 0)) return { order: next };
  return claimed(next, { type: 'send', at: now, payment: last }, command.token, now, policy);
}

function add(order: Order, command: CommandOf<'add'>, now: number): Decision {
  if (isOtherAccount(order, command.account)) return { order, problem: 'other_account' };
  return { order: begun(order, command, now + minuteMs, now) };
}

/** The sweep: one thing that is due. */
function move(order: Order, { token }: CommandOf<'move'>, now: number, policy: Policy): Decision {
  const due = allDue(order, policy).find(({ at }) => at <= now);
  return due ? claimed(order, due, token, now, policy) : { order };
}

/** A payment that exists is never lost, whoever reports it. */
function accepted(
  payment: Payment,
  { paymentUrl, qrData }: Extract<SendResult, { step: 'accepted' }>,
  now: number,
) {
  const { error: _error, ...known } = payment;
  const isMissing = payment.paymentUrl === undefined;
  const link: Payment = {
    ...(isMissing ? known : payment),
    ...(isMissing && paymentUrl !== undefined && { paymentUrl }),
    ...(isMissing && qrData !== undefined && { qrData }),
  };
  if (payment.state === 'refused' || payment.state === 'absent')
    return { ...link, existsAfterAllAt: payment.existsAfterAllAt ?? now };
  if (payment.state === 'open' || !isLive(payment)) return isMissing ? link : payment;
  return { ...link, state: 'open' as const, stateAt: now, openedAt: now, mayExist: true };
}

/** A refusal says nothing about an earlier send. A client says so itself where it is told. */
const inDoubt: Readonly<Record<NextStep, NextStep>> = {
  fix: 'look_up',
  call_again: 'repeat',
  refused: 'look_up',
  repeat: 'repeat',
  look_up: 'look_up',
};

function failed(
  payment: Payment,
  { step: told, error, retryAfterMs }: Extract<SendResult, { error: Problem }>,
  now: number,
  policy: Policy,
): Payment {
  const step = payment.mayExist ? inDoubt[told] : told;
  const become = (state: PaymentState, more: Partial<Payment> = {}): Payment => ({
    ...payment,
    state,
    stateAt: now,
    error,
    ...more,
  });
  const sentAt = (payment.claim?.endsAt ?? now) - policy.claimMs;
  const waitAt = now + askedMs(retryAfterMs);
  const waits = { nextAt: Math.max(sentAt + backoffMs(payment.sends, policy), waitAt), waitAt };
  switch (step) {
    case 'refused':
      return become('refused');
    case 'look_up':
      return become('look_up', { mayExist: true });
    case 'repeat':
      return become('unknown', { mayExist: true, ...waits });
    case 'fix':
      return become('new', { givenUpAt: now });
    case 'call_again':
      return become('new', payment.sends < policy.mostSends ? waits : { ...waits, givenUpAt: now });
  }
}

/** The call of which nothing was sent leaves the payment as its claim found it. */
function unclaimed({ firstSendAt, ...payment }: Payment, { before }: PaymentClaim): Payment {
  const sends = payment.sends - 1;
  return { ...payment, ...before, sends, ...(sends > 0 && firstSendAt !== undefined && { firstSendAt }) };
}

/** How a call ended counts for the claim that it was made under, or where it says more than is known. */
function sent(order: Order, command: CommandOf<'sent'>, now: number, policy: Policy): Decision {
  const { result } = command;
  const payment = paymentOf(order, command.referenceId);
  if (!payment) return { order };
  if (result.step === 'accepted') return { order: withPayment(order, accepted(payment, result, now)) };
  const { claim } = payment;
  if (payment.state !== 'sending' || claim?.token !== command.token) return { order };
  const next = 'error' in result ? failed(payment, result, now, policy) : unclaimed(payment, claim);
  return { order: withPayment(order, next) };
}

function paid(
  order: Order,
  payment: Payment,
  { token, mayTell }: Pick<CommandOf<'event'>, 'token' | 'mayTell'>,
  now: number,
  policy: Policy,
): Decision {
  const { referenceId } = payment;
  if (payment.state === 'paid') {
    const firstPaid = order.paidBy === referenceId && order.paidToken === token;
    return { order, changed: payment.endedToken === token, firstPaid, effect: effectOf(order, token) };
  }
  const counted = withPayment(order, { ...payment, state: 'paid', stateAt: now, endedToken: token });
  if (isEnded(order)) return { order: counted, changed: true, firstPaid: false };
  const first: Order = { ...counted, paidBy: referenceId, paidAt: now, paidToken: token };
  const result = { changed: true, firstPaid: true };
  if (!policy.tells) return { order: first, ...result };
  const untold: Order = { ...first, telling: { tries: 0, nextAt: now } };
  if (!mayTell) return { order: untold, ...result };
  return { ...claimed(untold, { type: 'tell', at: now }, token, now, policy), ...result };
}

function differences({ asked }: Payment, event: PaymentEvent): NonNullable<Decision['mismatch']> {
  const merchantId = event.merchantId ?? asked.merchantId;
  return [
    ...(event.value === asked.value ? [] : ['amount' as const]),
    ...(event.currency === asked.currency ? [] : ['currency' as const]),
    ...(merchantId === asked.merchantId ? [] : ['merchantId' as const]),
  ];
}

function event(order: Order, command: CommandOf<'event'>, now: number, policy: Policy): Decision {
  const { token } = command;
  const payment = paymentOf(order, command.event.referenceId);
  if (!payment) return { order, problem: 'no_reference' };
  const mismatch = differences(payment, command.event);
  if (mismatch.length > 0) {
    if (payment.mismatchAt !== undefined) return { order, mismatch };
    return { order: withPayment(order, { ...payment, mismatchAt: now }), mismatch };
  }
  const { word } = command.event;
  if (word === 'paid') return paid(order, payment, command, now, policy);
  if (!unpaidStates.includes(payment.state)) return { order, changed: payment.endedToken === token };
  const next = { ...payment, state: word, stateAt: now, endedToken: token };
  return { order: withPayment(order, next), changed: true };
}

function told(order: Order, { token, isTold }: CommandOf<'told'>, now: number, policy: Policy): Decision {
  const { telling, ...rest } = order;
  if (!telling) return { order };
  if (isTold) return { order: rest };
  if (telling.claim?.token !== token) return { order };
  const { tries } = telling;
  return {
    order: { ...rest, telling: { tries, nextAt: now + Math.min(backoffMs(tries, policy), longestTellMs) } },
  };
}

/** Stops repeats, so that a person can look the payment up. */
function lookUp(order: Order, { referenceId }: CommandOf<'lookUp'>, now: number): Decision {
  const payment = paymentOf(order, referenceId);
  if (!payment) return { order, problem: 'no_reference' };
  const safeAt = payment.claim?.safeAt ?? now;
  if (!['new', 'sending', 'unknown'].includes(payment.state)) return { order, safeAt };
  return { order: withPayment(order, { ...payment, state: 'look_up', stateAt: now }), safeAt };
}

function conclude(order: Order, command: CommandOf<'conclude'>, now: number, policy: Policy): Decision {
  const { word, paymentUrl } = command;
  const found = paymentOf(order, command.referenceId);
  if (!found) return { order, problem: 'no_reference' };
  const {
    mismatchAt: _mismatchAt,
    existsAfterAllAt: _existsAfterAllAt,
    noWordAt: _noWordAt,
    ...payment
  } = found;
  const become = (state: PaymentState, more: Partial<Payment> = {}): Decision => ({
    order: withPayment(order, {
      ...payment,
      ...more,
      state,
      stateAt: payment.state === state ? payment.stateAt : now,
    }),
    done: true,
  });
  if (word === 'paid')
    return { ...paid(withPayment(order, payment), payment, command, now, policy), done: true };
  if (word === 'over') return payment.state === 'paid' ? { order, done: false } : become('over');
  if (word === 'exists') {
    const isLast = order.payments.at(-1) === found;
    const mayOpen = isLive(payment) || payment.state === 'absent' || payment.state === 'refused';
    const link = paymentUrl !== undefined && payment.paymentUrl === undefined ? { paymentUrl } : {};
    // From now on a day without a word counts again.
    if (isLast && mayOpen) return become('open', { openedAt: now, mayExist: true, ...link });
    return become(payment.state, link);
  }
  const safeAt = payment.claim?.safeAt ?? now;
  const isStopped = ['look_up', 'overdue', 'absent'].includes(payment.state);
  const isSafe = isStopped && found.existsAfterAllAt === undefined && now >= safeAt;
  return isSafe ? become('absent') : { order, done: false, safeAt };
}

function refunded(order: Order, { referenceId }: CommandOf<'refunded'>, now: number): Decision {
  const payment = paymentOf(order, referenceId);
  if (!payment) return { order, problem: 'no_reference' };
  if (!isToRefund(payment, order)) return { order };
  return { order: withPayment(order, { ...payment, refundedAt: now }) };
}

function cancel(order: Order, now: number): Decision {
  if (order.paidBy !== undefined) return { order, done: false };
  return { order: order.cancelledAt === undefined ? { ...order, cancelledAt: now } : order, done: true };
}

/** What was added before the restore may have been sent after the copy was made. */
function restored(order: Order, { sinceAt }: CommandOf<'restored'>, now: number): Decision {
  const payments = mapped(order.payments, (payment): Payment => {
    const isAffected = payment.state === 'new' && payment.addedAt <= sinceAt;
    const { givenUpAt: _givenUpAt, ...kept } = payment;
    return isAffected ? { ...kept, state: 'unknown', stateAt: now, mayExist: true, nextAt: now } : payment;
  });
  return { order: payments === order.payments ? order : { ...order, payments } };
}

function addInvoice(order: Order, { upload, content }: CommandOf<'addInvoice'>, now: number): Decision {
  const kept = order.invoices.filter(({ state }) => state !== 'refused' && state !== 'dropped');
  if (kept.some((invoice) => invoice.content === content)) return { order };
  if (kept.length >= mostInvoices) return { order, problem: 'too_many_invoices' };
  const number = order.invoices.length + 1;
  const added: Invoice = { number, upload, content, state: 'new', stateAt: now, sends: 0, nextAt: now };
  return { order: { ...order, invoices: [...order.invoices, added] } };
}

/** An upload is never repeated: nothing lets the service recognise it. */
function uploaded(order: Order, command: CommandOf<'uploaded'>, now: number, policy: Policy): Decision {
  const { result } = command;
  const invoice = order.invoices.find(({ number }) => number === command.number);
  if (!invoice) return { order };
  const become = (state: Invoice['state'], more: Partial<Invoice> = {}): Decision => ({
    order: withInvoice(order, { ...invoice, state, stateAt: now, ...more }),
  });
  if (result.step === 'accepted') return invoice.state === 'stored' ? { order } : become('stored');
  const isOwn = invoice.claim?.token === command.token;
  if (!isOwn || (invoice.state !== 'sending' && invoice.state !== 'look_up')) return { order };
  if (!('error' in result)) return become('new', { sends: invoice.sends - 1 });
  const { step, error, retryAfterMs } = result;
  if (step === 'repeat' || step === 'look_up') return become('look_up', { error });
  if (step !== 'call_again' || invoice.sends >= policy.mostSends) return become('refused', { error });
  const nextAt = now + Math.max(backoffMs(invoice.sends, policy), askedMs(retryAfterMs));
  return become('new', { error, nextAt });
}

function concludeInvoice(order: Order, command: CommandOf<'concludeInvoice'>, now: number): Decision {
  const invoice = order.invoices.find(({ number }) => number === command.number);
  if (!invoice) return { order, problem: 'no_invoice' };
  const { state, claim } = invoice;
  const become = (next: Invoice['state']): Decision => ({
    order: withInvoice(order, { ...invoice, state: next, stateAt: now, nextAt: now }),
    done: true,
  });
  if (command.word === 'stored') return state === 'stored' ? { order, done: true } : become('stored');
  if (state === 'refused') return become('dropped');
  const safeAt = claim?.safeAt ?? now;
  return state === 'look_up' && now >= safeAt ? become('new') : { order, done: false, safeAt };
}

function decided(order: Order, command: Command, now: number, policy: Policy): Decision {
  switch (command.type) {
    case 'start':
      return start(order, command, now, policy);
    case 'add':
      return add(order, command, now);
    case 'move':
      return move(order, command, now, policy);
    case 'sent':
      return sent(order, command, now, policy);
    case 'event':
      return event(order, command, now, policy);
    case 'told':
      return told(order, command, now, policy);
    case 'lookUp':
      return lookUp(order, command, now);
    case 'conclude':
      return conclude(order, command, now, policy);
    case 'refunded':
      return refunded(order, command, now);
    case 'cancel':
      return cancel(order, now);
    case 'restored':
      return restored(order, command, now);
    case 'addInvoice':
      return addInvoice(order, command, now);
    case 'uploaded':
      return uploaded(order, command, now, policy);
    case 'concludeInvoice':
      return concludeInvoice(order, command, now);
  }
}

/** The next order, at most one effect, and a result. `order` is undefined where there is no row. */
export function decide(
  orderId: string,
  found: Order | undefined,
  command: Command,
  now: number,
  policy: Policy,
): Decision {
  const mayMake =
    command.type === 'cancel' || command.type === 'add' || (command.type === 'start' && command.next);
  if (!found && !mayMake) return { order: undefined, problem: 'no_order' };
  const made = found ?? { orderId, payments: [], invoices: [] };
  // The end of a call counts for the claim as it was made, even if nobody has looked since it was over.
  const order = command.type === 'sent' ? made : afterTime(made, now, policy);
  const effect =
    command.type === 'start' || command.type === 'move' ? effectOf(order, command.token) : undefined;
  if (effect) return { order, effect };
  const decision = decided(order, command, now, policy);
  return decision.order ? { ...decision, order: afterTime(decision.order, now, policy) } : decision;
}

/** When `sweep` has something to do for an order; undefined where it has not. */
export function dueAt(order: Order, policy: Policy): number | undefined {
  const times = [
    ...allDue(order, policy).map(({ at }) => at),
    ...order.payments.map((payment) => changesAt(payment)),
    ...order.invoices.map(({ state, claim }) =>
      state === 'sending' && claim ? claim.endsAt + graceMs : Infinity,
    ),
  ];
  const first = Math.min(...times);
  return first === Infinity ? undefined : first;
}

/** When time alone changes a payment. */
function changesAt(payment: Payment): number {
  const { state, claim, lifetimeMs = Infinity, firstSendAt = Infinity, openedAt = 0, noWordAt } = payment;
  if (state === 'sending' && claim) return claim.endsAt + graceMs;
  if (state === 'unknown') return firstSendAt + lifetimeMs;
  if (state !== 'open' && state !== 'look_up') return Infinity;
  const isSilent = state === 'open' && payment.lifetimeMs === undefined && noWordAt === undefined;
  return isSilent ? openedAt + dayMs : (overdueAt(payment) ?? Infinity);
}
