import { decide, dueAt } from '../../../src/orders/rules.js';
import { isEnded, isLive, reviewsOf, viewStateOf } from '../../../src/orders/views.js';
import { mayArrive } from './steps.js';
import { isOpen, orderId, settingsOf, violated, type Model, type World } from './world.js';

/** These rules hold in every state. */
export function check(world: World, model: Model): void {
  const live = world.service.filter((payment) => isOpen(payment, world.now, model));
  if (live.length > 1)
    violated(`two payments are live: ${live.map(({ referenceId }) => referenceId).join(' and ')}`);
  if (world.shipped > 1) violated('firstPaid was said twice');
  if (world.stored.some((count) => count > 1)) violated('an invoice was stored twice');
  const { order, now } = world;
  if (!order) return;
  const settings = settingsOf(model);
  const reviews = reviewsOf(order);
  const hasReason = (reason: string, referenceId: string) =>
    reviews.some((review) => review.reason === reason && review.referenceId === referenceId);
  for (const referenceId of world.reported) {
    const payment = order.payments.find((each) => each.referenceId === referenceId);
    const isLost = order.paidBy !== referenceId && payment?.refundedAt === undefined;
    if (payment?.state !== 'paid' || (isLost && !hasReason('refund', referenceId)))
      violated(`the money for ${referenceId} is lost`);
  }
  const isToShip = world.reported.length > 0 && order.cancelledAt === undefined;
  if (world.shipped !== (isToShip ? 1 : 0)) violated('firstPaid was not said once for a paid order');
  if (order.cancelledAt !== undefined && (order.paidBy !== undefined || order.telling))
    violated('a cancelled order counts as paid');
  for (const { state, referenceId, sends, claim } of order.payments) {
    const isRepeat = state === 'sending' && claim?.before.state === 'unknown';
    if (isRepeat && sends > settings.mostSends) violated('a payment was repeated too often');
    if (isRepeat && !settings.repeatUnknown) violated('a payment was repeated by a shop that repeats none');
    if ((state === 'look_up' || state === 'overdue') && !hasReason(state, referenceId))
      violated('a payment waits for a person in no list');
    if (!mayArrive(world, referenceId)) continue;
    const early = {
      type: 'conclude',
      commandId: 'early',
      referenceId,
      conclusion: 'absent',
      mayCallOnPaid: false,
    } as const;
    if (decide(orderId, order, early, now, settings).concluded)
      violated('it may be concluded to be absent, and may still arrive');
  }
  if (order.payments.filter(isLive).length > 1)
    violated('two payments of the order are live in the database');
  const isKnown = order.payments.at(-1)?.paymentUrl !== undefined;
  if (viewStateOf(order) === 'started' && !isKnown) violated('started without a link');
  checkExit(world, model, reviews.length > 0);
}

/** An order that waits has somebody who moves it, and moving it changes it. */
function checkExit({ order, now }: World, model: Model, isReviewed: boolean): void {
  if (!order) return;
  const settings = settingsOf(model);
  const due = dueAt(order, settings);
  const waits = order.payments.some(
    (payment) => isLive(payment) && (payment.state !== 'new' || !isEnded(order)),
  );
  const uploads =
    order.paidBy !== undefined && order.invoices.some(({ state }) => state === 'new' || state === 'sending');
  if (due === undefined && !isReviewed && (waits || uploads || order.telling))
    violated('the order waits for nobody');
  if (due === undefined || due > now) return;
  const moved = decide(orderId, order, { type: 'doNextDue', commandId: 'check' }, now, settings).order;
  if (moved === order) violated('the sweep takes an order that is due and changes nothing');
}
