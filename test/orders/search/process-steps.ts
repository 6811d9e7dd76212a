import type { CallResult, Command, Decision } from '../../../src/orders/commands.js';
import { dueAt } from '../../../src/orders/due.js';
import type { NewPayment } from '../../../src/orders/order.js';
import { askedAfter, decisions, freshCommandId, written, type Step } from './deciding.js';
import { orderId, violated, type Hand, type Model, type World } from './world.js';

/*
 * The steps of a process: clicks, sweeps, and its current task.
 */

type HandOf<Type extends Hand['type']> = Extract<Hand, { type: Type }>;

export const idle: Hand = { type: 'idle' };

function failing(step: 'fix' | 'refused' | 'look_up' | 'repeat' | 'call_again'): CallResult {
  return { step, error: { code: 'X', action: 'x' } };
}

/** The request of the shop for an amount. */
export function nextPayment({ order }: World, model: Model, value: number): NewPayment {
  const number = (order?.payments.length ?? 0) + 1;
  const { lifetimeMs } = model;
  return {
    referenceId: `${orderId}-${number}`,
    request: `r${value}`,
    idempotencyKey: 'k',
    contentHash: model.sameContent ? 'c' : `c${number}`,
    expected: { value, currency: 'VND', merchantId: 'm' },
    ...(lifetimeMs !== undefined && { lifetimeMs }),
  };
}

export function withHand(world: World, process: number, hand: Hand): World {
  return { ...world, hands: world.hands.map((each, index) => (index === process ? hand : each)) };
}

