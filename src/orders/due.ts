import type { Decided, Effect, RuleSettings } from './commands.js';
import type { Claim, Invoice, Order, Payment } from './order.js';
import { withEach, withInvoice, withPayment } from './order-parts.js';
import { isEnded, isHeld, isLive } from './payment-state.js';
import { reviewsOf } from './reviews.js';
import { changesAt, graceMs } from './time-rules.js';

/** A task of an order, and the time from which a sweep does the task. */
export type DueTask =
  | { readonly type: 'send'; readonly at: number; readonly payment: Payment }
  | { readonly type: 'callOnPaid'; readonly at: number; readonly tries: number }
  | { readonly type: 'upload'; readonly at: number; readonly invoice: Invoice }
  | { readonly type: 'erase'; readonly at: number };

/** The time `at`. If the account of the order has no client, the time is not before the next lookup of a client. */
function delayedUntilClient({ noClient }: Order, at: number): number {
  return Math.max(at, noClient?.nextAt ?? at);
}

function sendTasks(order: Order): DueTask[] {
  if (isEnded(order)) return [];
  return order.payments.flatMap((payment): DueTask[] => {
    const { state, nextAt, givenUpAt } = payment;
    const isWaiting = (state === 'new' && givenUpAt === undefined && !isHeld(order)) || state === 'unknown';
    return isWaiting ? [{ type: 'send', at: delayedUntilClient(order, nextAt), payment }] : [];
  });
}

function onPaidTasks({ pendingOnPaid }: Order): DueTask[] {
  if (!pendingOnPaid) return [];
  const { claim, nextAt, tries } = pendingOnPaid;
  return [{ type: 'callOnPaid', at: claim ? claim.endsAt + graceMs : nextAt, tries }];
}

/** Uploads run one at a time. No upload runs while the outcome of another upload is unknown. */
function uploadTasks(order: Order): DueTask[] {
  const { invoices, paidBy } = order;
  const isBusy = invoices.some(({ state }) => state === 'sending' || state === 'look_up');
  const invoice = invoices.find(({ state, upload }) => state === 'new' && upload !== undefined);
  if (paidBy === undefined || isBusy || !invoice) return [];
  return [{ type: 'upload', at: delayedUntilClient(order, invoice.nextAt), invoice }];
}

/** The time at which the order was paid or cancelled, or at which its last payment ended. */
function endedAt({ paidAt, cancelledAt, payments }: Order): number | undefined {
  const last = payments.at(-1);
  return paidAt ?? cancelledAt ?? (last && !isLive(last) ? last.stateAt : undefined);
}

function eraseTasks(order: Order): DueTask[] {
  const { eraseAfterMs } = order;
  const at = endedAt(order);
  if (eraseAfterMs === undefined || at === undefined) return [];
  const isBusy =
    reviewsOf(order).length > 0 ||
    uploadTasks(order).length > 0 ||
    [...order.payments, ...order.invoices].some(({ state }) => state === 'sending');
  const isErased = withoutRequests(order) === order;
  return isBusy || isErased ? [] : [{ type: 'erase', at: at + eraseAfterMs }];
}

/** The order without its stored requests and uploads. The `expected` amounts stay, for comparison with webhooks. */
function withoutRequests(order: Order): Order {
  return withEach(
    order,
    (payment) => (payment.request === undefined ? payment : { ...payment, request: undefined }),
    (invoice) => (invoice.upload === undefined ? invoice : { ...invoice, upload: undefined }),
  );
}

/** The tasks of an order. A task is due from its time `at`. */
export function tasksOf(order: Order): DueTask[] {
  return [...sendTasks(order), ...onPaidTasks(order), ...uploadTasks(order), ...eraseTasks(order)];
}

/** True if a sweep sends a payment or an invoice of the order, now or later, without a step of your staff. */
export function needsClient(order: Order): boolean {
  return sendTasks(order).length > 0 || uploadTasks(order).length > 0;
}

/**
 * The time at which `sweep` has something to do for the order, in any process; undefined if there is nothing to do.
 */
export function dueAt(order: Order): number | undefined {
  const first = Math.min(...tasksOf(order).map(({ at }) => at), changesAt(order));
  return first === Infinity ? undefined : first;
}

/** The order with a claim of a task. The task `erase` only changes the order, so it is done here and needs no claim. */
function withClaim(
  order: Order,
  due: DueTask,
  token: string,
  now: number,
  { claimMs, safeAfterMs }: RuleSettings,
): Order {
  const claim: Claim = { token, endsAt: now + claimMs };
  const sendingNow = { state: 'sending', stateAt: now } as const;
  const safeAt = (earlier = 0) => Math.max(earlier, now + safeAfterMs);
  switch (due.type) {
    case 'send': {
      const { state, stateAt, sends, firstSendAt, givenUpAt } = due.payment;
      const sending: Payment = {
        ...due.payment,
        ...sendingNow,
        safeAt: safeAt(due.payment.safeAt),
        sends: sends + 1,
        firstSendAt: firstSendAt ?? now,
        givenUpAt: undefined,
        claim: { ...claim, before: { state, stateAt, sends, firstSendAt, givenUpAt } },
      };
      return withPayment({ ...order, noClient: undefined }, sending);
    }
    case 'upload': {
      const { invoice } = due;
      const sends = invoice.sends + 1;
      const sending = { ...invoice, ...sendingNow, safeAt: safeAt(invoice.safeAt), sends, claim };
      return withInvoice({ ...order, noClient: undefined }, sending);
    }
    case 'callOnPaid':
      return order.pendingOnPaid
        ? { ...order, pendingOnPaid: { ...order.pendingOnPaid, tries: due.tries + 1, nextAt: now, claim } }
        : order;
    case 'erase':
      return withoutRequests(order);
  }
}

/** Claims a due task for the process that gave the command. */
export function claimTask(
  order: Order,
  due: DueTask,
  commandId: string,
  now: number,
  settings: RuleSettings,
): Decided {
  const claimedOrder = withClaim(order, due, commandId, now, settings);
  return { order: claimedOrder, effect: effectOf(claimedOrder, commandId) };
}

/** The effect that a command has claimed; undefined once the effect is done or another command has the claim. */
export function effectOf(order: Order, commandId: string): Effect | undefined {
  for (const payment of order.payments) {
    const { state, claim } = payment;
    if (state === 'sending' && claim?.token === commandId) return { type: 'send', payment, claim };
  }
  for (const invoice of order.invoices) {
    const { state, claim } = invoice;
    if (state === 'sending' && claim?.token === commandId) return { type: 'upload', invoice, claim };
  }
  const claim = order.pendingOnPaid?.claim;
  return claim?.token === commandId ? { type: 'callOnPaid', claim } : undefined;
}
