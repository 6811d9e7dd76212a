import type { RuleSettings } from './commands.js';
import type { Invoice, Order, Payment, PaymentState } from './order.js';
import { backoffMs, dayMs, hourMs, inState, minuteMs, withEach } from './order-parts.js';
import { existsAfterAll, isEnded } from './payment-state.js';

/*
 * The changes of an order that no command makes: by time, and by a restore of the database. A function whose name ends
 * in `At` returns the time of a change, or Infinity if the change will not happen.
 */

/**
 * After a claim has ended by the clock of the database, other processes wait this much longer before they treat the
 * claim as over.
 */
export const graceMs = minuteMs;
/** The longest delay of the last webhook after the time to pay has ended (assumed). */
const lastWebhookMs = 10 * minuteMs;
/** A `transExpiredTime` above this number of milliseconds is probably in a wrong unit. */
const longestLifetimeMs = 90 * dayMs;

function claimOverAt({ state, claim }: Payment | Invoice): number {
  return state === 'sending' && claim ? claim.endsAt + graceMs : Infinity;
}

/** The time from which an `unknown` payment is not sent again: the time to pay has passed since the first send. */
function repeatsEndAt({ state, firstSendAt = Infinity, lifetimeMs = Infinity }: Payment): number {
  return state === 'unknown' ? firstSendAt + lifetimeMs : Infinity;
}

/** The time from which the customer can no longer pay and the last webhook should have arrived. */
export function overdueAt(payment: Payment): number {
  const { state, stateAt, lifetimeMs = Infinity, openedAt = Infinity, safeAt = stateAt } = payment;
  const canBePaid = state === 'open' || state === 'look_up' || existsAfterAll(payment);
  // The time to pay begins when the service creates the payment. That moment is not known exactly, but it is not later
  // than `openedAt` (the link has arrived) or `safeAt` (no request can arrive any more). The earlier of these two times
  // is used.
  return canBePaid ? Math.min(openedAt, safeAt) + lifetimeMs + lastWebhookMs : Infinity;
}

/**
 * The time at which a payment has been open for a day without a webhook that ended the payment. Only a payment whose
 * time to pay is unknown, or longer than 90 days, has such a time.
 */
function silentAt({ state, stateAt, lifetimeMs = Infinity, silentSince }: Payment): number {
  const canBeSilent = state === 'open' && lifetimeMs > longestLifetimeMs && silentSince === undefined;
  return canBeSilent ? stateAt + dayMs : Infinity;
}

/** The time from which an order whose `onPaid` has not succeeded waits for your staff. */
function onPaidReviewAt({ pendingOnPaid, paidAt = 0 }: Order): number {
  if (!pendingOnPaid || pendingOnPaid.isInReview) return Infinity;
  return paidAt + hourMs;
}

function canRepeat(payment: Payment, order: Order, now: number, settings: RuleSettings): boolean {
  const isWithinLimits = payment.sends < settings.mostSends && now < repeatsEndAt(payment);
  return settings.repeatUnknown && isWithinLimits && !isEnded(order);
}

interface TimeRule {
  readonly to: PaymentState;
  readonly when: (payment: Payment, order: Order, now: number, settings: RuleSettings) => boolean;
  readonly more?: (payment: Payment, settings: RuleSettings) => Partial<Payment>;
}

/**
 * The rules for the changes of a payment by time. The first rule that applies changes the payment. Then all rules are
 * tried again on the changed payment, until no rule applies.
 */
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
      payment.state === 'unknown' && !canRepeat(payment, order, now, settings),
  },
  {
    // For an order that has ended, nothing is sent. So your staff look up a payment that might exist.
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
    const changed = inState(payment, rule.to, now, rule.more?.(payment, settings));
    return paymentAfterTime(changed, order, now, settings);
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
  const changed = withEach(
    order,
    (payment) => paymentAfterTime(payment, order, now, settings),
    (invoice) => (now >= claimOverAt(invoice) ? inState(invoice, 'look_up', now) : invoice),
  );
  const { pendingOnPaid } = changed;
  return pendingOnPaid && now >= onPaidReviewAt(changed)
    ? { ...changed, pendingOnPaid: { ...pendingOnPaid, isInReview: true } }
    : changed;
}

/**
 * Applies the restores of the database that are not applied to the order yet. If a process claimed and sent a payment
 * after the backup was made, the restored row shows this payment as unsent.
 */
export function afterRestores(
  order: Order,
  now: number,
  { restores, safeAfterMs }: Pick<RuleSettings, 'restores' | 'safeAfterMs'>,
): Order {
  const pending = restores.filter(({ at }) => at > (order.restoredAt ?? -Infinity));
  if (pending.length === 0) return order;
  const sinceAt = Math.max(...pending.map((restore) => restore.sinceAt));
  const safeAt = now + safeAfterMs;
  const changed = withEach(
    order,
    (payment) => {
      const { state, addedAt } = payment;
      if (!['new', 'sending', 'unknown'].includes(state) || addedAt > sinceAt) return payment;
      const doubtful = { ...payment, mayExist: true, safeAt };
      return state === 'new'
        ? inState(doubtful, 'unknown', now, { nextAt: now, givenUpAt: undefined })
        : doubtful;
    },
    (invoice) =>
      ['new', 'sending', 'look_up'].includes(invoice.state) && invoice.stateAt <= sinceAt
        ? inState(invoice, 'look_up', now, { safeAt })
        : invoice,
  );
  // An order that did not change is not marked with `restoredAt`. Each later command applies these restores again, and
  // again changes nothing: payments and invoices that are added later are newer than these restores.
  return changed === order ? order : { ...changed, restoredAt: Math.max(...pending.map(({ at }) => at)) };
}
