import type { RuleSettings } from '../../../src/orders/commands.js';
import type { Invoice, Order, Payment } from '../../../src/orders/order.js';
import { existsAfterAll, isLive } from '../../../src/orders/payment-state.js';
import { decide } from '../../../src/orders/rules.js';
import { longestSleepMs } from './deciding.js';
import { orderId, settingsOf, violated, type Copy, type Hand, type Model, type World } from './world.js';

/*
 * Two worlds with the same future have the same fingerprint. It leaves out the following:
 *
 * - Processes are alike, unless they differ in `onPaid`: their hands are compared in any order, and the ID of a command
 *   only by whose claim it is.
 * - Times are relative to now. A time that matters only because it has passed counts as now once it has passed.
 * - Only the presence of a mark (`mismatchAt`, `paidAt`) counts.
 * - Sends and claims of an ended payment do not count. Declined, expired and over are alike.
 * - Members that are constant in a model, or that no rule reads (`error`, `qrData`), do not count.
 */

/** The members that are compared below, or left out for one of these reasons. An unknown member stops the search. */
const knownMembers = new Set(
  (
    'form orderId payments invoices askedNow paidBy paidAt cancelledAt pendingOnPaid noClient tooManyAt eraseAfterMs restoredAt ' +
    'referenceId request idempotencyKey contentHash expected lifetimeMs mayExist state stateAt addedAt sends firstSendAt claim ' +
    'safeAt nextAt givenUpAt openedAt paymentUrl error endedToken acceptedToken mismatchEndedToken mismatchAt mismatchPaid unknownStatus ' +
    'existsAfterAllAt silentSince refundedAt number upload'
  ).split(' '),
);

const minuteMs = 60_000;
const graceMs = minuteMs;
const dayMs = 24 * 60 * minuteMs;
/** The time after `lifetimeMs` until a payment is overdue. */
const lastWebhookMs = 10 * minuteMs;

// Hashing: two hashes of 32 bits

let low = 0;
let high = 0;

function put(unit: number): void {
  low ^= Math.imul((unit << 15) | (unit >>> 17), 0x1b873593);
  low = Math.imul((low << 13) | (low >>> 19), 0xe6546b65);
  high ^= Math.imul((unit << 16) | (unit >>> 16), 0x85ebca6b);
  high = Math.imul((high << 17) | (high >>> 15), 0xc2b2ae35);
  high ^= high >>> 13;
}

const codes = new Map<string, number>();

function putText(text: string): void {
  let code = codes.get(text);
  if (code === undefined) {
    code = codes.size + 1;
    codes.set(text, code);
  }
  put(code);
}

/** A number of 53 bits: of ten million states, two are confused in one search of a hundred. */
function hashNumber(): number {
  low = Math.imul(low ^ (low >>> 16), 0x85ebca6b);
  high = Math.imul(high ^ (high >>> 16), 0xc2b2ae35);
  return ((low ^ (low >>> 13)) >>> 0) * 0x200000 + ((high ^ (high >>> 15)) >>> 11);
}

/** The age that a decision can have. */
let sleepMs = 0;

/** Adds a time relative to now. All times that passed `pastMs` ago or earlier are alike. */
function putTime(at: number | undefined, now: number, pastMs = 0): void {
  put(at === undefined ? -1 : Math.max(0, at - now + pastMs + sleepMs));
}

function putMark(member: unknown): void {
  put(member === undefined || member === false ? 0 : 1);
}

// IDs of commands

/** The payment, invoice or call whose claim the command took. */
function ownedBy(commandId: string, order: Order | undefined): string {
  if (!order) return '';
  for (const { state, claim, referenceId } of order.payments)
    if (state === 'sending' && claim?.token === commandId) return referenceId;
  for (const { state, claim, number } of order.invoices)
    if ((state === 'sending' || state === 'look_up') && claim?.token === commandId) return String(number);
  return order.pendingOnPaid?.claim?.token === commandId ? 'onPaid' : '';
}

function isHeld(commandId: string | undefined, hands: readonly Hand[]): boolean {
  return hands.some((hand) => 'commandId' in hand && hand.commandId === commandId);
}

/** True if the task of a process can still make a difference. If not, the process counts as idle. */
function matters(hand: Hand, { order, now }: World): boolean {
  if (hand.type === 'idle' || hand.type === 'unsure') return true;
  const isOwn = ownedBy(hand.commandId, order) !== '';
  switch (hand.type) {
    // Its request is still to be sent.
    case 'claimed':
    case 'uploading':
      return isOwn || now < hand.endsAt;
    // A result counts for its own claim, and `accepted` also if it is new.
    case 'callEnded': {
      const payment = order?.payments.find(({ referenceId }) => referenceId === hand.referenceId);
      const isKnown = payment?.state === 'open' && payment.paymentUrl !== undefined;
      return isOwn || (hand.result.step === 'accepted' && !isKnown);
    }
    case 'uploadEnded': {
      const invoice = order?.invoices.find(({ number }) => number === hand.number);
      return isOwn || (hand.result.step === 'accepted' && invoice?.state !== 'stored');
    }
    case 'callingOnPaid':
      return order?.pendingOnPaid !== undefined;
    case 'onPaidCalled':
      return isOwn || (hand.isDone && order?.pendingOnPaid !== undefined);
  }
}

