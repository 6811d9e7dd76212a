import type { Command, Decision, RuleSettings } from '../../../src/orders/commands.js';
import type { Order } from '../../../src/orders/order.js';
import { isEnded, isHeld, isLive } from '../../../src/orders/payment-state.js';
import { decide } from '../../../src/orders/rules.js';
import { orderId, settingsOf, violated, Violation, type Model, type World } from './world.js';

export interface Step {
  readonly name: string;
  readonly world: World;
}

function commandIdsIn(order: Order | undefined): (string | undefined)[] {
  if (!order) return [];
  return [
    ...order.payments.flatMap(({ claim, endedToken, acceptedToken, mismatchEndedToken }) => [
      claim?.token,
      endedToken,
      acceptedToken,
      mismatchEndedToken,
    ]),
    ...order.invoices.map(({ claim }) => claim?.token),
    order.pendingOnPaid?.claim?.token,
  ];
}

/** A new ID for a command. */
export function freshCommandId({ order, copy, hands }: World): string {
  const used = new Set([
    ...commandIdsIn(order),
    ...commandIdsIn(copy?.order),
    ...hands.map((hand) => ('commandId' in hand ? hand.commandId : '')),
  ]);
  let number = 0;
  while (used.has(`t${number}`)) number += 1;
  return `t${number}`;
}

function resultOf(decision: Decision): string {
  const { effect, changed = false, firstPaid = false, concluded = false, otherAmount = false } = decision;
  return `${effect?.type ?? ''} ${effect?.claim.token ?? ''} ${changed} ${firstPaid} ${concluded} ${otherAmount}`;
}

const shortestPauseMs = 5_000;
const decidedOnce = new Set<Command['type']>(['callEnded', 'uploadEnded', 'onPaidCalled']);

/** The longest sleep of a process: after it, every claim is over and safe. */
export const longestSleepMs = 4 * 60_000;

/**
 * Decides a command on the current order, now or at the time when the order was written. The second decision must be
 * the same.
 */
export function* decisions(
  world: World,
  model: Model,
  command: Command,
  process = 0,
): Generator<{ decision: Decision; late: string }> {
  const { now, wroteAt, order } = world;
  const settings = settingsOf(model, world, process);
  const readAt = Math.max(wroteAt, now - longestSleepMs);
  const times = model.staleReads && readAt < now ? [now, readAt] : [now];
  for (const at of times) {
    const decision = decide(orderId, order, command, at, settings);
    if (at === now && !decidedOnce.has(command.type)) {
      const again = decide(orderId, decision.order, command, now, settings);
      if (resultOf(again) !== resultOf(decision))
        violated(`${command.type} decided twice: ${resultOf(decision)}, then ${resultOf(again)}`);
    }
    checkDecision(world, decision, command, settings);
    yield { decision, late: at < now ? ', read long ago' : '' };
  }
}

/** Checks the rules that each decision must follow. The path to a violation ends before its command. */
function checkDecision(world: World, decision: Decision, command: Command, settings: RuleSettings): void {
  try {
    checkPromises(world.order, decision.order);
    checkBegun(world, decision.order);
    checkAdded(decision, command, settings);
    checkSend(world, decision, command);
    checkPause(world, decision);
    if (settings.onPaid !== 'firstPaid') checkOnPaid(world.order, decision, command);
  } catch (error) {
    throw error instanceof Violation ? new Violation(`${command.type}: ${error.message}`) : error;
  }
}

/** Checks that a conclusion does not become safe later than `safeAt` said. */
function checkPromises(before: Order | undefined, after: Order | undefined): void {
  for (const [index, { state, safeAt }] of (before?.payments ?? []).entries()) {
    const then = after?.payments[index];
    if (state === 'look_up' && then?.safeAt !== safeAt) violated('a conclusion is safe later than was said');
  }
}

/** True if money was reported, or might exist, that neither paid the order nor was refunded. */
export function mayHaveMoney({ order, reported, disputed, shipped }: World): boolean {
  const isRefunded = (referenceId: string) =>
    order?.payments.some((each) => each.referenceId === referenceId && each.refundedAt !== undefined);
  return shipped === 0 && (disputed.length > 0 || reported.some((each) => !isRefunded(each)));
}

