import type { RuleSettings } from './commands.js';
import type { Invoice, Order, Payment, PaymentState } from './order.js';
import { backoffMs, dayMs, hourMs, inState, minuteMs, withEach } from './order-parts.js';
import { existsAfterAll, isEnded } from './payment-state.js';

/*
 * Changes that depend only on time. A function whose name ends in `At` returns the time of a change, or Infinity for
 * never.
 */

/** The time after its end for which other processes still respect a claim, by the clock of the database. */
export const graceMs = minuteMs;
/** The time that the last webhook can take after the customer's time to pay is over. */
const lateMs = 10 * minuteMs;
/** A longer `transExpiredTime` is probably a mistake in its unit. */
const longestLifetimeMs = 90 * dayMs;

function claimOverAt({ state, claim }: Payment | Invoice): number {
  return state === 'sending' && claim ? claim.endsAt + graceMs : Infinity;
}

function repeatsEndAt({ state, firstSendAt = Infinity, lifetimeMs = Infinity }: Payment): number {
  return state === 'unknown' ? firstSendAt + lifetimeMs : Infinity;
}

/** The time when the customer can surely no longer pay, and the last webhook has had time to arrive. */
export function overdueAt(payment: Payment): number {
  const { state, stateAt, lifetimeMs = Infinity, openedAt = Infinity, safeAt = stateAt } = payment;
  const mayBePaid = state === 'open' || state === 'look_up' || existsAfterAll(payment);
  // The time to pay began when the service made the payment. That was before its link arrived (`openedAt`), and before
  // the last moment at which a request could arrive (`safeAt`).
  return mayBePaid ? Math.min(openedAt, safeAt) + lifetimeMs + lateMs : Infinity;
}

/** The time when an open payment has had no webhook for a day, if its time to pay is unknown or implausibly long. */
function silentAt({ state, stateAt, lifetimeMs = Infinity, silentSince }: Payment): number {
  const isSilent = state === 'open' && lifetimeMs > longestLifetimeMs && silentSince === undefined;
  return isSilent ? stateAt + dayMs : Infinity;
}

/** The time from which an order with a pending `onPaid` also waits for staff. */
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

/** The rules by which time moves a payment: the first rule that applies, until none applies. */
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

/** The time of the next change of an order that depends only on time. */
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
 * Applies the restores of the database that are not applied to the order yet. A payment that is unsent in the restored
 * row can have been sent by a process whose claim is missing from it.
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
  // If nothing changed now, nothing will later: payments that are added from now on are newer than the restores.
  return changed === order ? order : { ...changed, restoredAt: Math.max(...pending.map(({ at }) => at)) };
}
