import { decide, dueAt } from '../../../src/orders/rules.js';
import { reviewsOf, viewStateOf } from '../../../src/orders/views.js';
import { orderId, policyOf } from './steps.js';
import { violated } from './violation.js';
import { isOpen, type Model, type World } from './world.js';

/** What must hold in every state. */
export function check(world: World, model: Model): void {
  const live = world.service.filter((payment) => isOpen(payment, world, model));
  const payable = new Set(live.map(({ referenceId }) => referenceId));
  if (live.length > 1)
    violated(`two payments are live: ${live.map(({ referenceId }) => referenceId).join(' and ')}`);
  if (payable.size > 1) violated('two references can be paid');
  if (world.shipped > 1) violated('firstPaid was said twice');
  if (world.stored.some((count) => count > 1)) violated('an invoice was stored twice');
  const { order } = world;
  if (!order) return;
  const reviews = reviewsOf(order);
  const hasReason = (reason: string, referenceId: string) =>
    reviews.some((review) => review.reason === reason && review.referenceId === referenceId);
  for (const referenceId of world.reported) {
    if (order.paidBy !== referenceId && !hasReason('refund', referenceId))
      violated(`the money for ${referenceId} is lost`);
  }
  if (world.reported.length > 0 && order.cancelledAt === undefined && world.shipped !== 1)
    violated('a paid order was never told to be paid first');
  if (order.cancelledAt !== undefined && (order.paidBy !== undefined || order.telling))
    violated('a cancelled order counts as paid');
  for (const { state, referenceId, sends, mayExist, claim } of order.payments) {
    const isRepeat = state === 'sending' && mayExist && claim?.before.state === 'unknown';
    if (isRepeat && sends > policyOf(model).mostSends) violated('a payment was repeated too often');
    if (state === 'look_up' && !hasReason('look_up', referenceId))
      violated('a payment waits for a person in no list');
    if (state === 'overdue' && !hasReason('overdue', referenceId))
      violated('an overdue payment is in no list');
  }
  if (
    order.payments.filter(({ state }) => ['new', 'sending', 'unknown', 'look_up', 'open'].includes(state))
      .length > 1
  )
    violated('two payments of the order are live in the database');
  const view = viewStateOf(order);
  if (view === 'started' && order.payments.at(-1)?.paymentUrl === undefined)
    violated('started without a link');
  checkExit(world, model, reviews.length > 0);
}

/** An order that waits has somebody who moves it, and moving it changes it. */
function checkExit(world: World, model: Model, isReviewed: boolean): void {
  const { order } = world;
  if (!order) return;
  const policy = policyOf(model);
  const due = dueAt(order, policy);
  const isEnded = order.paidBy !== undefined || order.cancelledAt !== undefined;
  const waits = order.payments.some(
    ({ state }) => ['sending', 'unknown', 'look_up', 'open'].includes(state) || (state === 'new' && !isEnded),
  );
  const uploads =
    order.paidBy !== undefined && order.invoices.some(({ state }) => state === 'new' || state === 'sending');
  if (due === undefined && !isReviewed && (waits || uploads || order.telling))
    violated('the order waits for nobody');
  if (due === undefined || due > world.now) return;
  const moved = decide(orderId, order, { type: 'move', token: 'check' }, world.now, policy).order;
  if (moved === order) violated('the sweep takes an order that is due and changes nothing');
}
