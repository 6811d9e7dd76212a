import type { Invoice, Order, Payment } from '../../../src/orders/order.js';
import { existsAfterAll } from '../../../src/orders/views.js';
import { policyOf, type Hand, type Model, type World } from './world.js';

/*
 * Two worlds in which the same can happen have one fingerprint. What may be left out of it, and why, is said here and nowhere
 * else. Members that are not named here are compared as they are.
 */

const lateMs = 13 * 60_000;

/** Which claim a token belongs to. Tokens have no other meaning, so their names are not compared. */
function ownedBy(token: string, order: Order | undefined): string {
  const owns = ({ claim }: Payment | Invoice) => claim?.token === token;
  const payment = order?.payments.find((each) => each.state === 'sending' && owns(each));
  if (payment) return payment.referenceId;
  const inDoubt = ({ state }: Invoice) => state === 'sending' || state === 'look_up';
  const invoice = order?.invoices.find((each) => inDoubt(each) && owns(each));
  if (invoice) return `invoice ${invoice.number}`;
  return order?.telling?.claim?.token === token ? 'telling' : '';
}

/** Whether what a process has in its hands can still make a difference. If not, it is as good as idle. */
function matters(hand: Hand, { order, now }: World): boolean {
  if (hand.type === 'idle' || hand.type === 'unsure') return true;
  const isOwn = ownedBy(hand.token, order) !== '';
  switch (hand.type) {
    // Its request is still to be sent.
    case 'claimed':
    case 'uploading':
      return isOwn || now < hand.endsAt;
    // A result counts for its own claim, and 'accepted' where the link or the payment was not known.
    case 'sent': {
      const payment = order?.payments.find(({ referenceId }) => referenceId === hand.referenceId);
      const isKnown = payment?.state === 'open' && payment.paymentUrl !== undefined;
      return isOwn || (hand.result.step === 'accepted' && !isKnown);
    }
    case 'uploaded': {
      const invoice = order?.invoices.find(({ number }) => number === hand.number);
      return isOwn || (hand.result.step === 'accepted' && invoice?.state !== 'stored');
    }
    case 'telling':
      return order?.telling !== undefined;
    case 'told':
      return isOwn || (hand.isTold && order?.telling !== undefined);
  }
}

/** The world without what cannot make a difference any more. */
export function simplified(world: World): World {
  const hands = world.hands.map((hand) => (matters(hand, world) ? hand : ({ type: 'idle' } as const)));
  return { ...world, hands };
}

/** A time from now; one that is over is like now. */
function ahead(at: number | undefined, now: number): number | undefined {
  return at === undefined ? undefined : Math.max(0, at - now);
}

/** Only whether it is there counts. */
function mark(at: number | undefined): true | undefined {
  return at === undefined ? undefined : true;
}

/** The rules ask only whether the sends are fewer than `mostSends`; a send that did not happen takes one back. */
function counted(sends: number, model: Model): number {
  return Math.min(sends, policyOf(model).mostSends + 1);
}

