import type { Command, Decision, CallResult } from '../../../src/orders/commands.js';
import type { NewPayment, Order } from '../../../src/orders/order.js';
import { decide, dueAt } from '../../../src/orders/rules.js';
import { isLive, reviewsOf } from '../../../src/orders/views.js';
import {
  isOpen,
  orderId,
  settingsOf,
  proxyMs,
  violated,
  type Hand,
  type Model,
  type Sight,
  type World,
} from './world.js';

export interface Step {
  readonly name: string;
  readonly world: World;
}

type HandOf<Type extends Hand['type']> = Extract<Hand, { type: Type }>;

const idle: Hand = { type: 'idle' };
function failing(step: 'fix' | 'refused' | 'look_up' | 'repeat' | 'call_again'): CallResult {
  return { step, error: { code: 'X', action: 'x' } };
}

function nextPayment({ order, isRestored }: World, { lifetimeMs }: Model): NewPayment {
  return {
    referenceId: `${orderId}-${(order?.payments.length ?? 0) + 1}`,
    request: 'r',
    idempotencyKey: 'k',
    content: 'c',
    asked: { value: 1, currency: 'VND', merchantId: 'm' },
    ...(lifetimeMs !== undefined && { lifetimeMs }),
    mayExist: isRestored,
  };
}

function commandIdsIn(order: Order | undefined): (string | undefined)[] {
  if (!order) return [];
  return [
    ...order.payments.flatMap(({ claim, endedToken }) => [claim?.token, endedToken]),
    ...order.invoices.map(({ claim }) => claim?.token),
    order.telling?.claim?.token,
  ];
}

/** An ID that no command has had. */
function freshCommandId({ order, copy, hands }: World): string {
  const used = new Set([
    ...commandIdsIn(order),
    ...commandIdsIn(copy?.order),
    ...hands.map((hand) => ('commandId' in hand ? hand.commandId : '')),
  ]);
  let number = 0;
  while (used.has(`t${number}`)) number += 1;
  return `t${number}`;
}

function resultOf({ effect, changed = false, firstPaid = false, concluded = false }: Decision): string {
  return `${effect?.type ?? ''} ${effect?.claim.token ?? ''} ${changed} ${firstPaid} ${concluded}`;
}

const decidedOnce = new Set<Command['type']>(['callEnded', 'uploadEnded', 'onPaidCalled']);

/** Then any claim of its time is over, and safe. */
export const longestSleepMs = 4 * 60_000;

/** The command on the present order, decided now or as long ago as the order was written. Decided twice, its result is the same. */
function* decisions(
  world: World,
  model: Model,
  command: Command,
): Generator<{ decision: Decision; late: string }> {
  const { now, wroteAt, order } = world;
  const settings = settingsOf(model);
  const readAt = Math.max(wroteAt, now - longestSleepMs);
  const times = model.staleReads && readAt < now ? [now, readAt] : [now];
  for (const at of times) {
    const decision = decide(orderId, order, command, at, settings);
    if (at === now && !decidedOnce.has(command.type)) {
      const again = decide(orderId, decision.order, command, now, settings);
      if (resultOf(again) !== resultOf(decision))
        violated(`${command.type} decided twice: ${resultOf(decision)}, then ${resultOf(again)}`);
    }
    checkPromises(world.order, decision.order, command);
    yield { decision, late: at < now ? ', read long ago' : '' };
  }
}

/** A person was told from when a conclusion is safe: that holds. */
function checkPromises(before: Order | undefined, after: Order | undefined, { type }: Command): void {
  if (type === 'restored') return;
  for (const [index, { state, safeAt }] of (before?.payments ?? []).entries()) {
    const then = after?.payments[index];
    if (state === 'look_up' && then?.safeAt !== safeAt) violated('a conclusion is safe later than was said');
  }
}

function withHand(world: World, process: number, hand: Hand): World {
  return { ...world, hands: world.hands.map((each, index) => (index === process ? hand : each)) };
}

function written(world: World, { order }: Decision): World {
  return order === world.order ? world : { ...world, order, wroteAt: world.now };
}

function handOf({ effect }: Decision): Hand {
  switch (effect?.type) {
    case 'send': {
      const { referenceId, mayExist, request } = effect.payment;
      const { token: commandId, endsAt } = effect.claim;
      if (request === undefined) violated('the request of a payment was erased before it was sent');
      return { type: 'claimed', referenceId, commandId, endsAt, mayExist };
    }
    case 'upload': {
      const { token: commandId, endsAt } = effect.claim;
      if (effect.invoice.upload === undefined) violated('an invoice was erased before it was uploaded');
      return { type: 'uploading', number: effect.invoice.number, commandId, endsAt };
    }
    case 'callOnPaid':
      return { type: 'callingOnPaid', commandId: effect.claim.token };
    case undefined:
      return idle;
  }
}

