import type { RuleSettings } from './commands.js';
import { conclusionsFor, safeFromOf } from './conclusions.js';
import { invoiceNumberOf } from './invoice-rules.js';
import type { Order } from './order.js';
import { amountOf } from './order-view.js';
import { amountDueOf, paymentOf } from './payment-state.js';
import { reviewActionFor, type ReviewLanguage } from './review-texts.js';
import type { Review } from './reviews.js';
import type { ListedOrder } from './storage.js';
import type { ReviewItem } from './types.js';

export function reviewItem(
  order: Order,
  review: Review,
  now: number,
  settings: RuleSettings,
  language: ReviewLanguage,
): ReviewItem {
  const { reason, referenceId, number, sinceAt, error } = review;
  const { orderId, account } = order;
  const safeFrom = safeFromOf(order, review, now);
  const amountDue = amountDueOf(order);
  const payment = paymentOf(order, referenceId);
  const invoice = order.invoices.find((each) => each.number === number);
  const invoiceNumber = invoice && invoiceNumberOf(invoice);
  return {
    orderId,
    ...(account !== undefined && { account }),
    reason,
    action: reviewActionFor({ ...review, isTooEarly: safeFrom !== undefined }, language),
    conclusions: conclusionsFor(order, review, now, settings),
    ...(safeFrom && { safeFrom }),
    ...(amountDue && { amount: amountOf(amountDue) }),
    ...(payment && { paymentAmount: amountOf(payment.expected) }),
    ...(referenceId !== undefined && { referenceId }),
    ...(number !== undefined && { number }),
    ...(invoiceNumber !== undefined && { invoiceNumber }),
    since: new Date(sinceAt),
    ...(error && { error }),
  };
}

/** The item of an order that cannot be read or processed. */
export function unreadableItem({ orderId, at }: ListedOrder, language: ReviewLanguage): ReviewItem {
  const reason = 'unreadable';
  return {
    orderId,
    reason,
    action: reviewActionFor({ reason }, language),
    conclusions: [],
    since: new Date(at),
  };
}
