import { conclusions, invoiceConclusions, type Command, type RuleSettings } from './commands.js';
import type { Order } from './order.js';
import { paymentOf } from './payment-state.js';
import type { Review } from './reviews.js';
import { decide } from './rules.js';
import type { ReviewConclusion } from './types.js';

/** The `commandId` for trial runs of the rules. Their results are never stored. */
const commandId = 'conclusions';

/**
 * The calls that are possible for a review now. To find the possible conclusions, this function runs the rules for each
 * conclusion of `commands.ts`, without storing the results.
 */
export function conclusionsFor(
  order: Order,
  { reason, referenceId, number }: Review,
  now: number,
  settings: RuleSettings,
): ReviewConclusion[] {
  const wouldBeStored = (command: Command) =>
    decide(order.orderId, order, command, now, settings).concluded === true;
  if (reason === 'unreadable') return [];
  if (number !== undefined)
    return invoiceConclusions.filter((conclusion) =>
      wouldBeStored({ type: 'concludeInvoice', number, conclusion }),
    );
  if (reason === 'too_many' || reason === 'no_client')
    return wouldBeStored({ type: 'cancel' }) ? ['cancel'] : [];
  const payment = paymentOf(order, referenceId);
  if (!payment || referenceId === undefined || reason === 'on_paid_due') return [];
  if (reason === 'refund') return ['markRefunded'];
  if (reason === 'other_amount') return ['accept', 'markRefunded'];
  const canStop = ['new', 'unknown', 'sending'].includes(payment.state);
  return [
    ...(canStop ? ['lookUp' as const] : []),
    ...conclusions.filter((conclusion) =>
      wouldBeStored({ type: 'conclude', commandId, referenceId, conclusion, canCallOnPaid: false }),
    ),
  ];
}

/** The time from which `'absent'` is safe; undefined if `'absent'` is safe already, or does not apply. */
export function safeFromOf(order: Order, { referenceId, number }: Review, now: number): Date | undefined {
  const invoice = order.invoices.find((each) => each.number === number);
  const { state, safeAt } = invoice ?? paymentOf(order, referenceId) ?? {};
  const isInDoubt = state === 'look_up' || state === 'overdue' || state === 'sending';
  return isInDoubt && safeAt !== undefined && safeAt > now ? new Date(safeAt) : undefined;
}