/** A command of a process, and what it has in its hands afterwards. */
function* processCommand(
  world: World,
  model: Model,
  process: number,
  name: string,
  command: Command,
): Generator<Step> {
  for (const { decision, late } of decisions(world, model, command)) {
    const next = written(world, decision);
    yield { name: `${process} ${name}${late}`, world: withHand(next, process, handOf(decision)) };
    if (!model.lostResponses || (command.type !== 'start' && command.type !== 'doNextDue')) continue;
    const hand: Hand = { type: 'unsure', command, commandId: command.commandId, expected: '' };
    yield { name: `${process} ${name}, response lost`, world: withHand(next, process, hand) };
  }
}

/** A command of the webhook or a person. */
function* plainCommand(
  world: World,
  model: Model,
  name: string,
  command: Command,
): Generator<Step & { decision: Decision }> {
  for (const { decision, late } of decisions(world, model, command))
    yield { name: name + late, world: written(world, decision), decision };
}

function click(world: World, model: Model, commandId: string): Command {
  const { order, copy, isRestored } = world;
  const begun = order?.payments.length ?? 0;
  // A second payment that the database forgets, with what had ended the first, has to be compared with the service by a person.
  const isForgotten = begun > 0 && copy !== undefined && !isRestored;
  const mayBegin = begun < model.payments && !isForgotten;
  return { type: 'start', commandId, ...(mayBegin && { next: nextPayment(world, model) }) };
}

function* idleSteps(world: World, model: Model, process: number): Generator<Step> {
  const { order, now } = world;
  const commandId = freshCommandId(world);
  if (model.payments > 0)
    yield* processCommand(world, model, process, 'click', click(world, model, commandId));
  if (order && (dueAt(order, settingsOf(model)) ?? Infinity) <= now)
    yield* processCommand(world, model, process, 'sweep', { type: 'doNextDue', commandId });
}

/** The request arrives at the service. A response that is lost, or says "later", is like one that never arrived. */
function* arrivals(
  world: World,
  model: Model,
  referenceId: string,
): Generator<{ world: World; result: CallResult }> {
  const { service, now } = world;
  const accepted: CallResult = { step: 'accepted', paymentUrl: 'u' };
  const withNew = (state: 'open' | 'refused'): World => ({
    ...world,
    service: [...service, { referenceId, createdAt: now, state }],
  });
  const created = withNew('open');
  const found = service.find((payment) => payment.referenceId === referenceId);
  if (found?.state === 'refused') yield { world, result: failing('refused') };
  else if (!found) {
    yield { world: created, result: accepted };
    yield { world: model.restores ? withNew('refused') : world, result: failing('refused') };
    if (model.fixes) yield { world, result: failing('fix') };
  } else if (model.actsAgain) yield { world: created, result: accepted };
  else {
    yield { world, result: accepted };
    yield { world, result: failing('look_up') };
  }
}

/** A client that was told of an earlier send ends no call better than unknown, unless it is accepted. */
function asClient(result: CallResult, mayExist: boolean): CallResult {
  if (!mayExist || !('error' in result)) return result;
  if (result.step === 'refused' || result.step === 'fix') return { ...result, step: 'look_up' };
  return result.step === 'call_again' ? { ...result, step: 'repeat' } : result;
}

function* claimedSteps(
  world: World,
  model: Model,
  process: number,
  { referenceId, commandId, mayExist, endsAt }: HandOf<'claimed'>,
): Generator<Step> {
  const sent = (name: string, from: World, result: CallResult): Step => ({
    name: `${process} ${name}`,
    world: withHand(from, process, {
      type: 'callEnded',
      referenceId,
      commandId,
      result: asClient(result, mayExist),
    }),
  });
  if (world.now >= endsAt) {
    yield sent('woke too late', world, { step: 'not_made' });
    return;
  }
  yield sent('was not connected', world, failing('call_again'));
  yield sent('sent what was lost', world, failing('repeat'));
  for (const { world: then, result } of arrivals(world, model, referenceId)) {
    yield sent(`sent: ${result.step}`, then, result);
    if (then !== world) yield sent('sent, response lost', then, failing('repeat'));
  }
  // One at a time.
  if (!model.delays || world.underWay.length > 0) return;
  const underWay = [{ referenceId, sentAt: world.now }];
  yield sent('sent what is held up', { ...world, underWay }, failing('repeat'));
}