function comparablePayment(payment: Payment, world: World, model: Model): object {
  // Constant in a model, or never read by a rule.
  const { request, idempotencyKey, content, asked, lifetimeMs, addedAt, error, qrData, ...known } = payment;
  const { state, stateAt, sends, firstSendAt, claim, safeAt, nextAt, waitAt, givenUpAt, openedAt, ...rest } =
    known;
  const { paymentUrl, endedToken, mayExist, mismatchAt, existsAfterAllAt, noWordAt, refundedAt, ...others } =
    rest;
  const { now } = world;
  const erases = policyOf(model).eraseAfterMs !== undefined;
  const marks = {
    ...others,
    state,
    mismatchAt: mark(mismatchAt),
    refundedAt: mark(refundedAt),
    ...(erases && { request, stateAt: Math.max(-lateMs, stateAt - now) }),
    // Only a notification that is decided again asks whose it was.
    ...(model.lostAnswers && { ends: ownerIn(endedToken, world) }),
  };
  const isAfterAll = existsAfterAll(payment);
  const timed = lifetimeMs !== undefined;
  switch (state) {
    case 'new':
    case 'unknown':
    case 'sending': {
      const isHeld = claim !== undefined && ownerIn(claim.token, world) !== undefined;
      const isSending = state === 'sending';
      // What a claim found comes back only if its holder has sent nothing.
      const isBack = isSending && isHeld;
      const { before } = claim ?? {};
      return {
        ...marks,
        mayExist,
        sends: counted(sends, model),
        // From the end of the lifetime on, one is like the other.
        ...(timed && { firstSendAt: firstSendAt && Math.max(-lifetimeMs, firstSendAt - now) }),
        ...(timed && { safeAt: safeAt && Math.max(-lifetimeMs - lateMs, safeAt - now) }),
        ...(!timed && model.staff && { safeAt: ahead(safeAt, now) }),
        ...(!isSending && { nextAt: ahead(nextAt, now) }),
        ...(state === 'new' && { waitAt: ahead(waitAt, now), givenUpAt: mark(givenUpAt) }),
        ...(isSending && { over: ahead(claim && claim.endsAt + 60_000, now), isHeld }),
        ...(isBack && {
          before: before && {
            state: before.state,
            givenUpAt: mark(before.givenUpAt),
            firstSendAt: timed ? before.firstSendAt && before.firstSendAt - now : undefined,
          },
          nextAt: ahead(nextAt, now),
          waitAt: ahead(waitAt, now),
        }),
      };
    }
    case 'look_up':
    case 'open':
    case 'overdue':
    case 'absent':
    case 'refused': {
      const isOpen = state === 'open';
      const mayBePaid = isOpen || state === 'look_up' || isAfterAll;
      const overdue = Math.min(openedAt ?? Infinity, safeAt ?? stateAt) + (lifetimeMs ?? 0) + lateMs;
      return {
        ...marks,
        hasLink: paymentUrl !== undefined,
        existsAfterAllAt: isAfterAll,
        ...(model.staff && !isOpen && { safeAt: ahead(safeAt, now) }),
        ...(timed && mayBePaid && { overdue: ahead(overdue, now) }),
        ...(!timed && isOpen && { noWordAt: mark(noWordAt), day: noWordAt ? 0 : openedAt && openedAt - now }),
      };
    }
    // Nothing happens to it any more, but that it is paid.
    case 'over':
    case 'declined':
    case 'expired':
      return { ...marks, state: 'over' };
    case 'paid':
      return marks;
  }
}

function comparableInvoice(invoice: Invoice, world: World, model: Model): object {
  const { content, error, upload, stateAt, sends, nextAt, claim, safeAt, ...rest } = invoice;
  const { state } = rest;
  const { now } = world;
  const erases = policyOf(model).eraseAfterMs !== undefined;
  const isInDoubt = state === 'sending' || state === 'look_up';
  return {
    ...rest,
    ...(erases && { upload, stateAt: Math.max(-lateMs, stateAt - now) }),
    ...((isInDoubt || state === 'new') && { sends: counted(sends, model) }),
    ...(state === 'new' && { nextAt: ahead(nextAt, now) }),
    ...(isInDoubt && { isHeld: claim && ownerIn(claim.token, world) !== undefined, safeAt: ahead(safeAt, now) }),
    ...(state === 'sending' && { over: ahead(claim && claim.endsAt + 60_000, now) }),
  };
}

/** Whether a process has a token. Which one does not matter: processes are alike, and their hands say what they own. */
function ownerIn(token: string | undefined, { hands }: World): true | undefined {
  return token !== undefined && hands.some((hand) => 'token' in hand && hand.token === token)
    ? true
    : undefined;
}

function comparableHand(hand: Hand, { order, now }: World, model: Model): object {
  if (hand.type === 'idle') return hand;
  const { token, ...rest } = hand;
  const owns = ownedBy(token, order);
  const ended = order?.payments.find(({ endedToken }) => endedToken === token)?.referenceId;
  if (rest.type === 'claimed' || rest.type === 'uploading')
    return { ...rest, owns, endsAt: ahead(rest.endsAt, now) };
  if (rest.type === 'unsure') {
    const { type, answer, command } = rest;
    const about = command.type === 'event' ? command.event.referenceId + command.event.word : '';
    return { type, answer, command: command.type, about, owns, ended, tells: 'mayTell' in command && command.mayTell };
  }
  if (rest.type === 'sent' || rest.type === 'uploaded') {
    const { result, ...named } = rest;
    // A call of which nothing was sent says the same whatever came of it, once nothing is to be taken back.
    return { ...named, owns, step: result.step };
  }
  return { ...rest, owns, ended: model.lostAnswers ? ended : undefined };
}