function statesOf(order: Order | undefined): string {
  return [...(order?.payments ?? []), ...(order?.invoices ?? [])]
    .map(({ state, sends }) => `${state} ${sends}`)
    .join();
}

/** Checks that a report changes only what time changes, as the report of an unknown payment or invoice does. */
function checkThatNothingChanges(hand: Hand, { order, now }: World, settings: RuleSettings): void {
  if (hand.type !== 'callEnded' && hand.type !== 'uploadEnded') return;
  const unknown = hand.type === 'callEnded' ? { ...hand, referenceId: '' } : { ...hand, number: 0 };
  const [after, by] = [hand, unknown].map((command) => decide(orderId, order, command, now, settings).order);
  if (statesOf(after) !== statesOf(by)) violated('the end of a call counts for the claim of another process');
}

/** The world without tasks that can no longer make a difference. */
export function simplified(world: World, model: Model): World {
  if (world.hands.every((hand) => matters(hand, world))) return world;
  const hands = world.hands.map((hand): Hand => {
    if (matters(hand, world)) return hand;
    checkThatNothingChanges(hand, world, settingsOf(model, world));
    return { type: 'idle' };
  });
  return { ...world, hands };
}

// The parts of a world

interface Context {
  readonly now: number;
  readonly hands: readonly Hand[];
  readonly model: Model;
  readonly mostSends: number;
  readonly erases: boolean;
  readonly eraseAfterMs: number;
}

function checkMembers(of: object): void {
  for (const name in of)
    if (!knownMembers.has(name)) throw new Error(`the fingerprint does not know the member ${name}`);
}

function putPayment(payment: Payment, { now, hands, model, mostSends, erases, eraseAfterMs }: Context): void {
  checkMembers(payment);
  const { state, claim, safeAt, lifetimeMs, firstSendAt, openedAt } = payment;
  putText(payment.referenceId);
  putText(state === 'declined' || state === 'expired' ? 'over' : state);
  put(payment.expected.value);
  putMark(payment.mismatchAt);
  putMark(payment.mismatchPaid);
  putMark(payment.unknownStatus);
  // Only the pause after a refusal counts from it.
  if (model.sameContent && state === 'refused') put(Math.min(now - payment.stateAt, minuteMs));
  putMark(payment.refundedAt);
  if (erases) putMark(payment.request);
  if (erases && !isLive(payment)) putTime(payment.stateAt, now, eraseAfterMs);
  switch (state) {
    case 'new':
    case 'unknown':
    case 'sending': {
      const isOwned = state === 'sending' && isHeld(claim?.token, hands);
      putMark(payment.mayExist);
      // The rules ask only whether the sends are fewer than the most.
      put(Math.min(payment.sends, mostSends));
      if (lifetimeMs !== undefined) putTime(firstSendAt, now, lifetimeMs);
      if (lifetimeMs !== undefined) putTime(safeAt, now, lifetimeMs + lastWebhookMs);
      else if (model.staff) putTime(safeAt, now);
      if (state === 'sending' && claim) putTime(claim.endsAt + graceMs, now);
      // The payment before the claim is restored only if its process sends nothing.
      if (isOwned && claim) {
        putText(claim.before.state);
        put(Math.min(claim.before.sends, mostSends));
        putMark(claim.before.givenUpAt);
        if (lifetimeMs !== undefined) putTime(claim.before.firstSendAt, now, lifetimeMs);
      }
      // A call that is made too late sets a new one.
      if (state !== 'sending') putTime(payment.nextAt, now);
      if (state === 'new') putMark(payment.givenUpAt);
      return;
    }
    case 'open':
    case 'look_up':
    case 'overdue':
    case 'absent':
    case 'refused': {
      const isAfterAll = existsAfterAll(payment);
      putMark(payment.paymentUrl);
      putMark(isAfterAll);
      if (model.staff && state !== 'open') putTime(safeAt, now);
      if (lifetimeMs !== undefined) {
        const madeAt = Math.min(openedAt ?? Infinity, safeAt ?? payment.stateAt);
        if (state === 'open' || state === 'look_up' || isAfterAll)
          putTime(madeAt + lifetimeMs + lastWebhookMs, now);
      } else if (state === 'open' && payment.silentSince === undefined) putTime(payment.stateAt, now, dayMs);
    }
  }
}

function putInvoice(invoice: Invoice, { now, hands, mostSends, erases }: Context): void {
  checkMembers(invoice);
  const { state, claim } = invoice;
  put(invoice.number);
  putText(state);
  if (erases) putMark(invoice.upload);
  if (state === 'new' || state === 'sending' || state === 'look_up') {
    // An upload that was not made is taken back.
    put(Math.min(invoice.sends, mostSends + 1));
    if (state === 'new') putTime(invoice.nextAt, now);
    else putTime(invoice.safeAt, now);
    if (state === 'sending' && claim) putTime(claim.endsAt + graceMs, now);
    putMark(isHeld(claim?.token, hands));
  }
}

