import { setTimeout as pause } from 'node:timers/promises';
import { orderKey, requestsFor } from '../findings/evidence.js';
import { recordOf, type PaymentEnd, type RunRecord } from '../findings/record.js';
import type { parseMockOptions } from '../mock-options.js';
import type { MockService } from '../types.js';
import { actsOf, playCustomers, type RehearsedCustomer } from './customers.js';
import { OrderLooks, type OrderPage } from './order-looks.js';
import { Shopper, type Checkout } from './shopper.js';
import { Watch } from './watch.js';

/** The arguments of a merchant's code in each world. */
export interface RehearsalContext {
  /** The service, in this world. */
  readonly mock: MockService;
  /** The name of the world. */
  readonly world: string;
  /** Aborted if the run is ended, because its requests repeat for ever. */
  readonly signal: AbortSignal;
}

/** A merchant's own test: it takes orders, and ends when it has. */
export type RehearsedMerchant = (context: RehearsalContext) => unknown;

/** How each run goes, whatever its world. */
export interface RunSettings {
  readonly customer: RehearsedCustomer;
  readonly settleMs: number;
  readonly page?: OrderPage | undefined;
  /** The only origins whose redirect addresses are opened. */
  readonly origins: readonly string[];
  /** The longest wait for the page of a paid order to say so. @default 15_000 */
  readonly longestDelayMs?: number | undefined;
  readonly mockOptions: ReturnType<typeof parseMockOptions>;
  /** Ends the rehearsal. */
  readonly signal?: AbortSignal | undefined;
}

/** The record of one run. */
export interface WorldRun extends RunRecord {
  /** Why the merchant's code failed, or why it was ended. */
  readonly failure?: string;
  readonly durationMs: number;
  /** How long after everything was quiet the merchant counted the last paid order. */
  readonly delayMs: number;
}

/** The world of a run. */
interface WorldToRun extends Omit<RehearsalContext, 'signal'> {
  /** The run in the plain world, which is the first. */
  readonly plain: WorldRun | undefined;
}

const shortestWaitMs = 100;
const shortestCountMs = 1000;
const longestDelayMs = 15_000;
const plainLimitMs = 10 * 60_000;
const shortestLimitMs = 60_000;
// Far above the rule, so that nothing but an endless repeat is ended.
const mostRequestsForOne = 60;

/** Runs a merchant's code, or clicks in its shop, until nothing more arrives. The mock was reset to the world. */
export async function runWorld(
  merchant: RehearsedMerchant | Checkout,
  { mock, world, plain }: WorldToRun,
  settings: RunSettings,
): Promise<WorldRun> {
  const { customer, settleMs, page, origins, mockOptions } = settings;
  const started = performance.now();
  const ended = new AbortController();
  const signal = AbortSignal.any([ended.signal, ...(settings.signal ? [settings.signal] : [])]);
  const watch = new Watch(mock, settleMs, mockOptions.now ?? (() => new Date()));
  const looks = new OrderLooks(mock, page);
  const ends: PaymentEnd[] = [];
  const stopNoting = noteEnds(mock, ends);
  const limitMs = plain ? Math.max(shortestLimitMs, 10 * plain.durationMs) : plainLimitMs;
  const stopLimits = limitRun(mock, limitMs, ended);
  const shopper =
    typeof merchant === 'function'
      ? undefined
      : new Shopper(mock, merchant, mock.world().customer === 'clicks-twice');
  // A shop that counts late has half as much time again.
  const longestMs = settings.longestDelayMs ?? longestDelayMs;
  const delayMs = Math.min(1.5 * (plain?.delayMs ?? 0), longestMs);
  const patienceMs = Math.max(settleMs, shortestWaitMs);
  const work = async () => {
    await (typeof merchant === 'function' ? merchant({ mock, world, signal }) : shopper?.placeOrders(signal));
  };
  // In the next turn: the customers are there first.
  const worked = Promise.resolve().then(() => failureOf(work(), signal));
  const stopCustomers = playCustomers({
    ...{ mock, watch, looks, shopper, origins, signal },
    acts: actsOf(mock.world(), customer, plain === undefined),
    allPlaced: worked,
    linkAfterMs: patienceMs,
    workMs: patienceMs + delayMs,
    attemptMs: patienceMs,
  });
  try {
    const failure = await worked;
    await watch.quiet(signal);
    // A notification that waits for its next try would be accepted later, or refused for good.
    await mock.webhooks.resendWaiting?.();
    await watch.quiet(signal);
    if (delayMs > 0) await pause(delayMs, undefined, { signal }).catch(() => undefined);
    const countMs = plain?.delayMs === 0 ? shortestCountMs : longestMs;
    const references = mock.journal.all().flatMap(({ referenceId }) => referenceId ?? []);
    const countedAfterMs = await looks.lookAtTheEnd(references, countMs, signal);
    const problem = ended.signal.aborted ? messageOf(ended.signal.reason) : failure;
    return {
      ...recordOf(mock, mockOptions),
      ends,
      looks: looks.all,
      clicks: shopper?.clicks ?? [],
      orders: shopper?.checkout.orders,
      delayMs: countedAfterMs,
      durationMs: performance.now() - started,
      ...(problem !== undefined && { failure: problem }),
    };
  } finally {
    for (const stop of [stopLimits, stopNoting, stopCustomers, () => watch.stop()]) stop();
  }
}

/** Notes the end of each payment: one that was declined may be paid later. */
function noteEnds(mock: MockService, ends: PaymentEnd[]): () => void {
  return mock.subscribe((change) => {
    if (change.kind !== 'payment') return;
    for (const { referenceId, merchantId, status, settledAt } of requestsFor(change, mock.payments.all())) {
      const isKnown = ends.some(
        (end) => orderKey(end) === orderKey({ referenceId, merchantId }) && end.status === status,
      );
      if (status !== 'pending' && settledAt && !isKnown)
        ends.push({ referenceId, merchantId, status, at: settledAt });
    }
  });
}

/** Ends a run that repeats for ever, or takes too long. */
function limitRun(mock: MockService, limitMs: number, ended: AbortController): () => void {
  const counts = new Map<string, number>();
  const unsubscribe = mock.subscribe((change) => {
    if (change.kind !== 'request' || !change.entry.completed) return;
    const { operation, referenceId } = change.entry;
    if (operation === undefined || referenceId === undefined) return;
    const count = (counts.get(`${operation} ${referenceId}`) ?? 0) + 1;
    counts.set(`${operation} ${referenceId}`, count);
    if (count > mostRequestsForOne) {
      ended.abort(new Error(`ended, because it repeated ${operation} for ${referenceId} ${count} times`));
    }
  });
  const limit = setTimeout(() => {
    ended.abort(new Error(`ended, because it was still at work after ${Math.round(limitMs / 1000)} s`));
  }, limitMs);
  return () => {
    clearTimeout(limit);
    unsubscribe();
  };
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Why the merchant's code failed; undefined if it did not. Code that ignores its signal is left to itself. */
async function failureOf(work: Promise<unknown>, signal: AbortSignal): Promise<string | undefined> {
  const aborted = new Promise<undefined>((resolve) => {
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
  return Promise.race([work.then(() => undefined, messageOf), aborted]);
}