function* uploadSteps(
  world: World,
  model: Model,
  process: number,
  { number, commandId, endsAt }: HandOf<'uploading'>,
): Generator<Step> {
  const ended = (name: string, from: World, result: CallResult): Step => ({
    name: `${process} upload ${name}`,
    world: withHand(from, process, { type: 'uploadEnded', number, commandId, result }),
  });
  if (world.now >= endsAt) {
    yield ended('woke too late', world, { step: 'not_made' });
    return;
  }
  const stored = storedOnce(world, number);
  yield ended('was not connected', world, failing('call_again'));
  yield ended('stored', stored, { step: 'accepted' });
  yield ended('stored, response lost', stored, failing('look_up'));
  yield ended('lost', world, failing('look_up'));
  yield ended('refused', world, failing('refused'));
  if (!model.delays || world.uploadsUnderWay.length > 0) return;
  const uploadsUnderWay = [{ number, sentAt: world.now }];
  yield ended('held up', { ...world, uploadsUnderWay }, failing('look_up'));
}

function storedOnce(world: World, number: number): World {
  return { ...world, stored: world.stored.map((count, index) => count + (index + 1 === number ? 1 : 0)) };
}

/** The command once more, whatever has happened since. */
function* decidedAgain(
  world: World,
  model: Model,
  process: number,
  { command, expected }: HandOf<'unsure'>,
): Generator<Step> {
  const same = command.type === 'start' ? click(world, model, command.commandId) : command;
  for (const { decision, late } of decisions(world, model, same)) {
    const { changed, firstPaid } = decision;
    if (command.type === 'event' && `${changed} ${firstPaid}` !== expected)
      violated('a notification that was decided again was decided otherwise');
    const name = `${process} decides ${command.type} again${late}`;
    yield { name, world: withHand(written(world, decision), process, handOf(decision)) };
  }
}

function* processSteps(world: World, model: Model, process: number): Generator<Step> {
  const hand = world.hands[process] ?? idle;
  if (hand.type === 'idle') {
    yield* idleSteps(world, model, process);
    return;
  }
  yield { name: `${process} crashes`, world: withHand(world, process, idle) };
  switch (hand.type) {
    case 'unsure':
      yield* decidedAgain(world, model, process, hand);
      return;
    case 'claimed':
      yield* claimedSteps(world, model, process, hand);
      return;
    case 'uploading':
      yield* uploadSteps(world, model, process, hand);
      return;
    case 'callingOnPaid':
      if (world.order?.paidBy === undefined || world.order.cancelledAt !== undefined)
        violated('onPaid is called for an order that is not paid');
      for (const isDone of [true, false])
        yield {
          name: `${process} ${isDone ? 'has called onPaid' : 'could not call onPaid'}`,
          world: withHand(world, process, { type: 'onPaidCalled', commandId: hand.commandId, isDone }),
        };
      return;
    case 'callEnded':
    case 'uploadEnded':
    case 'onPaidCalled':
      yield* processCommand(world, model, process, `reports ${hand.type}`, hand);
  }
}

/** The customer pays, or it ends unpaid. */
function* customerSteps(world: World, model: Model): Generator<Step> {
  for (const [index, payment] of world.service.entries()) {
    if (payment.state !== 'open') continue;
    const states = isOpen(payment, world.now, model)
      ? (['paid', 'declined'] as const)
      : ['declined' as const];
    for (const state of states) {
      const service = world.service.map((each, at) => (at === index ? { ...each, state } : each));
      yield { name: `${payment.referenceId} is ${state}`, world: { ...world, service } };
    }
  }
}

/** A committed decision that may say that the order is paid. */
function withReported(
  world: World,
  referenceId: string,
  status: string,
  { firstPaid, problem }: Decision,
): World {
  const isNew = status === 'paid' && problem === undefined && !world.reported.includes(referenceId);
  if (!isNew && !firstPaid) return world;
  const reported = isNew ? [...world.reported, referenceId].toSorted() : world.reported;
  return { ...world, reported, shipped: world.shipped + (firstPaid ? 1 : 0) };
}

