import type { Effect, RuleSettings } from './commands.js';
import type { Claim, Invoice, Order, Payment } from './order.js';
import { withEach, withInvoice, withPayment } from './order-parts.js';
import { isEnded, isHeld, isLive } from './payment-state.js';
import { reviewsOf } from './reviews.js';
import { changesAt, graceMs } from './time-rules.js';

/** One thing that `sweep` does, and from when on. */
export type Due =
  | { readonly type: 'send'; readonly at: number; readonly payment: Payment }
  | { readonly type: 'callOnPaid'; readonly at: number; readonly tries: number }
  | { readonly type: 'upload'; readonly at: number; readonly invoice: Invoice }
  | { readonly type: 'erase'; readonly at: number };

/** A request waits until the account of the order has a client again. */
function withClientFrom({ noClient }: Order, at: number): number {
  return Math.max(at, noClient?.nextAt ?? at);
}

function sendDue(order: Order): Due[] {
  if (isEnded(order)) return [];
  return order.payments.flatMap((payment): Due[] => {
    const { state, nextAt, givenUpAt } = payment;
    const waits = (state === 'new' && givenUpAt === undefined && !isHeld(order)) || state === 'unknown';
    return waits ? [{ type: 'send', at: withClientFrom(order, nextAt), payment }] : [];
  });
}

function onPaidDue({ pendingOnPaid }: Order): Due[] {
  if (!pendingOnPaid) return [];
  const { claim, nextAt, tries } = pendingOnPaid;
  return [{ type: 'callOnPaid', at: claim ? claim.endsAt + graceMs : nextAt, tries }];
}

/** Uploads go one at a time, and none goes beside one that is in doubt. */
function uploadDue(order: Order): Due[] {
  const { invoices, paidBy } = order;
  const isBusy = invoices.some(({ state }) => state === 'sending' || state === 'look_up');
  const invoice = invoices.find(({ state, upload }) => state === 'new' && upload !== undefined);
  if (paidBy === undefined || isBusy || !invoice) return [];
  return [{ type: 'upload', at: withClientFrom(order, invoice.nextAt), invoice }];
}

/** When the order ended: paid, cancelled, or its last payment over. */
function endedAt({ paidAt, cancelledAt, payments }: Order): number | undefined {
  const last = payments.at(-1);
  return paidAt ?? cancelledAt ?? (last && !isLive(last) ? last.stateAt : undefined);
}

function eraseDue(order: Order): Due[] {
  const { eraseAfterMs } = order;
  const at = endedAt(order);
  if (eraseAfterMs === undefined || at === undefined) return [];
  const isBusy =
    reviewsOf(order).length > 0 ||
    uploadDue(order).length > 0 ||
    [...order.payments, ...order.invoices].some(({ state }) => state === 'sending');
  return isBusy || erased(order) === order ? [] : [{ type: 'erase', at: at + eraseAfterMs }];
}

/** The order without its stored requests and uploads. What webhooks are compared with stays. */
export function erased(order: Order): Order {
  return withEach(
    order,
    (payment) => (payment.request === undefined ? payment : { ...payment, request: undefined }),
    (invoice) => (invoice.upload === undefined ? invoice : { ...invoice, upload: undefined }),
  );
}

export function allDue(order: Order): Due[] {
  return [...sendDue(order), ...onPaidDue(order), ...uploadDue(order), ...eraseDue(order)];
}

/** Whether a sweep may have to send something for the order. */
export function needsClient(order: Order): boolean {
  return sendDue(order).length > 0 || uploadDue(order).length > 0;
}

/** When `sweep` has something to do for an order, in this process or another; undefined if it has not. */
export function dueAt(order: Order): number | undefined {
  const first = Math.min(...allDue(order).map(({ at }) => at), changesAt(order));
  return first === Infinity ? undefined : first;
}

/** The order with the right of one process to do what is due. */
export function withClaim(
  order: Order,
  due: Due,
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
  const claim = order.pendingOnPaid?.claim;
  return claim?.token === commandId ? { type: 'callOnPaid', claim } : undefined;
}
