import type { RuleSettings } from './commands.js';
import type { Invoice, Order, Payment, PaymentState } from './order.js';
import { backoffMs, dayMs, hourMs, inState, minuteMs, withEach } from './order-parts.js';
import { existsAfterAll, isEnded } from './payment-state.js';

/*
 * Changes by time alone. A function whose name ends in `At` says when, and Infinity for never.
 */

/** By the clock of the database, a claim counts as over this long after its end. */
export const graceMs = minuteMs;
/** How long the last webhook may take after the customer's time is over. */
const lateMs = 10 * minuteMs;
/** A longer `transExpiredTime` is a mistake in its unit, or says nothing. */
const longestLifetimeMs = 90 * dayMs;

export function claimOverAt({ state, claim }: Payment | Invoice): number {
  return state === 'sending' && claim ? claim.endsAt + graceMs : Infinity;
}

function repeatsEndAt({ state, firstSendAt = Infinity, lifetimeMs = Infinity }: Payment): number {
  return state === 'unknown' ? firstSendAt + lifetimeMs : Infinity;
}

/** When the customer's time is over for certain, and the last webhook about it has had time to arrive. */
export function overdueAt(payment: Payment): number {
  const { state, stateAt, lifetimeMs = Infinity, openedAt = Infinity, safeAt = stateAt } = payment;
  const mayBePaid = state === 'open' || state === 'look_up' || existsAfterAll(payment);
  // The customer's time began when the service made the payment: before we knew of it, and before its last request was lost.
  return mayBePaid ? Math.min(openedAt, safeAt) + lifetimeMs + lateMs : Infinity;
}

/** When an open payment whose time does not end soon has been without a webhook for a day. */
function silentAt({ state, stateAt, lifetimeMs = Infinity, silentSince }: Payment): number {
  const isSilent = state === 'open' && lifetimeMs > longestLifetimeMs && silentSince === undefined;
  return isSilent ? stateAt + dayMs : Infinity;
}

/** When an order whose `onPaid` is still to be called waits for staff too. */
function onPaidReviewAt({ pendingOnPaid, paidAt = 0 }: Order): number {
  if (!pendingOnPaid || pendingOnPaid.isInReview) return Infinity;
  return pendingOnPaid.reviewAt ?? paidAt + hourMs;
}

function mayRepeat(payment: Payment, order: Order, now: number, settings: RuleSettings): boolean {
  const isInTime = payment.sends < settings.mostSends && now < repeatsEndAt(payment);
  return settings.repeatUnknown && isInTime && !isEnded(order);
}

interface TimeRule {
  readonly to: PaymentState;
  readonly when: (payment: Payment, order: Order, now: number, settings: RuleSettings) => boolean;
  readonly more?: (payment: Payment, settings: RuleSettings) => Partial<Payment>;
}

/** How time moves a payment: the first rule that applies, until none does. */
const timeRules: readonly TimeRule[] = [
  {
    to: 'unknown',
    when: (payment, _order, now) => now >= claimOverAt(payment),
    more: ({ stateAt, sends }, settings) => ({
      mayExist: true,
      nextAt: stateAt + backoffMs(sends, settings),
    }),
  },
  {
    to: 'look_up',
    when: (payment, order, now, settings) =>
      payment.state === 'unknown' && !mayRepeat(payment, order, now, settings),
  },
  {
    to: 'look_up',
    when: ({ state, mayExist }, order) => state === 'new' && mayExist && isEnded(order),
  },
  {
    to: 'overdue',
    when: (payment, _order, now, { reviewOverdue }) =>
      now >= overdueAt(payment) && (reviewOverdue || payment.mismatchAt !== undefined),
  },
  {
    to: 'expired',
    when: (payment, _order, now) => now >= overdueAt(payment),
  },
];

function paymentAfterTime(payment: Payment, order: Order, now: number, settings: RuleSettings): Payment {
  const rule = timeRules.find(({ when }) => when(payment, order, now, settings));
  if (rule) {
    const moved = inState(payment, rule.to, now, rule.more?.(payment, settings));
    return paymentAfterTime(moved, order, now, settings);
  }
  return now >= silentAt(payment) ? { ...payment, silentSince: now } : payment;
}

/** When time changes an order next. */
export function changesAt(order: Order): number {
  const { payments, invoices } = order;
  return Math.min(
    ...payments.flatMap((payment) => [
      claimOverAt(payment),
      repeatsEndAt(payment),
      overdueAt(payment),
      silentAt(payment),
    ]),
    ...invoices.map(claimOverAt),
    onPaidReviewAt(order),
  );
}

export function afterTime(order: Order, now: number, settings: RuleSettings): Order {
  const moved = withEach(
    order,
    (payment) => paymentAfterTime(payment, order, now, settings),
    (invoice) => (now >= claimOverAt(invoice) ? inState(invoice, 'look_up', now) : invoice),
  );
  const { pendingOnPaid } = moved;
  return pendingOnPaid && now >= onPaidReviewAt(moved)
    ? { ...moved, pendingOnPaid: { ...pendingOnPaid, isInReview: true } }
    : moved;
}

/**
 * The order after the restores of the database of which it does not know yet. A payment that had not been sent by then may have
 * been sent since, by a process whose claim is forgotten.
 */
export function afterRestores(order: Order, now: number, { restores, safeAfterMs }: RuleSettings): Order {
  const pending = restores.filter(({ at }) => at > (order.restoredAt ?? -Infinity));
  if (pending.length === 0) return order;
  const sinceAt = Math.max(...pending.map((restore) => restore.sinceAt));
  const safeAt = now + safeAfterMs;
  const changed = withEach(
    order,
    (payment) => {
      const { state, addedAt } = payment;
      if (!['new', 'sending', 'unknown'].includes(state) || addedAt > sinceAt) return payment;
      const known = { ...payment, mayExist: true, safeAt };
      return state === 'new' ? inState(known, 'unknown', now, { nextAt: now, givenUpAt: undefined }) : known;
    },
    (invoice) =>
      ['new', 'sending', 'look_up'].includes(invoice.state) && invoice.stateAt <= sinceAt
        ? inState(invoice, 'look_up', now, { safeAt })
        : invoice,
  );
  // If nothing was to be changed, nothing will be: what is added from now on is younger.
  return changed === order ? order : { ...changed, restoredAt: Math.max(...pending.map(({ at }) => at)) };
}
