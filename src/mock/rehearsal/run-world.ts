import { setMaxListeners } from 'node:events';
import { recordsFor } from '../findings/evidence.js';
import { recordOf, type RunRecord } from '../findings/record.js';
import type { parseMockOptions } from '../mock-options.js';
import type { MockChange } from '../state/changes.js';
import { paymentKey, type MockPayment } from '../state/payment-record.js';
import type { MockService } from '../types.js';
import { actsOf, playCustomers, type RehearsedCustomer } from './customers.js';
import { OrderLooks, type OrderPage } from './order-looks.js';
import { Shopper, type Checkout } from './shopper.js';
import { wait, Watch } from './watch.js';

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
  readonly mockOptions: ReturnType<typeof parseMockOptions>;
  /** Ends the rehearsal. */
  readonly signal: AbortSignal;
}

/** The record of one run. */
export interface WorldRun extends RunRecord {
  /** Why the merchant's code failed, or why it was ended. */
  readonly failure: string | undefined;
  /** Present if it was ended: then nobody has looked at its orders. */
  readonly isEnded?: true;
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
// Of a command in the plain world, where nothing tells their number.
const mostOrders = 100;

/** Runs a merchant's code, or clicks in its shop, until nothing more arrives. The mock was reset to the world. */
export async function runWorld(
  merchant: RehearsedMerchant | Checkout,
  { mock, world, plain }: WorldToRun,
  { customer, settleMs, page, origins, mockOptions, signal: interrupted }: RunSettings,
): Promise<WorldRun> {
  const started = performance.now();
  const ended = new AbortController();
  const signal = AbortSignal.any([ended.signal, interrupted]);
  // Each customer who waits listens to it.
  setMaxListeners(0, signal);
  const end = (why: string) => {
    ended.abort(new Error(`the command was ended, because it ${why}`));
  };
  const limitMs = plain ? Math.max(shortestLimitMs, 10 * plain.durationMs) : plainLimitMs;
  const limit = setTimeout(end, limitMs, `was still at work after ${Math.round(limitMs / 1000)} s`);
  const watch = new Watch(mock, settleMs, mockOptions.now);
  const looks = new OrderLooks(mock, page);
  const shopper = typeof merchant === 'function' ? undefined : new Shopper(mock, merchant, signal);
  // In the next turn: the customers are there first.
  const work = Promise.resolve().then(() =>
    typeof merchant === 'function' ? merchant({ mock, world, signal }) : shopper?.placeOrders(),
  );
  const allPlaced = failureOf(work, signal);
  // A shop that counts late has half as much time again.
  const delayMs = Math.min(1.5 * (plain?.delayMs ?? 0), longestDelayMs);
  const patienceMs = Math.max(settleMs, shortestWaitMs);
  const orders = shopper?.checkout.orders ?? plain?.payments.length ?? mostOrders;
  const tellCustomers = playCustomers(
    {
      mostVisits: 10 + 3 * orders,
      mock,
      watch,
      looks,
      shopper,
      allPlaced,
      patienceMs,
      delayMs,
      origins,
      signal,
    },
    actsOf(mock.world(), customer, plain === undefined),
  );
  const ends = new Map<string, MockPayment>();
  const counts = new Map<string, number>();
  const unsubscribe = mock.subscribe((change) => {
    watch.note(change);
    tellCustomers(change);
    if (change.kind === 'payment') noteEnds(recordsFor(change, mock.payments.all()), ends);
    endRepeats(change, counts, end);
  });
  try {
    const failure = await allPlaced;
    await watch.quiet(signal);
    // A notification that waits for its next try would be accepted later, or refused for good.
    await mock.webhooks.resendWaiting?.();
    await watch.quiet(signal);
    await wait(delayMs, signal);
    const countMs = plain?.delayMs === 0 ? shortestCountMs : longestDelayMs;
    const references = mock.journal.all().flatMap(({ referenceId }) => referenceId ?? []);
    const countedAfterMs = await looks.lookAtTheEnd(references, countMs, signal);
    return {
      ...recordOf(mock, mockOptions),
      ends: [...ends.values()],
      looks: looks.all,
      clicks: shopper?.clicks ?? [],
      orders: shopper?.checkout.orders,
      delayMs: countedAfterMs,
      durationMs: performance.now() - started,
      failure,
      ...(ended.signal.aborted && { failure: messageOf(ended.signal.reason), isEnded: true }),
    };
  } finally {
    clearTimeout(limit);
    unsubscribe();
  }
}

/** Notes each end of a payment: one that was declined may be paid later. */
function noteEnds(payments: readonly MockPayment[], ends: Map<string, MockPayment>): void {
  for (const payment of payments) {
    const key = `${paymentKey(payment)} ${payment.status}`;
    if (payment.status !== 'pending' && !ends.has(key)) ends.set(key, payment);
  }
}

/** Ends a run that repeats for ever. */
function endRepeats(change: MockChange, counts: Map<string, number>, end: (why: string) => void): void {
  if (change.kind !== 'request' || !change.entry.completed) return;
  const { operation, referenceId } = change.entry;
  if (operation === undefined || referenceId === undefined) return;
  const count = (counts.get(`${operation} ${referenceId}`) ?? 0) + 1;
  counts.set(`${operation} ${referenceId}`, count);
  if (count > mostRequestsForOne) end(`repeated ${operation} for ${referenceId} ${count} times`);
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
