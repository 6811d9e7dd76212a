import { setTimeout as pause } from 'node:timers/promises';
import { OrderError } from './order-error.js';
import { DueOrders } from './due-orders.js';
import { hourMs, minuteMs } from './order-parts.js';
import type { Report } from './report.js';
import type { OrderStorage } from './storage.js';

/** The number of further tries of an order that is deferred: after 0.1, 0.4 and 1.6 seconds. */
const mostDeferrals = 3;

/**
 * The result of processing an order that was due. `'nothing'`: there was nothing to do. `'deferred'`: another order has
 * begun the lookup of the client, and the lookup is slow.
 */
export type ProcessResult = 'processed' | 'nothing' | 'deferred';

/** The settings of a sweep. */
export interface SweepSettings {
  /** The number of orders that are taken at a time. */
  readonly limit: number;
  /** The number of orders that are processed at the same time. */
  readonly concurrency: number;
  /** The milliseconds after which no further order is processed. */
  readonly budgetMs: number;
}

/** The storage, the clock and the functions that a sweep uses. */
export interface SweepContext {
  readonly storage: OrderStorage;
  /** The time by the clock of the storage. */
  readonly now: number;
  /** Processes an order. Calls `onSlow` if the lookup of the client is slow, so that the sweep begins another order. */
  readonly processDue: (key: string, onSlow: () => void) => Promise<ProcessResult>;
  readonly report: Report;
  readonly random?: () => number;
}

/** The result of a sweep. */
export interface SweepResult {
  /** The number of times that an order was processed. */
  readonly processed: number;
  /** The number of orders that failed. Each failure is logged. */
  readonly failed: number;
}

/**
 * True for an error that will occur again with the same order, until the row of the order, the shop's `query` or
 * `storage`, or this package changes.
 */
function isPermanent(error: unknown): boolean {
  return !(error instanceof OrderError) || error.code === 'UNREADABLE_ROW';
}

/**
 * Postpones an order that cannot be read or decided, and lists the order for review. The data of the row does not
 * change. The wait is as long as the time since the order was first listed (`reviewAt`), but at least a minute and at
 * most an hour, so the waits grow.
 */
async function postpone({ storage }: SweepContext, key: string): Promise<void> {
  const { now, row } = await storage.read(key);
  if (!row) return;
  const reviewAt = row.reviewAt ?? now;
  const waitMs = Math.min(hourMs, Math.max(minuteMs, now - reviewAt));
  await storage.postpone(key, row.version, now + waitMs, reviewAt);
}

/** Processes orders until no order is due or `budgetMs` has passed. An order that fails does not stop other orders. */
export async function sweep(
  context: SweepContext,
  { limit, concurrency, budgetMs }: SweepSettings,
): Promise<SweepResult> {
  const { storage, now, processDue, report, random = Math.random } = context;
  const result = { processed: 0, failed: 0 };
  const due = new DueOrders(storage, now, limit, random);
  const endsAt = performance.now() + budgetMs;
  const deferred = new Set<string>();
  let portion: string[] = [];
  let isExhausted = false;
  let filling: Promise<void> | undefined;

  const fill = async () => {
    try {
      portion = await due.next();
      isExhausted = portion.length === 0;
    } finally {
      filling = undefined;
    }
  };
  // All workers (calls of `work`) share one portion, and one call of `fill`.
  const nextDue = async (): Promise<string | undefined> => {
    while (portion.length === 0 && !isExhausted) {
      filling ??= fill();
      await filling;
    }
    return portion.pop();
  };
  const processOrder = async (key: string, onSlow: () => void): Promise<void> => {
    let ended: ProcessResult = 'nothing';
    try {
      ended = await processDue(key, onSlow);
      if (ended === 'processed') result.processed += 1;
    } catch (error) {
      result.failed += 1;
      report('error', 'an order could not be processed', { key }, error);
      if (isPermanent(error)) await postpone(context, key).catch(() => undefined);
    }
    due.release(key, ended === 'processed');
    if (ended === 'deferred') deferred.add(key);
  };
  const isOver = () => performance.now() >= endsAt;
  const work = async (next: () => Promise<string | undefined>): Promise<void> => {
    let successor: Promise<void> | undefined;
    const nextInTime = async () => (isOver() ? undefined : await next());
    // If the lookup of a client is slow, `processOrder` calls its callback, which starts a successor. The successor
    // takes the next orders, and this worker takes no more orders.
    while (!successor) {
      const key = await nextInTime();
      if (key === undefined) break;
      await processOrder(key, () => {
        successor ??= work(next);
        successor.catch(() => undefined);
      });
    }
    await successor;
  };
  const workAll = (next: () => Promise<string | undefined>) =>
    Promise.all(Array.from({ length: concurrency }, () => work(next)));

  // A processed order can be due again, so another round follows each round that processed an order.
  let processedBefore: number;
  do {
    processedBefore = result.processed;
    due.restart();
    isExhausted = false;
    await workAll(nextDue);
    for (let tries = 1; tries <= mostDeferrals && deferred.size > 0 && !isOver(); tries += 1) {
      await pause(Math.min(25 * 4 ** tries, Math.max(0, endsAt - performance.now())));
      const waiting = [...deferred];
      deferred.clear();
      await workAll(() => Promise.resolve(waiting.pop()));
    }
    deferred.clear();
  } while (result.processed > processedBefore && !isOver());
  return result;
}