function checkBegun(world: World, after: Order | undefined): void {
  const begins = (after?.payments.length ?? 0) > (world.order?.payments.length ?? 0);
  if (begins && mayHaveMoney(world)) violated('a payment begins while there may be money for the order');
}

/** Checks that an unsent payment is first sent only while it asks what the shop asks. */
function checkSend(world: World, { order, effect }: Decision, command: Command): void {
  if (effect?.type !== 'send' || effect.payment.mayExist || order === world.order) return;
  const { value } = effect.payment.expected;
  const asked = askedAfter(world, command);
  if (value !== asked) violated(`a payment of ${value} is first sent, and the order asks ${asked}`);
  if (mayHaveMoney(world)) violated('a payment is first sent while there may be money for the order');
}

/** Checks that an added payment is stored, unless the order cannot have another payment. */
function checkAdded({ order }: Decision, { type }: Command, { mostPayments }: RuleSettings): void {
  if (type !== 'add' || !order || isEnded(order) || isHeld(order)) return;
  if (order.payments.length < mostPayments && !order.payments.some(isLive))
    violated('what was added is lost');
}

/** The same content is not sent right after its refusal. */
function checkPause({ order: before, now }: World, { order, effect }: Decision): void {
  if (effect?.type !== 'send' || order === before) return;
  const refused = order?.payments.at(-2);
  const isSame = refused?.state === 'refused' && refused.contentHash === effect.payment.contentHash;
  if (isSame && now < refused.stateAt + shortestPauseMs)
    violated('the same content is sent right after its refusal');
}

/** Each paid order is due for `onPaid` until it was called. */
function checkOnPaid(before: Order | undefined, { order, firstPaid }: Decision, command: Command): void {
  const isCalled = command.type === 'onPaidCalled' && command.isDone;
  const wasDue = before?.pendingOnPaid !== undefined || (firstPaid === true && order !== before);
  if (wasDue && !isCalled && !order?.pendingOnPaid) violated('nobody will call onPaid for a paid order');
}

/** The amount that the order asks after a command, as its caller sees it. */
export function askedAfter({ order, asked, shipped }: World, command: Command): number | undefined {
  const next = command.type === 'start' || command.type === 'add' ? command.next : undefined;
  const isEnded = shipped > 0 || order?.cancelledAt !== undefined;
  return next && !isEnded ? next.expected.value : asked;
}

/** The world with the decided order. In a model that does not wait for an hour, `onPaid` is for review at once. */
export function written(world: World, model: Model, { order: decided }: Decision): World {
  if (decided === world.order) return world;
  const { pendingOnPaid } = decided ?? {};
  const order =
    decided && pendingOnPaid && !model.waitsAnHour
      ? { ...decided, pendingOnPaid: { ...pendingOnPaid, isInReview: true as const } }
      : decided;
  return { ...world, order, wroteAt: world.now };
}

/** A command of a webhook or of staff. */
export function* plainCommand(
  world: World,
  model: Model,
  name: string,
  command: Command,
  process = 0,
): Generator<Step & { decision: Decision }> {
  for (const { decision, late } of decisions(world, model, command, process)) {
    const asked = askedAfter(world, command);
    yield { name: name + late, world: { ...written(world, model, decision), asked }, decision };
  }
}

/** A committed decision that can report the order as paid. */
export function withReported(
  before: World,
  after: World,
  referenceId: string,
  status: string,
  { firstPaid, problem }: Decision,
): World {
  const isNew = status === 'paid' && problem === undefined && !before.reported.includes(referenceId);
  if (!isNew && !firstPaid) return after;
  const { order, asked, isToShip } = before;
  const isEnded = isToShip || order?.cancelledAt !== undefined;
  const { value } = before.service.find((each) => each.referenceId === referenceId) ?? {};
  const ships = (isNew && value === asked) || status === 'accept';
  if (firstPaid && !ships) violated(`the order is first paid by ${value}, and asks ${asked}`);
  return {
    ...after,
    reported: isNew ? [...before.reported, referenceId].toSorted() : before.reported,
    isToShip: isToShip || (ships && !isEnded),
    shipped: before.shipped + (firstPaid ? 1 : 0),
  };
}