function* webhookSteps(world: World, model: Model): Generator<Step> {
  const process = world.hands.findIndex(({ type }) => type === 'idle');
  const commandId = freshCommandId(world);
  for (const { referenceId, state: status } of world.service) {
    const isKnown = world.order?.payments.some((payment) => payment.referenceId === referenceId);
    if (status === 'open' || status === 'refused' || !isKnown) continue;
    const event = { referenceId, status, value: 1, currency: 'VND' };
    for (const mayCallOnPaid of settingsOf(model).hasOnPaid ? [true, false] : [false]) {
      if (mayCallOnPaid && process < 0) continue;
      const command = { type: 'event', commandId, event, mayCallOnPaid } as const;
      for (const { decision, ...step } of plainCommand(world, model, `${status} arrives`, command)) {
        const next = withReported(step.world, referenceId, status, decision);
        yield { ...step, world: mayCallOnPaid ? withHand(next, process, handOf(decision)) : next };
        if (!model.lostResponses || process < 0 || decision.order === world.order) continue;
        const expected = `${decision.changed} ${decision.firstPaid}`;
        const hand: Hand = { type: 'unsure', command, commandId, expected };
        yield { name: `${step.name}, response lost`, world: withHand(next, process, hand) };
      }
    }
  }
  const last = world.order?.payments.at(-1);
  if (!model.strangeEvents || !last) return;
  const event = { referenceId: last.referenceId, status: 'paid' as const, value: 2, currency: 'VND' };
  const command: Command = { type: 'event', commandId, event, mayCallOnPaid: false };
  for (const step of plainCommand(world, model, 'another amount arrives', command)) {
    if (step.decision.changed || step.decision.firstPaid)
      violated('a notification with another amount counted');
    yield step;
  }
}

/** A person looks a reference up at the service. */
function truthOf({ service, now }: World, model: Model, referenceId: string): Sight['conclusion'] {
  const found = service.filter((each) => each.referenceId === referenceId && each.state !== 'refused');
  if (found.some(({ state }) => state === 'paid')) return 'paid';
  if (found.some((payment) => isOpen(payment, now, model))) return 'exists';
  return found.length > 0 ? 'over' : 'absent';
}

/** True while a request for the reference may still arrive. */
export function mayArrive({ hands, underWay, now }: World, referenceId: string): boolean {
  return (
    underWay.some((request) => request.referenceId === referenceId) ||
    hands.some((hand) => hand.type === 'claimed' && hand.referenceId === referenceId && now < hand.endsAt)
  );
}

function* staffSteps(world: World, model: Model): Generator<Step> {
  const { order, sight, now } = world;
  if (!order) return;
  const settings = settingsOf(model);
  const reviews = reviewsOf(order);
  const last = order.payments.at(-1);
  for (const { referenceId = '', reason } of reviews)
    if (reason === 'refund')
      yield* plainCommand(world, model, `staff refund ${referenceId}`, { type: 'refunded', referenceId });
  if (last && isLive(last) && last.state !== 'open')
    yield* plainCommand(world, model, 'staff stop', { type: 'lookUp', referenceId: last.referenceId });
  if (sight) {
    const { referenceId, conclusion } = sight;
    const commandId = freshCommandId(world);
    const command: Command = { type: 'conclude', commandId, referenceId, conclusion, mayCallOnPaid: false };
    for (const { decision, ...step } of plainCommand(world, model, `staff conclude ${conclusion}`, command)) {
      if (conclusion === 'absent' && decision.concluded && mayArrive(world, referenceId))
        violated('it was concluded to be absent, and may still arrive');
      const next = withReported(step.world, referenceId, conclusion, decision);
      yield { ...step, world: { ...next, sight: undefined } };
    }
    return;
  }
  const waiting = new Set(
    reviews.flatMap(({ referenceId = '', reason }) => (reason === 'refund' ? [] : [referenceId])),
  );
  if (last?.state === 'open') waiting.add(last.referenceId);
  for (const referenceId of waiting) {
    const conclusion = truthOf(world, model, referenceId);
    const { safeAt = 0 } = decide(orderId, order, { type: 'lookUp', referenceId }, now, settings);
    // They stop the repeats before they look, and until `safeAt` it may be on its way.
    const { state } = order.payments.find((payment) => payment.referenceId === referenceId) ?? {};
    const isStopped = state !== 'new' && state !== 'sending' && state !== 'unknown';
    if (conclusion === 'absent' && (!isStopped || now < safeAt)) continue;
    yield { name: `staff see ${conclusion}`, world: { ...world, sight: { referenceId, conclusion } } };
  }
}

