import type { Order, Payment } from '../../../src/orders/order.js';
import { check } from './invariants.js';
import { orderId, steps } from './steps.js';
import { Violation } from './violation.js';
import type { Model, World } from './world.js';

interface Path {
  readonly name: string;
  readonly before: Path | undefined;
}

export interface Found {
  readonly states: number;
  /** The steps to a state that breaks a rule, and the rule; undefined if there is none. */
  readonly violation?: { readonly what: string; readonly steps: readonly string[] };
}

function startOf(model: Model): World {
  const invoices = Array.from({ length: model.invoices ?? 0 }, (_, index) => ({
    number: index + 1,
    upload: 'u',
    content: String(index),
    state: 'new' as const,
    stateAt: 0,
    sends: 0,
    nextAt: 0,
  }));
  const paid: Order = { orderId, payments: [], invoices, paidBy: `${orderId}-1`, paidAt: 0 };
  return {
    now: 0,
    order: model.invoices === undefined ? undefined : paid,
    wroteAt: 0,
    hands: Array.from({ length: model.processes }, () => ({ type: 'idle' as const })),
    service: [],
    underWay: [],
    made: [],
    reported: [],
    shipped: 0,
    staff: undefined,
    stored: invoices.map(() => 0),
    uploadsUnderWay: [],
    copy: undefined,
    isRestored: false,
  };
}

// What no rule compares, and what only its presence matters of.
const ignored = new Set(['now', 'addedAt', 'stateAt', 'error', 'request', 'paidToken', 'endedToken']);
const marks = new Set([
  'paidAt',
  'cancelledAt',
  'noWordAt',
  'mismatchAt',
  'givenUpAt',
  'existsAfterAllAt',
  'refundedAt',
]);
const waits = new Set(['nextAt', 'waitAt', 'safeAt']);

// Times that are over long ago differ in nothing.
const longestMs = 26 * 60 * 60_000;

function timeOf(name: string, at: number, now: number): number {
  if (marks.has(name)) return 1;
  return Math.max(waits.has(name) ? 0 : -longestMs, at - now);
}

/** A claim that nobody has in hand any more is two times: when it is over, and when it is safe. */
function comparable(payment: Payment, tokens: ReadonlySet<string>, now: number): object {
  const { claim, lifetimeMs, firstSendAt, nextAt, waitAt, ...rest } = payment;
  const { token = '', endsAt = 0, safeAt = 0 } = claim ?? {};
  const isWaiting = rest.state === 'new' || rest.state === 'unknown' || rest.state === 'sending';
  return {
    ...rest,
    ...(tokens.has(token) && { token, before: claim?.before }),
    ...(lifetimeMs === undefined ? { endsAt: Math.max(endsAt, now - 2 * 60_000) } : { endsAt, firstSendAt }),
    ...(isWaiting && { nextAt, waitAt }),
    safeAt,
  };
}

/**
 * Two hashes of a state in one number of 53 bits: of ten million states, two are confused in one search of a hundred. Times
 * count from now. It does not matter which of the processes has what in its hands.
 */
class Fingerprint {
  #low = 0x811c9dc5;
  #high = 0x41c6ce57;

  #add(unit: number): void {
    this.#low = Math.imul(this.#low ^ unit, 0x01000193);
    this.#high = Math.imul(this.#high ^ unit, 0x5bd1e995);
    this.#high ^= this.#high >>> 15;
  }

  text(text: string): void {
    for (let index = 0; index < text.length; index += 1) this.#add(text.charCodeAt(index));
    this.#add(1);
  }

  value(value: unknown, name: string, now: number): void {
    if (Array.isArray(value)) {
      this.#add(2);
      for (const each of value) this.value(each, name, now);
      this.#add(3);
    } else if (typeof value === 'object' && value !== null) {
      this.#add(4);
      for (const key of Object.keys(value).toSorted()) {
        const member = (value as Record<string, unknown>)[key];
        if (member === undefined || ignored.has(key)) continue;
        this.text(key);
        this.value(member, key, now);
      }
      this.#add(5);
    } else if (typeof value === 'number' && name.endsWith('At')) this.text(String(timeOf(name, value, now)));
    else this.text(String(value));
  }

  get number(): number {
    return (this.#low >>> 0) * 0x200000 + ((this.#high ^ (this.#low >>> 7)) >>> 11);
  }
}

function fingerprintOf(value: unknown, now: number): number {
  const fingerprint = new Fingerprint();
  fingerprint.value(value, '', now);
  return fingerprint.number;
}

function keyOf(world: World): number {
  const { now, order } = world;
  const tokens = new Set(world.hands.flatMap((hand) => ('token' in hand ? [hand.token] : [])));
  const payments = order?.payments.map((payment) => comparable(payment, tokens, now));
  const hands = world.hands.map((hand) => fingerprintOf(hand, now)).toSorted((a, b) => a - b);
  return fingerprintOf({ ...world, hands, order: order && { ...order, payments } }, now);
}

function pathTo(path: Path | undefined): string[] {
  const names: string[] = [];
  for (let at = path; at; at = at.before) names.unshift(at.name);
  return names;
}

/** Visits every state of a model, the nearest first, until one breaks a rule. */
export function search(
  model: Model,
  { mostStates = Infinity, onProgress = (_states: number) => {} } = {},
): Found {
  const seen = new Set<number>();
  let frontier: { world: World; path: Path | undefined }[] = [{ world: startOf(model), path: undefined }];
  seen.add(keyOf(startOf(model)));
  while (frontier.length > 0) {
    const later: typeof frontier = [];
    for (const { world, path } of frontier) {
      let at = path;
      try {
        check(world, model);
        for (const step of steps(world, model)) {
          at = { name: step.name, before: path };
          const key = keyOf(step.world);
          if (seen.has(key)) continue;
          seen.add(key);
          later.push({ world: step.world, path: at });
        }
      } catch (error) {
        const what =
          error instanceof Violation ? error.message : String(error instanceof Error ? error.stack : error);
        return { states: seen.size, violation: { what, steps: pathTo(at) } };
      }
      if (seen.size >= mostStates) return { states: seen.size };
    }
    onProgress(seen.size);
    frontier = later;
  }
  return { states: seen.size };
}