function putOrder(order: Order | undefined, context: Context): void {
  putMark(order);
  if (!order) return;
  checkMembers(order);
  const { pendingOnPaid, paidAt, cancelledAt, askedNow, noClient } = order;
  put(order.payments.length);
  for (const payment of order.payments) putPayment(payment, context);
  for (const invoice of order.invoices) putInvoice(invoice, context);
  putText(order.paidBy ?? '');
  putMark(cancelledAt);
  if (context.erases) putTime(paidAt ?? cancelledAt, context.now, context.eraseAfterMs);
  put(askedNow?.value ?? 0);
  putMark(order.tooManyAt);
  putMark(order.restoredAt);
  if (noClient) {
    // The waits grow with this time.
    put(Math.min(context.now - noClient.sinceAt, dayMs));
    putTime(noClient.nextAt, context.now);
    putMark(noClient.isInReview);
  }
  putMark(pendingOnPaid);
  if (!pendingOnPaid) return;
  const { tries, claim, nextAt, isInReview } = pendingOnPaid;
  const reviewAt = (paidAt ?? 0) + 3_600_000;
  // Further tries differ only in how long they wait.
  put(Math.min(context.model.waitsAnHour ? 8 : 2, tries));
  putMark(claim);
  putTime(claim ? claim.endsAt + graceMs : nextAt, context.now);
  if (context.model.waitsAnHour) putTime(reviewAt, context.now);
  putMark(isInReview);
}

function hashOfHand(hand: Hand, { now, order }: World, { lostResponses }: Model): number {
  [low, high] = [1, 2];
  putText(hand.type);
  if (hand.type === 'idle') return hashNumber();
  putText(ownedBy(hand.commandId, order));
  // Only a notification that is decided again asks who has ended a payment.
  if (lostResponses)
    putText(order?.payments.find(({ endedToken }) => endedToken === hand.commandId)?.referenceId ?? '');
  if ('referenceId' in hand) putText(hand.referenceId);
  if ('number' in hand) put(hand.number);
  if ('endsAt' in hand) putTime(hand.endsAt, now);
  if ('mayExist' in hand) putMark(hand.mayExist);
  if ('value' in hand) put(hand.value);
  if ('result' in hand) putText(hand.result.step);
  if ('isDone' in hand) putMark(hand.isDone);
  if (hand.type === 'unsure') {
    const { command, expected } = hand;
    putText(command.type);
    putText(expected);
    if (command.type === 'event') putText(`${command.event.referenceId} ${command.event.status}`);
    if (command.type === 'start') put(command.next?.expected.value ?? 0);
    if (command.type === 'event') putMark(command.canCallOnPaid);
  }
  return hashNumber();
}

export function keyOf(world: World, model: Model): number {
  const { now, hands, copy, sight } = world;
  const { mostSends, eraseAfterMs = 0 } = settingsOf(model, world);
  const context: Context = { now, hands, model, mostSends, erases: eraseAfterMs > 0, eraseAfterMs };
  sleepMs = model.staleReads ? longestSleepMs : 0;
  const ofHands = hands.map((hand) => hashOfHand(hand, world, model));
  const hashes = model.onPaids ? ofHands : ofHands.sort((a, b) => a - b);
  [low, high] = [3, 4];
  for (const hash of hashes) {
    put(hash | 0);
    put(Math.floor(hash / 0x100000000));
  }
  putOrder(world.order, context);
  put(world.service.length);
  for (const { referenceId, state, createdAt, value } of world.service) {
    putText(referenceId);
    putText(state);
    put(value);
    if (state === 'open' && model.lifetimeMs !== undefined) putTime(createdAt + model.lifetimeMs, now);
  }
  for (const { referenceId, sentAt } of world.underWay) {
    putText(referenceId);
    put(now - sentAt);
  }
  for (const { number, sentAt } of world.uploadsUnderWay) {
    putText(`upload ${number}`);
    put(now - sentAt);
  }
  for (const referenceId of world.sent) putText(`sent ${referenceId}`);
  putCopied(world);
  for (const count of world.stored) put(count);
  putText(sight ? `${sight.referenceId} ${sight.conclusion}` : '');
  if (model.staleReads) putTime(world.wroteAt, now);
  put(world.restores.length);
  putMark(copy);
  if (copy && world.restores.length === 0) {
    putOrder(copy.order, context);
    putCopied(copy);
  }
  return hashNumber();
}

function putCopied({ asked = 0, reported, disputed, isToShip, shipped }: Copy): void {
  put(asked);
  for (const referenceId of reported) putText(referenceId);
  for (const referenceId of disputed) putText(`disputed ${referenceId}`);
  putMark(isToShip);
  put(shipped);
}