function* invoiceStaffSteps(world: World, model: Model): Generator<Step> {
  for (const { number, state, safeAt = 0, sends } of world.order?.invoices ?? []) {
    if (state !== 'look_up' && state !== 'refused') continue;
    const isStored = (world.stored[number - 1] ?? 0) > 0;
    const conclusion = isStored ? 'stored' : 'absent';
    if (conclusion === 'absent' && state === 'look_up' && world.now < safeAt) {
      const { concluded } = decide(
        orderId,
        world.order,
        { type: 'concludeInvoice', number, conclusion },
        world.now,
        settingsOf(model),
      );
      if (concluded) violated('an invoice was concluded to be absent too early');
      continue;
    }
    // Once more is enough: then nothing new can happen.
    if (conclusion === 'absent' && state === 'look_up' && sends > 2) continue;
    const command: Command = { type: 'concludeInvoice', number, conclusion };
    yield* plainCommand(world, model, `staff: invoice ${number} is ${conclusion}`, command);
  }
}

/** A request that was held up arrives. One that never does was lost when it was sent. */
function* networkSteps(world: World, model: Model): Generator<Step> {
  for (const { referenceId } of world.underWay)
    for (const { world: then } of arrivals({ ...world, underWay: [] }, model, referenceId))
      yield { name: 'what was held up arrives', world: then };
  for (const { number } of world.uploadsUnderWay)
    yield {
      name: 'the upload that was held up arrives',
      world: storedOnce({ ...world, uploadsUnderWay: [] }, number),
    };
}

/** A copy of the database is made; later the database is set back to it. Processes go on with what they have in their hands. */
function* restoreSteps(world: World, model: Model): Generator<Step> {
  const { order, reported, shipped, copy, now } = world;
  if (!copy) yield { name: 'a copy is made', world: { ...world, copy: { order, reported, shipped } } };
  if (!copy || world.isRestored) return;
  const command: Command = { type: 'restored', sinceAt: now };
  const { order: restored } = copy.order
    ? decide(orderId, copy.order, command, now, settingsOf(model))
    : { order: undefined };
  // People know of it: what they saw before does not count.
  const next = { ...world, ...copy, order: restored, wroteAt: now, isRestored: true, sight: undefined };
  // It happens once.
  const spent = { order: undefined, reported: [], shipped: 0 };
  yield { name: 'the copy is restored', world: { ...next, copy: spent } };
}

/** The clock goes on to the next time at which anything may change. */
function* timeSteps(world: World, model: Model): Generator<Step> {
  const { order, hands, service, underWay, uploadsUnderWay } = world;
  const stopped = ['look_up', 'overdue'];
  const times = [
    order && dueAt(order, settingsOf(model)),
    ...(order?.payments ?? []).map(({ state, nextAt, safeAt }) => {
      if (state === 'new') return nextAt;
      return model.staff && stopped.includes(state) ? safeAt : undefined;
    }),
    ...(order?.invoices ?? []).map(({ state, safeAt }) => (state === 'look_up' ? safeAt : undefined)),
    ...hands.map((hand) => ('endsAt' in hand ? hand.endsAt : undefined)),
    ...service.map(({ state, createdAt }) =>
      state === 'open' && model.lifetimeMs !== undefined ? createdAt + model.lifetimeMs : undefined,
    ),
    ...[...underWay, ...uploadsUnderWay].map(({ sentAt }) => sentAt + proxyMs),
  ];
  const now = Math.min(...times.map((time) => (time !== undefined && time > world.now ? time : Infinity)));
  if (now === Infinity) return;
  const isUnderWay = ({ sentAt }: { sentAt: number }) => now < sentAt + proxyMs;
  yield {
    name: `${(now - world.now) / 1000} s pass`,
    world: {
      ...world,
      now,
      underWay: underWay.filter(isUnderWay),
      uploadsUnderWay: uploadsUnderWay.filter(isUnderWay),
    },
  };
}

/** Everything that may happen next. */
export function* steps(world: World, model: Model): Generator<Step> {
  for (const process of world.hands.keys()) yield* processSteps(world, model, process);
  yield* customerSteps(world, model);
  yield* webhookSteps(world, model);
  if (model.staff)
    yield* model.invoices === undefined ? staffSteps(world, model) : invoiceStaffSteps(world, model);
  yield* networkSteps(world, model);
  if (model.cancels && world.order?.cancelledAt === undefined)
    yield* plainCommand(world, model, 'the shop cancels', { type: 'cancel' });
  if (model.restores) yield* restoreSteps(world, model);
  yield* timeSteps(world, model);
}