function comparableOrder(order: Order, world: World, model: Model): object {
  const { orderId: _orderId, account: _account, paidAt, cancelledAt, telling, ...rest } = order;
  const { now } = world;
  const erases = policyOf(model).eraseAfterMs !== undefined;
  return {
    ...rest,
    payments: order.payments.map((payment) => comparablePayment(payment, world, model)),
    invoices: order.invoices.map((invoice) => comparableInvoice(invoice, world, model)),
    cancelledAt: mark(cancelledAt),
    ...(erases && { endedAt: Math.max(-lateMs, (paidAt ?? cancelledAt ?? now) - now) }),
    telling: telling && {
      // Further tries differ only in how long they wait.
      tries: Math.min(2, telling.tries),
      isHeld: telling.claim && ownerIn(telling.claim.token, world),
      at: ahead(telling.claim ? telling.claim.endsAt + 60_000 : telling.nextAt, now),
    },
  };
}

function comparable(world: World, model: Model): object {
  const { now, order, wroteAt, hands, service, underWay, uploadsUnderWay, copy, ...rest } = world;
  return {
    ...rest,
    order: order && comparableOrder(order, world, model),
    hands: hands.map((hand) => fingerprintOf(comparableHand(hand, world, model))).toSorted((a, b) => a - b),
    service: service.map(({ referenceId, state, createdAt }) => ({
      referenceId,
      state,
      ...(state === 'open' && model.lifetimeMs !== undefined && { ends: ahead(createdAt + model.lifetimeMs, now) }),
    })),
    underWay: underWay.map(({ referenceId, sentAt }) => ({ referenceId, at: sentAt - now })),
    uploadsUnderWay: uploadsUnderWay.map(({ number, sentAt }) => ({ number, at: sentAt - now })),
    // Longer ago makes no difference: any claim of that time is over, and safe.
    ...(model.staleReads && { wroteAt: Math.max(-4 * 60_000, wroteAt - now) }),
    copy: copy && {
      ...copy,
      order: copy.order && comparableOrder(copy.order, world, model),
    },
  };
}

// Hashing

const texts = new Map<string, readonly [low: number, high: number]>();

function hashOfText(text: string): readonly [low: number, high: number] {
  let found = texts.get(text);
  if (!found) {
    let [low, high] = [0x811c9dc5, 0x41c6ce57];
    for (let index = 0; index < text.length; index += 1) {
      low = Math.imul(low ^ text.charCodeAt(index), 0x01000193);
      high = Math.imul(high ^ text.charCodeAt(index), 0x5bd1e995);
      high ^= high >>> 15;
    }
    found = [low, high];
    texts.set(text, found);
  }
  return found;
}

function mix(hash: number, by: number): number {
  const mixed = Math.imul(hash ^ by, 0x85ebca6b);
  return Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35) ^ (mixed >>> 16);
}

let low = 0;
let high = 0;

/** Leaves the hash of a value in `low` and `high`. The order of an object's members does not matter. */
function hash(value: unknown): void {
  if (typeof value === 'object' && value !== null) {
    const isList = Array.isArray(value);
    let [sumLow, sumHigh] = [isList ? 17 : 31, isList ? 37 : 41];
    for (const key of Object.keys(value)) {
      const member = (value as Record<string, unknown>)[key];
      if (member === undefined || member === false) continue;
      const [keyLow, keyHigh] = hashOfText(key);
      hash(member);
      sumLow = (sumLow + mix(keyLow, low)) | 0;
      sumHigh = (sumHigh + mix(keyHigh, high)) | 0;
    }
    [low, high] = [mix(sumLow, 7), mix(sumHigh, 11)];
    return;
  }
  if (typeof value === 'number') {
    const upper = Math.floor(value / 0x100000000);
    [low, high] = [mix(value | 0, upper), mix((value | 0) ^ 0x9e3779b9, upper)];
    return;
  }
  [low, high] = hashOfText(String(value));
}

/** A number of 53 bits: of ten million states, two are confused in one search of a hundred. */
export function fingerprintOf(value: unknown): number {
  hash(value);
  return (low >>> 0) * 0x200000 + (high >>> 11);
}

export function keyOf(world: World, model: Model): number {
  return fingerprintOf(comparable(world, model));
}
