import type { RuleSettings } from './commands.js';
import { conclusionsFor, safeFromOf } from './conclusions.js';
import type { Order } from './order.js';
import { askedBy, paymentOf } from './payment-state.js';
import { reviewActionFor, type ReviewLanguage } from './review-texts.js';
import type { Review } from './reviews.js';
import type { ListedOrder } from './storage.js';
import type { OrderAmount, ReviewItem } from './types.js';

function amountOf(asked: OrderAmount | undefined): OrderAmount | undefined {
  return asked && { value: asked.value, currency: asked.currency };
}

/** An item of `forReview`, as your staff see it. */
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
  const amount = amountOf(askedBy(order));
  const paymentAmount = amountOf(paymentOf(order, referenceId)?.expected);
  return {
    orderId,
    ...(account !== undefined && { account }),
    reason,
    action: reviewActionFor(review, language),
    conclusions: conclusionsFor(order, review, now, settings),
    ...(safeFrom && { safeFrom }),
    ...(amount && { amount }),
    ...(paymentAmount && { paymentAmount }),
    ...(referenceId !== undefined && { referenceId }),
    ...(number !== undefined && { number }),
    since: new Date(sinceAt),
    ...(error && { error }),
  };
}

/** The item of an order that cannot be read or moved. */
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
