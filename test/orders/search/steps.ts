import type { NewPayment, Order } from '../../../src/orders/order.js';
import type { Command, Decision, Policy, SendResult } from '../../../src/orders/commands.js';
import { decide, dueAt } from '../../../src/orders/rules.js';
import { isLive, reviewsOf } from '../../../src/orders/views.js';
import { violated } from './violation.js';
import { isOpen, proxyMs, type Hand, type Model, type World } from './world.js';

export interface Step {
  readonly name: string;
  readonly world: World;
}

export const orderId = 'o';
const idle: Hand = { type: 'idle' };

export function policyOf({ policy, tells = false }: Model): Policy {
  return {
    claimMs: 60_000,
    safeAfterMs: 180_000,
    repeatAfterMs: 60_000,
    mostSends: 2,
    repeatUnknown: true,
    reviewOverdue: true,
    tells,
    ...policy,
  };
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

/** A token that nobody else has: claims of one payment or invoice differ in how often it was sent. */
function freshToken({ order, shipped }: World): string {
  const sends = order?.payments.map((payment) => payment.sends).join('.') ?? '';
  const uploads = order?.invoices.map((invoice) => invoice.sends).join('.') ?? '';
  return `${sends}:${uploads}:${order?.telling?.tries ?? ''}:${shipped}`;
}

/** The command on the present order, decided now or as long ago as the order was written. The same answer twice. */
function* decisions(
  world: World,
  model: Model,
  command: Command,
): Generator<{ decision: Decision; at: number }> {
  const policy = policyOf(model);
  const times = model.staleReads && world.wroteAt < world.now ? [world.now, world.wroteAt] : [world.now];
  for (const at of times) {
    const decision = decide(orderId, world.order, command, at, policy);
    const again = decide(orderId, decision.order, command, world.now, policy);
    const isSame =
      'token' in command &&
      command.type !== 'sent' &&
      command.type !== 'uploaded' &&
      command.type !== 'told' &&
      at === world.now;
    if (isSame && answerOf(again) !== answerOf(decision))
      violated(`${command.type} decided twice: ${answerOf(decision)}, then ${answerOf(again)}`);
    yield { decision, at };
  }
}

function answerOf({ effect, changed = false, firstPaid = false }: Decision): string {
  const token = effect && 'claim' in effect ? `${effect.type} ${effect.claim.token}` : '';
  return `${token} ${changed} ${firstPaid}`;
}

function withHand(world: World, process: number, hand: Hand): World {
  return { ...world, hands: world.hands.map((each, index) => (index === process ? hand : each)) };
}

function written(world: World, order: Order | undefined): World {
  return order === world.order ? world : { ...world, order, wroteAt: world.now };
}

function handOf({ effect }: Decision): Hand {
  switch (effect?.type) {
    case 'send': {
      const { referenceId, mayExist } = effect.payment;
      const { token, endsAt } = effect.claim;
      return { type: 'claimed', referenceId, token, endsAt, mayExist };
    }
    case 'upload':
      return { type: 'uploading', number: effect.invoice.number, ...effect.claim };
    case 'tell':
      return { type: 'telling', token: effect.claim.token };
    default:
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
  for (const { decision, at } of decisions(world, model, command)) {
    const next = written(world, decision.order);
    const late = at < world.now ? ', read long ago' : '';
    yield { name: `${process} ${name}${late}`, world: withHand(next, process, handOf(decision)) };
    const isUnsure = model.lostAnswers && decision.order !== world.order && handOf(decision) !== idle;
    if (isUnsure && (command.type === 'start' || command.type === 'move')) {
      const hand: Hand = { type: 'unsure', command: command.type, token: command.token };
      yield { name: `${process} ${name}, answer lost`, world: withHand(next, process, hand) };
    }
  }
}

/** A command of the webhook or a person. */
function* plainCommand(
  world: World,
  model: Model,
  name: string,
  command: Command,
): Generator<Step & { decision: Decision }> {
  for (const { decision, at } of decisions(world, model, command)) {
    const late = at < world.now ? ', read long ago' : '';
    yield { name: name + late, world: written(world, decision.order), decision };
  }
}

function* idleSteps(world: World, model: Model, process: number): Generator<Step> {
  const { order } = world;
  const token = freshToken(world);
  const mayBegin = (order?.payments.length ?? 0) < model.payments;
  const last = order?.payments.at(-1);
  // A payment that is never sent may be clicked for ever.
  const isTired = last?.state === 'new' && last.sends > policyOf(model).mostSends;
  if (model.payments > 0 && !isTired) {
    const next = mayBegin ? { next: nextPayment(world, model) } : {};
    yield* processCommand(world, model, process, 'click', { type: 'start', token, ...next });
  }
  if (!order) return;
  if ((dueAt(order, policyOf(model)) ?? Infinity) <= world.now)
    yield* processCommand(world, model, process, 'sweep', { type: 'move', token });
}

/** The answers of the service to a request that arrives. */
function* arrivals(
  world: World,
  model: Model,
  referenceId: string,
): Generator<{ world: World; result: SendResult }> {
  const accepted: SendResult = { step: 'accepted', paymentUrl: `pay/${referenceId}` };
  const failing = (step: 'refused' | 'look_up' | 'repeat' | 'call_again'): SendResult => ({
    step,
    error: problem,
  });
  const known = world.service.some((payment) => payment.referenceId === referenceId);
  const created = {
    ...world,
    service: [...world.service, { referenceId, createdAt: world.now, state: 'open' as const }],
  };
  if (!known) {
    yield { world: created, result: accepted };
    yield { world, result: failing('refused') };
    yield { world, result: failing('call_again') };
  } else if (model.actsAgain) yield { world: created, result: accepted };
  else {
    yield { world, result: accepted };
    yield { world, result: failing('look_up') };
    yield { world, result: failing('repeat') };
  }
}

const problem = { code: 'X', action: 'x' };

/** A client that was told of an earlier send ends no call better than unknown, unless it is accepted. */
function asClient(result: SendResult, mayExist: boolean): SendResult {
  if (!mayExist || !('error' in result)) return result;
  if (result.step === 'refused' || result.step === 'fix') return { ...result, step: 'look_up' };
  return result.step === 'call_again' ? { ...result, step: 'repeat' } : result;
}

function* claimedSteps(
  world: World,
  model: Model,
  process: number,
  hand: Extract<Hand, { type: 'claimed' }>,
): Generator<Step> {
  const { referenceId, token, mayExist } = hand;
  const ended = (name: string, from: World, result: SendResult): Step => ({
    name: `${process} ${name}`,
    world: withHand(from, process, { type: 'ended', referenceId, token, result: asClient(result, mayExist) }),
  });
  if (world.now >= hand.endsAt) {
    yield ended('woke too late', world, { step: 'too_late' });
    return;
  }
  yield ended('was not connected', world, { step: 'call_again', error: problem });
  yield ended('sent what was lost', world, { step: 'repeat', error: problem });
  for (const { world: then, result } of arrivals(world, model, referenceId)) {
    yield ended(`sent: ${result.step}`, then, result);
    if (then !== world) yield ended('sent, response lost', then, { step: 'repeat', error: problem });
  }
  if (model.delays && world.underWay.length === 0) {
    const underWay = [{ referenceId, sentAt: world.now }];
    yield ended('sent what is held up', { ...world, underWay }, { step: 'repeat', error: problem });
  }
}

function* uploadSteps(
  world: World,
  model: Model,
  process: number,
  hand: Extract<Hand, { type: 'uploading' }>,
): Generator<Step> {
  const { number, token } = hand;
  const ended = (name: string, from: World, result: SendResult): Step => ({
    name: `${process} upload ${name}`,
    world: withHand(from, process, { type: 'uploaded', number, token, result }),
  });
  if (world.now >= hand.endsAt) {
    yield ended('woke too late', world, { step: 'too_late' });
    return;
  }
  const stored = {
    ...world,
    stored: world.stored.map((count, index) => count + (index + 1 === number ? 1 : 0)),
  };
  yield ended('was not connected', world, { step: 'call_again', error: problem });
  yield ended('stored', stored, { step: 'accepted' });
  yield ended('stored, response lost', stored, { step: 'look_up', error: problem });
  yield ended('lost', world, { step: 'look_up', error: problem });
  yield ended('refused', world, { step: 'refused', error: problem });
  if (model.delays && world.uploadsUnderWay.length === 0) {
    const uploadsUnderWay = [...world.uploadsUnderWay, { number, sentAt: world.now }];
    yield ended('held up', { ...world, uploadsUnderWay }, { step: 'look_up', error: problem });
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
      yield* processCommand(
        world,
        { ...model, lostAnswers: false },
        process,
        `decides ${hand.command} again`,
        {
          type: hand.command,
          token: hand.token,
        },
      );
      return;
    case 'claimed':
      yield* claimedSteps(world, model, process, hand);
      return;
    case 'uploading':
      yield* uploadSteps(world, model, process, hand);
      return;
    case 'telling':
      if (world.order?.paidBy === undefined || world.order.cancelledAt !== undefined)
        violated('somebody is told of an order that is not paid');
      for (const isTold of [true, false])
        yield {
          name: `${process} ${isTold ? 'told' : 'could not tell'}`,
          world: withHand(world, process, { type: 'told', token: hand.token, isTold }),
        };
      return;
    case 'ended':
      yield* processCommand(world, model, process, 'reports', { ...hand, type: 'sent' });
      return;
    case 'uploaded':
      yield* processCommand(world, model, process, 'reports an upload', { ...hand });
      return;
    case 'told':
      yield* processCommand(world, model, process, 'reports that it told', { ...hand });
  }
}

function announced(world: World, made: World['made'][number]): World {
  return world.made.includes(made) ? world : { ...world, made: [...world.made, made].toSorted() };
}

/** The customer, and the time at the service. */
function* customerSteps(world: World, model: Model): Generator<Step> {
  for (const [index, payment] of world.service.entries()) {
    if (payment.state !== 'open') continue;
    const words = isOpen(payment, world, model) ? (['paid', 'declined'] as const) : (['expired'] as const);
    for (const word of words) {
      const service = world.service.map((each, at) => (at === index ? { ...each, state: word } : each));
      const { referenceId } = payment;
      yield {
        name: `${referenceId} is ${word}`,
        world: announced({ ...world, service }, `${referenceId}=${word}`),
      };
    }
  }
}

function* webhookSteps(world: World, model: Model): Generator<Step> {
  const tellers = model.tells ? [true, false] : [false];
  for (const made of world.made) {
    const [referenceId = '', word] = made.split('=') as [string, 'paid' | 'declined' | 'expired'];
    if (!world.order?.payments.some((payment) => payment.referenceId === referenceId)) continue;
    const event = { referenceId, word, value: 1, currency: 'VND' };
    for (const mayTell of tellers) {
      const process = world.hands.findIndex(({ type }) => type === 'idle');
      if (mayTell && process < 0) continue;
      const token = `event ${made} ${freshToken(world)}`;
      for (const step of plainCommand(world, model, `${made} arrives`, {
        type: 'event',
        token,
        event,
        mayTell,
      })) {
        const { decision } = step;
        let next = step.world;
        if (decision.firstPaid === true) next = { ...next, shipped: next.shipped + 1 };
        if (word === 'paid' && !next.reported.includes(referenceId))
          next = { ...next, reported: [...next.reported, referenceId].toSorted() };
        yield { ...step, world: mayTell ? withHand(next, process, handOf(decision)) : next };
      }
    }
  }
  const last = world.order?.payments.at(-1);
  if (model.strangeEvents && last) {
    const event = { referenceId: last.referenceId, word: 'paid' as const, value: 2, currency: 'VND' };
    for (const step of plainCommand(world, model, 'another amount arrives', {
      type: 'event',
      token: 'strange',
      event,
      mayTell: false,
    })) {
      if (step.decision.changed || step.decision.firstPaid)
        violated('a notification with another amount counted');
      yield step;
    }
  }
}

/** What the service has of a reference: what a person sees who looks it up. */
function truthOf(world: World, model: Model, referenceId: string) {
  const found = world.service.filter((payment) => payment.referenceId === referenceId);
  if (found.some(({ state }) => state === 'paid')) return 'paid';
  if (found.some((payment) => isOpen(payment, world, model))) return 'exists';
  return found.length > 0 ? 'over' : 'absent';
}

function* staffSteps(world: World, model: Model): Generator<Step> {
  const { order, staff } = world;
  if (!order) return;
  if (!staff) {
    const waiting = new Set(
      reviewsOf(order).flatMap(({ referenceId = '', reason }) => (reason === 'refund' ? [] : [referenceId])),
    );
    const last = order.payments.at(-1);
    if (last && isLive(last)) waiting.add(last.referenceId);
    for (const referenceId of waiting) {
      for (const step of plainCommand(world, model, `staff stop ${referenceId}`, {
        type: 'lookUp',
        referenceId,
      })) {
        const { safeAt = world.now } = step.decision;
        yield { ...step, world: { ...step.world, staff: { referenceId, safeAt } } };
      }
    }
    return;
  }
  const { referenceId, safeAt, saw } = staff;
  if (saw === undefined) {
    if (world.now < safeAt) return;
    const seen = truthOf(world, model, referenceId);
    yield { name: `staff see ${seen}`, world: { ...world, staff: { ...staff, saw: seen } } };
    return;
  }
  const command: Command = {
    type: 'conclude',
    token: `staff ${referenceId} ${world.shipped}`,
    referenceId,
    word: saw,
    mayTell: false,
  };
  for (const step of plainCommand(world, model, `staff conclude ${saw}`, command)) {
    let next: World = { ...step.world, staff: undefined };
    if (step.decision.firstPaid === true) next = { ...next, shipped: next.shipped + 1 };
    if (saw === 'paid' && !next.reported.includes(referenceId))
      next = { ...next, reported: [...next.reported, referenceId].toSorted() };
    yield { ...step, world: next };
  }
}

function* invoiceStaffSteps(world: World, model: Model): Generator<Step> {
  for (const { number, state, claim, sends } of world.order?.invoices ?? []) {
    if (state !== 'look_up' && state !== 'refused') continue;
    // They look once it is safe, and not before.
    const isStored = (world.stored[number - 1] ?? 0) > 0;
    if (!isStored && state === 'look_up' && world.now < (claim?.safeAt ?? 0)) {
      const early: Command = { type: 'concludeInvoice', number, word: 'absent' };
      for (const { decision } of decisions(world, model, early))
        if (decision.done) violated('an invoice was concluded to be absent too early');
      continue;
    }
    // Once more is enough: then nothing new can happen.
    if (!isStored && state === 'look_up' && sends > 2) continue;
    const word = isStored ? 'stored' : 'absent';
    yield* plainCommand(world, model, `staff: invoice ${number} is ${word}`, {
      type: 'concludeInvoice',
      number,
      word,
    });
  }
}

/** A request that was held up arrives, or is lost for good. */
function* networkSteps(world: World, model: Model): Generator<Step> {
  for (const { referenceId } of world.underWay) {
    const gone = { ...world, underWay: [] };
    yield { name: 'what was held up is lost', world: gone };
    for (const { world: then } of arrivals(gone, model, referenceId))
      yield { name: 'what was held up arrives', world: then };
  }
  for (const [index, { number }] of world.uploadsUnderWay.entries()) {
    const gone = { ...world, uploadsUnderWay: world.uploadsUnderWay.filter((_, at) => at !== index) };
    const stored = gone.stored.map((count, at) => count + (at + 1 === number ? 1 : 0));
    yield { name: 'the upload that was held up is lost', world: gone };
    yield { name: 'the upload that was held up arrives', world: { ...gone, stored } };
  }
}

/** The clock goes on to the next time at which anything may change. */
function* timeSteps(world: World, model: Model): Generator<Step> {
  const { order, hands, service, underWay, uploadsUnderWay, staff } = world;
  const times = [
    order && dueAt(order, policyOf(model)),
    ...(order?.payments ?? []).flatMap(({ waitAt, nextAt, claim }) => [
      waitAt,
      nextAt,
      claim?.endsAt,
      claim?.safeAt,
    ]),
    ...(order?.invoices ?? []).map(({ claim }) => claim?.safeAt),
    ...hands.map((hand) => ('endsAt' in hand ? hand.endsAt : undefined)),
    ...service.map(({ state, createdAt }) =>
      state === 'open' ? createdAt + (model.lifetimeMs ?? Infinity) : undefined,
    ),
    ...[...underWay, ...uploadsUnderWay].map(({ sentAt }) => sentAt + proxyMs),
    staff && !staff.saw ? staff.safeAt : undefined,
  ];
  const later = times.filter((time): time is number => time !== undefined && time > world.now);
  const now = Math.min(...later);
  if (now === Infinity) return;
  yield {
    name: `${(now - world.now) / 1000} s pass`,
    world: {
      ...world,
      now,
      underWay: underWay.filter(({ sentAt }) => now < sentAt + proxyMs),
      uploadsUnderWay: uploadsUnderWay.filter(({ sentAt }) => now < sentAt + proxyMs),
      // Longer ago makes no difference: any claim of that time is over.
      wroteAt: Math.max(world.wroteAt, now - 4 * 60_000),
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
  yield* timeSteps(world, model);
}
