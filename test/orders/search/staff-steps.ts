import type { Command } from '../../../src/orders/commands.js';
import type { Order } from '../../../src/orders/order.js';
import { isLive } from '../../../src/orders/payment-state.js';
import { reviewsOf } from '../../../src/orders/reviews.js';
import { decide } from '../../../src/orders/rules.js';
import { freshCommandId, plainCommand, withReported, type Step } from './deciding.js';
import { isOpen, orderId, settingsOf, violated, type Model, type Sight, type World } from './world.js';

/*
 * The steps of staff: they stop repeats, look up payments at the service, conclude, accept and refund.
 */

/** The state of a payment at the service, as staff see it. */
function truthOf({ service, now }: World, model: Model, referenceId: string): Sight['conclusion'] {
  const found = service.filter((each) => each.referenceId === referenceId && each.state !== 'refused');
  if (found.some(({ state }) => state === 'paid')) return 'paid';
  if (found.some((payment) => isOpen(payment, now, model))) return 'exists';
  return found.length > 0 ? 'over' : 'absent';
}

/** True while a request for the payment can still arrive. */
export function mayArrive({ hands, underWay, now }: World, referenceId: string): boolean {
  return (
    underWay.some((request) => request.referenceId === referenceId) ||
    hands.some((hand) => hand.type === 'claimed' && hand.referenceId === referenceId && now < hand.endsAt)
  );
}

/** True if a payment was concluded to be absent or over while it can still be made. */
export function isTooEarly(world: World, after: Order | undefined, referenceId: string): boolean {
  const stateIn = (order: Order | undefined) =>
    order?.payments.find((payment) => payment.referenceId === referenceId)?.state;
  const state = stateIn(after);
  if (state === stateIn(world.order) || !mayArrive(world, referenceId)) return false;
  const isMade = world.service.some((payment) => payment.referenceId === referenceId);
  return state === 'absent' || (state === 'over' && !isMade);
}

function* reviewSteps(world: World, model: Model, order: Order): Generator<Step> {
  const last = order.payments.at(-1);
  for (const { referenceId = '', reason } of reviewsOf(order)) {
    if (reason === 'refund' || reason === 'other_amount')
      yield* plainCommand(world, model, `staff refund ${referenceId}`, { type: 'refunded', referenceId });
    // For a payment to be refunded it must change nothing.
    if (reason !== 'refund' && reason !== 'other_amount') continue;
    const commandId = freshCommandId(world);
    const conclusion = 'accept';
    const command: Command = { type: 'conclude', commandId, referenceId, conclusion, canCallOnPaid: false };
    for (const { decision, ...step } of plainCommand(world, model, `staff accept ${referenceId}`, command))
      yield { ...step, world: withReported(world, step.world, referenceId, 'accept', decision) };
  }
  if (last && isLive(last) && last.state !== 'open')
    yield* plainCommand(world, model, 'staff stop', { type: 'lookUp', referenceId: last.referenceId });
}

function* concludeSteps(world: World, model: Model, { referenceId, conclusion }: Sight): Generator<Step> {
  const commandId = freshCommandId(world);
  const command: Command = { type: 'conclude', commandId, referenceId, conclusion, canCallOnPaid: false };
  for (const { decision, ...step } of plainCommand(world, model, `staff conclude ${conclusion}`, command)) {
    if (isTooEarly(world, decision.order, referenceId))
      violated(`it was concluded to be ${conclusion}, and may still arrive`);
    const next = withReported(world, step.world, referenceId, conclusion, decision);
    const disputed = decision.concluded
      ? next.disputed.filter((each) => each !== referenceId)
      : next.disputed;
    yield { ...step, world: { ...next, disputed, sight: undefined } };
  }
}

/** The payments that staff look at: for review, open, or paid late. */
function toBeSeen({ service }: World, model: Model, order: Order): Set<string> {
  const waiting = new Set(
    reviewsOf(order).flatMap(({ referenceId = '', reason }) =>
      ['refund', 'other_amount', 'too_many', 'on_paid_due', 'no_client'].includes(reason)
        ? []
        : [referenceId],
    ),
  );
  const last = order.payments.at(-1);
  if (last?.state === 'open') waiting.add(last.referenceId);
  if (!model.latePayments) return waiting;
  for (const { referenceId, state } of order.payments)
    if (state !== 'paid' && service.some((each) => each.referenceId === referenceId && each.state === 'paid'))
      waiting.add(referenceId);
  return waiting;
}

export function* staffSteps(world: World, model: Model): Generator<Step> {
  const { order, sight, now } = world;
  if (!order) return;
  yield* reviewSteps(world, model, order);
  if (sight) {
    yield* concludeSteps(world, model, sight);
    return;
  }
  const settings = settingsOf(model, world);
  for (const referenceId of toBeSeen(world, model, order)) {
    const conclusion = truthOf(world, model, referenceId);
    const { safeAt = 0 } = decide(orderId, order, { type: 'lookUp', referenceId }, now, settings);
    // They stop the repeats before they look, and until `safeAt` a request can still be on its way.
    const { state } = order.payments.find((payment) => payment.referenceId === referenceId) ?? {};
    const isStopped = state !== 'new' && state !== 'sending' && state !== 'unknown';
    if (conclusion === 'absent' && (!isStopped || now < safeAt)) continue;
    yield { name: `staff see ${conclusion}`, world: { ...world, sight: { referenceId, conclusion } } };
  }
}

export function* invoiceStaffSteps(world: World, model: Model): Generator<Step> {
  const settings = settingsOf(model, world);
  for (const { number, state, safeAt = 0, sends, upload } of world.order?.invoices ?? []) {
    const isErased = state === 'new' && upload === undefined;
    if (state !== 'look_up' && state !== 'refused' && !isErased) continue;
    const isStored = (world.stored[number - 1] ?? 0) > 0;
    const conclusion = isStored ? 'stored' : 'absent';
    const command: Command = { type: 'concludeInvoice', number, conclusion };
    if (conclusion === 'absent' && state === 'look_up' && world.now < safeAt) {
      const { concluded } = decide(orderId, world.order, command, world.now, settings);
      if (concluded) violated('an invoice was concluded to be absent too early');
      continue;
    }
    // Once more is enough: then nothing new can happen.
    if (conclusion === 'absent' && state === 'look_up' && sends > 2) continue;
    yield* plainCommand(world, model, `staff: invoice ${number} is ${conclusion}`, command);
  }
}
