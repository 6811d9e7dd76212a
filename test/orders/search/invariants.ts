import type { Command } from '../../../src/orders/commands.js';
import { dueAt } from '../../../src/orders/due.js';
import type { Order } from '../../../src/orders/order.js';
import { viewOf } from '../../../src/orders/order-view.js';
import { isEnded, isLive } from '../../../src/orders/payment-state.js';
import { reviewsOf, type Review } from '../../../src/orders/reviews.js';
import { decide } from '../../../src/orders/rules.js';
import { mayHaveMoney } from './deciding.js';
import { nextPayment } from './process-steps.js';
import { isTooEarly, mayArrive } from './staff-steps.js';
import { isOpen, orderId, settingsOf, violated, type Model, type World } from './world.js';

const hourMs = 60 * 60_000;

/** Checks the rules that every state must follow. */
export function check(world: World, model: Model): void {
  const live = world.service.filter((payment) => isOpen(payment, world.now, model));
  if (live.length > 1)
    violated(`two payments are live: ${live.map(({ referenceId }) => referenceId).join(' and ')}`);
  if (world.shipped > 1) violated('firstPaid was said twice');
  if (world.stored.some((count) => count > 1)) violated('an invoice was stored twice');
  const { order } = world;
  if (!order) return;
  const reviews = reviewsOf(order);
  checkMoney(world, model, order, reviews);
  checkPayments(world, model, order, reviews);
  checkView(world, order);
  checkExit(world, model, order, reviews);
  if (model.payments > 0) checkNext(world, model, order);
  const isToSend = order.payments.some(({ state }) => state === 'new' || state === 'unknown');
  if (model.losesClient && !isToSend && reviews.some(({ reason }) => reason === 'no_client'))
    violated('an order waits for a client, and nothing of it is to be sent');
}

function hasReason(reviews: readonly Review[], reason: string, referenceId: string): boolean {
  return reviews.some((review) => review.reason === reason && review.referenceId === referenceId);
}

function checkMoney(world: World, model: Model, order: Order, reviews: readonly Review[]): void {
  for (const referenceId of world.reported) {
    const payment = order.payments.find((each) => each.referenceId === referenceId);
    const isUnsettled = order.paidBy !== referenceId && payment?.refundedAt === undefined;
    const reason = isEnded(order) ? 'refund' : 'other_amount';
    if (payment?.state !== 'paid' || (isUnsettled && !hasReason(reviews, reason, referenceId)))
      violated(`the money for ${referenceId} is lost`);
  }
  if (world.shipped !== (world.isToShip ? 1 : 0)) violated('firstPaid was not said once for a paid order');
  if (model.payments > 0 && world.isToShip !== (order.paidBy !== undefined))
    violated('an order counts as paid that is not to be shipped');
  if (order.cancelledAt !== undefined && (order.paidBy !== undefined || order.pendingOnPaid))
    violated('a cancelled order counts as paid');
  for (const referenceId of world.disputed)
    if (!hasReason(reviews, 'mismatch', referenceId)) violated('a webhook that does not fit is in no list');
}

function checkPayments(world: World, model: Model, order: Order, reviews: readonly Review[]): void {
  const settings = settingsOf(model, world);
  for (const { state, referenceId, sends, claim, lifetimeMs, expected } of order.payments) {
    const isChanged = state === 'open' && lifetimeMs === undefined && expected.value !== world.asked;
    if (isChanged && !isEnded(order) && !hasReason(reviews, 'changed', referenceId))
      violated('an open payment of another amount is in no list');
    const isRepeat = state === 'sending' && claim?.before.state === 'unknown';
    if (isRepeat && sends > settings.mostSends) violated('a payment was repeated too often');
    if (isRepeat && !settings.repeatUnknown) violated('a payment was repeated by a shop that repeats none');
    if ((state === 'look_up' || state === 'overdue') && !hasReason(reviews, state, referenceId))
      violated('a payment waits for a person in no list');
    if (!mayArrive(world, referenceId)) continue;
    for (const conclusion of ['absent', 'over'] as const) {
      const early: Command = {
        type: 'conclude',
        commandId: 'early',
        referenceId,
        conclusion,
        canCallOnPaid: false,
      };
      if (isTooEarly(world, decide(orderId, order, early, world.now, settings).order, referenceId))
        violated(`it may be concluded to be ${conclusion}, and may still arrive`);
    }
  }
  if (order.payments.filter(isLive).length > 1)
    violated('two payments of the order are live in the database');
}

/** Checks that a customer is sent only to a payment of the amount that the order asks. */
function checkView(world: World, order: Order): void {
  const view = viewOf(orderId, order);
  if (view.state !== 'started' && 'paymentUrl' in view)
    violated(`a link is shown in the state ${view.state}`);
  if (view.state !== 'started') return;
  if (view.paymentUrl === '') violated('started without a link');
  if (view.paymentUrl !== `u${world.asked}`)
    violated(`the link ${view.paymentUrl} is shown, and the order asks ${world.asked}`);
  if (mayHaveMoney(world)) violated('a link is shown while there may be money for the order');
}

/** Checks that an order that waits is due or for review, and that a sweep changes an order that is due. */
function checkExit(world: World, model: Model, order: Order, reviews: readonly Review[]): void {
  const { now } = world;
  const settings = { ...settingsOf(model, world), ...(model.onPaids && { onPaid: 'here' as const }) };
  const due = dueAt(order);
  const waits = order.payments.some(
    (payment) => isLive(payment) && (payment.state !== 'new' || !isEnded(order)),
  );
  const uploads =
    order.paidBy !== undefined && order.invoices.some(({ state }) => state === 'new' || state === 'sending');
  // That `onPaid` has failed for an hour is no exit: the sweep still has to call it.
  const others = reviews.filter(({ reason }) => reason !== 'on_paid_due');
  if (due === undefined && others.length === 0 && (waits || uploads || order.pendingOnPaid))
    violated('the order waits for nobody');
  if (due === undefined || due > now) return;
  const moved = decide(orderId, order, { type: 'claimDue', commandId: 'check' }, now, settings).order;
  if (moved === order) violated('the sweep takes an order that is due and changes nothing');
  const isUncalled = moved?.pendingOnPaid && now >= (order.paidAt ?? now) + hourMs;
  if (model.waitsAnHour && isUncalled && !reviewsOf(moved).some(({ reason }) => reason === 'on_paid_due'))
    violated('onPaid was not called for an hour, and the order is in no list');
}

/** Checks that the next click begins a payment, unless the order has ended or is blocked. */
function checkNext(world: World, model: Model, order: Order): void {
  const { asked } = world;
  const { payments } = order;
  const settings = { ...settingsOf(model, world), mostPayments: payments.length + 1 };
  const isDisputed = payments.some(
    ({ state, mismatchAt }) => state === 'overdue' && mismatchAt !== undefined,
  );
  if (asked === undefined || isEnded(order) || payments.some(isLive) || mayHaveMoney(world) || isDisputed)
    return;
  const next = { ...nextPayment(world, model, asked), contentHash: 'another' };
  const command: Command = { type: 'start', commandId: 'check', next };
  const after = decide(orderId, order, command, world.now, settings).order;
  if (after && !after.payments.some(isLive)) violated('the order does not go on');
}