export function handOf({ effect }: Decision): Hand {
  switch (effect?.type) {
    case 'send': {
      const { referenceId, mayExist, request } = effect.payment;
      const { token: commandId, endsAt } = effect.claim;
      if (request === undefined) violated('the request of a payment was erased before it was sent');
      return { type: 'claimed', referenceId, commandId, endsAt, mayExist, value: Number(request.slice(1)) };
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

/** A command of a process, and its task afterwards. */
function* processCommand(
  world: World,
  model: Model,
  process: number,
  name: string,
  command: Command,
): Generator<Step> {
  for (const { decision, late } of decisions(world, model, command, process)) {
    const next = { ...written(world, model, decision), asked: askedAfter(world, command) };
    yield { name: `${process} ${name}${late}`, world: withHand(next, process, handOf(decision)) };
    if (!model.lostResponses || (command.type !== 'start' && command.type !== 'claimDue')) continue;
    const hand: Hand = { type: 'unsure', command, commandId: command.commandId, expected: '' };
    yield { name: `${process} ${name}, response lost`, world: withHand(next, process, hand) };
  }
}

/** The requests that the shop can make now. */
function requests(world: World, model: Model): NewPayment[] {
  const { order, copy, restores } = world;
  const begun = order?.payments.length ?? 0;
  // Staff must compare with the service if a restore loses a second payment and the end of the first. That is left out.
  const isForgotten = begun > 0 && copy !== undefined && restores.length === 0;
  if (isForgotten) return [];
  const { amounts = 1 } = model;
  if (amounts === 1) return begun < model.payments ? [nextPayment(world, model, 1)] : [];
  return Array.from({ length: amounts }, (_, index) => nextPayment(world, model, index + 1));
}

function* clicks(world: World, model: Model, process: number, commandId: string): Generator<Step> {
  const given = requests(world, model);
  const withClient = model.losesClient ? [true, false] : [undefined];
  for (const next of given.length > 0 ? given : [undefined])
    for (const hasClient of withClient) {
      const command: Command = {
        type: 'start',
        commandId,
        ...(next && { next }),
        ...(hasClient !== undefined && { hasClient }),
      };
      const { amounts = 1 } = model;
      const amount = amounts > 1 && next ? ` for ${next.expected.value}` : '';
      const name = `click${amount}${hasClient === false ? ' without a client' : ''}`;
      yield* processCommand(world, model, process, name, command);
    }
  if (!model.adds) return;
  for (const next of given)
    yield* processCommand(world, model, process, `adds ${next.expected.value}`, { type: 'add', next });
}

function* idleSteps(world: World, model: Model, process: number): Generator<Step> {
  const { order, now } = world;
  const commandId = freshCommandId(world);
  if (model.payments > 0) yield* clicks(world, model, process, commandId);
  if (!order || (dueAt(order) ?? Infinity) > now) return;
  yield* processCommand(world, model, process, 'sweep', { type: 'claimDue', commandId });
  if (!model.losesClient) return;
  const command: Command = { type: 'claimDue', commandId, hasClient: false };
  yield* processCommand(world, model, process, 'sweep without a client', command);
}

/** The request of a call. */
interface Sent {
  readonly referenceId: string;
  readonly value: number;
}

/**
 * The request arrives at the service. A lost response, or one that says "later", is like a request that never arrived.
 */
export function* arrivals(
  world: World,
  model: Model,
  { referenceId, value }: Sent,
): Generator<{ world: World; result: CallResult }> {
  const { service, now } = world;
  const accepted: CallResult = { step: 'accepted', paymentUrl: `u${value}` };
  const withNew = (state: 'open' | 'refused'): World => ({
    ...world,
    service: [...service, { referenceId, createdAt: now, value, state }],
  });
  const created = withNew('open');
  const found = service.find((payment) => payment.referenceId === referenceId);
  if (found && found.value !== value) violated('another request is sent with the same reference');
  if (found?.state === 'refused') yield { world, result: failing('refused') };
  else if (!found) {
    yield { world: created, result: accepted };
    yield { world: model.restores ? withNew('refused') : world, result: failing('refused') };
    if (model.fixes) yield { world, result: failing('fix') };
  } else if (model.actsAgain) yield { world: created, result: accepted };
  else {
    yield { world, result: accepted };
    // The service refuses a repeated key.
    yield { world, result: failing('refused') };
  }
}

/** The result as the client reports it: with `mayHaveBeenSent`, a call that is not accepted stays unknown. */
function asClient(result: CallResult, mayExist: boolean): CallResult {
  if (!mayExist || !('error' in result)) return result;
  if (result.step === 'refused' || result.step === 'fix') return { ...result, step: 'look_up' };
  return result.step === 'call_again' ? { ...result, step: 'repeat' } : result;
}

function* claimedSteps(
  world: World,
  model: Model,
  process: number,
  { referenceId, commandId, mayExist, endsAt, value }: HandOf<'claimed'>,
): Generator<Step> {
  const ended = (name: string, from: World, result: CallResult): Step => ({
    name: `${process} ${name}`,
    world: withHand(from, process, {
      type: 'callEnded',
      referenceId,
      commandId,
      result: asClient(result, mayExist),
    }),
  });
  if (world.now >= endsAt) {
    yield ended('woke too late', world, { step: 'not_made' });
    return;
  }
  yield ended('was not connected', world, failing('call_again'));
  const isKnown = world.sent.includes(referenceId);
  // The claim of this call can be missing after a restore: then its result does not count.
  const isOwn = world.order?.payments.some(({ claim }) => claim?.token === commandId);
  const counts = isOwn === true || world.restores.length === 0;
  if (isKnown && !mayExist && counts) violated('a repeat is sent as a first call');
  const sending = isKnown ? world : { ...world, sent: [...world.sent, referenceId].toSorted() };
  yield ended('sent what was lost', sending, failing('repeat'));
  for (const { world: then, result } of arrivals(sending, model, { referenceId, value })) {
    // After `fix` the service has received nothing.
    yield ended(`sent: ${result.step}`, isFix(result) ? world : then, result);
    if (then !== sending) yield ended('sent, response lost', then, failing('repeat'));
  }
  // One request at a time.
  if (!model.delays || world.underWay.length > 0) return;
  const underWay = [{ referenceId, value, sentAt: world.now }];
  yield ended('sent what is held up', { ...sending, underWay }, failing('repeat'));
}

function isFix(result: CallResult): boolean {
  return 'error' in result && result.step === 'fix';
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

export function storedOnce(world: World, number: number): World {
  return { ...world, stored: world.stored.map((count, index) => count + (index + 1 === number ? 1 : 0)) };
}

/** Decides the command again, after other steps. */
function* decidedAgain(
  world: World,
  model: Model,
  process: number,
  { command, expected }: HandOf<'unsure'>,
): Generator<Step> {
  const requested = command.type === 'start' ? command.next?.expected.value : undefined;
  const next = requests(world, model).find(({ expected: { value } }) => value === requested);
  const same: Command =
    command.type === 'start'
      ? { type: 'start', commandId: command.commandId, ...(next && { next }) }
      : command;
  for (const { decision, late } of decisions(world, model, same, process)) {
    if (command.type === 'event' && answerOf(decision) !== expected)
      violated('a webhook that was decided again had a different result');
    const name = `${process} decides ${command.type} again${late}`;
    // A click with a current claim has asked already.
    const asked = decision.effect && decision.order === world.order ? world.asked : askedAfter(world, same);
    const then = { ...written(world, model, decision), asked };
    yield { name, world: withHand(then, process, handOf(decision)) };
  }
}

/** The result of a webhook, for the first decision and the second. */
export function answerOf({ changed, firstPaid }: Decision): string {
  return `${changed} ${firstPaid}`;
}

export function* processSteps(world: World, model: Model, process: number): Generator<Step> {
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
