import type { Command, PaymentEvent, RuleSettings } from '../../../src/orders/commands.js';
import { dueAt } from '../../../src/orders/due.js';
import { freshCommandId, plainCommand, withReported, type Step } from './deciding.js';
import { answerOf, arrivals, handOf, processSteps, storedOnce, withHand } from './process-steps.js';
import { invoiceStaffSteps, staffSteps } from './staff-steps.js';
import { copyOf, isOpen, proxyMs, settingsOf, violated, type Hand, type Model, type World } from './world.js';

/** The customer pays, or it ends unpaid. */
function* customerSteps(world: World, model: Model): Generator<Step> {
  for (const [index, payment] of world.service.entries()) {
    const canBePaid = isOpen(payment, world.now, model);
    const isLate = model.latePayments === true && payment.state === 'declined';
    const states = [
      ...(canBePaid || isLate ? (['paid'] as const) : []),
      ...(payment.state === 'open' ? (['declined'] as const) : []),
    ];
    for (const state of states) {
      const service = world.service.map((each, at) => (at === index ? { ...each, state } : each));
      yield { name: `${payment.referenceId} is ${state}`, world: { ...world, service } };
    }
  }
}

/** The processes that would handle a notification differently. */
function handlers({ hands }: World, { onPaids = [] }: Model): number[] {
  const idle = [...hands.keys()].filter((process) => hands[process]?.type === 'idle');
  return idle.filter((process, at) => at === 0 || onPaids[process] !== onPaids[idle[at - 1] ?? 0]);
}

function* eventSteps(
  world: World,
  model: Model,
  event: PaymentEvent & { readonly status: 'paid' | 'declined' },
  { process, onPaid }: { readonly process: number | undefined; readonly onPaid: RuleSettings['onPaid'] },
): Generator<Step> {
  const commandId = freshCommandId(world);
  const { status, referenceId } = event;
  const by = model.onPaids ? ` at ${process ?? 'none'}` : '';
  for (const canCallOnPaid of onPaid === 'here' ? [true, false] : [false]) {
    if (canCallOnPaid && process === undefined) continue;
    const command = { type: 'event', commandId, event, canCallOnPaid } as const;
    for (const { decision, ...step } of plainCommand(
      world,
      model,
      `${status} arrives${by}`,
      command,
      process,
    )) {
      const next = withReported(world, step.world, referenceId, status, decision);
      const handled =
        canCallOnPaid && process !== undefined ? withHand(next, process, handOf(decision)) : next;
      yield { ...step, world: handled };
      if (!model.lostResponses || process === undefined || decision.order === world.order) continue;
      const hand: Hand = { type: 'unsure', command, commandId, expected: answerOf(decision) };
      yield { name: `${step.name}, response lost`, world: withHand(next, process, hand) };
    }
  }
}

function* webhookSteps(world: World, model: Model): Generator<Step> {
  const idle = handlers(world, model);
  for (const { referenceId, state: status, value } of world.service) {
    const isKnown = world.order?.payments.some((payment) => payment.referenceId === referenceId);
    if (status === 'open' || status === 'refused' || !isKnown) continue;
    const event = { referenceId, status, value, currency: 'VND' };
    for (const process of idle.length > 0 ? idle : [undefined])
      yield* eventSteps(world, model, event, { process, onPaid: settingsOf(model, world, process).onPaid });
  }
  const last = world.order?.payments.at(-1);
  if (!last) return;
  const { referenceId } = last;
  for (const status of model.strangeEvents ?? []) yield* strangeEvent(world, model, referenceId, status);
  if (!model.unknownStatus) return;
  const { value } = last.expected;
  const event: PaymentEvent = { referenceId, status: 'unknown', unknownStatus: 'X', value, currency: 'VND' };
  const command: Command = { type: 'event', commandId: freshCommandId(world), event, canCallOnPaid: false };
  for (const step of plainCommand(world, model, 'an unknown status arrives', command)) {
    if (step.decision.changed) violated('a notification with an unknown status counted');
    if (step.decision.order?.payments.at(-1)?.unknownStatus === undefined)
      violated('a notification with an unknown status leaves no trace');
    yield step;
  }
}

/** A notification of an amount that no payment asks. */
function* strangeEvent(
  world: World,
  model: Model,
  referenceId: string,
  status: 'paid' | 'declined',
): Generator<Step> {
  const event = { referenceId, status, value: 9, currency: 'VND' };
  const command: Command = { type: 'event', commandId: freshCommandId(world), event, canCallOnPaid: false };
  const name = status === 'paid' ? 'another amount arrives' : 'another amount is declined';
  for (const step of plainCommand(world, model, name, command)) {
    if (step.decision.changed || step.decision.firstPaid)
      violated('a notification with another amount counted');
    const isNew = status === 'paid' && !world.disputed.includes(referenceId);
    const disputed = isNew ? [...world.disputed, referenceId].toSorted() : world.disputed;
    yield { ...step, world: { ...step.world, disputed } };
  }
}

/** A delayed request arrives. A request that never arrives was lost when it was sent. */
function* networkSteps(world: World, model: Model): Generator<Step> {
  for (const request of world.underWay)
    for (const { world: then } of arrivals({ ...world, underWay: [] }, model, request))
      yield { name: 'what was held up arrives', world: then };
  for (const { number } of world.uploadsUnderWay)
    yield {
      name: 'the upload that was held up arrives',
      world: storedOnce({ ...world, uploadsUnderWay: [] }, number),
    };
}

/**
 * A copy of the database is made; later the database is set back to it. Processes go on with what they have in their
 * hands, and whatever touches the order first applies the restore.
 */
function* restoreSteps(world: World): Generator<Step> {
  const { copy, restores, now } = world;
  if (!copy) yield { name: 'a copy is made', world: { ...world, copy: copyOf(world) } };
  if (!copy || restores.length > 0) return;
  // People know of it: what they saw before does not count.
  const restored = {
    ...world,
    ...copy,
    wroteAt: now,
    restores: [{ at: now, sinceAt: now }],
    sight: undefined,
  };
  // It happens once.
  const spent = { ...copyOf(world), order: undefined };
  yield { name: 'the copy is restored', world: { ...restored, copy: spent } };
}

/** The click after a refusal of the same content that begins the next payment. */
function refusalPauseEnd({ order }: World, { sameContent }: Model): number | undefined {
  const last = order?.payments.at(-1);
  if (!sameContent || last?.state !== 'refused') return undefined;
  const refusals = order?.payments.filter(({ state }) => state === 'refused').length ?? 0;
  return last.stateAt + 5_000 * 2 ** (refusals - 1);
}

/** The clock advances to the next time at which anything can change. */
function* timeSteps(world: World, model: Model): Generator<Step> {
  const { order, hands, service, underWay, uploadsUnderWay } = world;
  const stopped = ['look_up', 'overdue'];
  const times = [
    order && dueAt(order),
    refusalPauseEnd(world, model),
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

/** All possible next steps. */
export function* steps(world: World, model: Model): Generator<Step> {
  for (const process of world.hands.keys()) yield* processSteps(world, model, process);
  yield* customerSteps(world, model);
  yield* webhookSteps(world, model);
  if (model.staff)
    yield* model.invoices === undefined ? staffSteps(world, model) : invoiceStaffSteps(world, model);
  yield* networkSteps(world, model);
  if (model.cancels && world.order?.cancelledAt === undefined)
    yield* plainCommand(world, model, 'the shop cancels', { type: 'cancel' });
  if (model.restores) yield* restoreSteps(world);
  yield* timeSteps(world, model);
}
