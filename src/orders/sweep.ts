import { setTimeout as pause } from 'node:timers/promises';
import { OrderError } from './order-error.js';
import { DueOrders } from './due-orders.js';
import { hourMs, minuteMs } from './order-parts.js';
import type { Report } from './report.js';
import type { OrderStorage } from './storage.js';

/** The number of further tries of an order whose client is being looked up: after 0.1, 0.4 and 1.6 seconds. */
const mostDeferrals = 3;

/** The result for an order that was due. `'deferred'`: its client is being looked up for another order. */
export type Moved = 'moved' | 'nothing' | 'deferred';

/** The settings of a sweep. */
export interface SweepSettings {
  /** The number of orders that are taken at a time. */
  readonly limit: number;
  /** The number of orders that are moved at the same time. */
  readonly concurrency: number;
  /** Milliseconds after which no further order is begun. */
  readonly budgetMs: number;
}

/** Everything that a sweep needs. */
export interface SweepContext {
  readonly storage: OrderStorage;
  /** The time by the clock of the storage. */
  readonly now: number;
  /** Moves an order. It calls `onSlow` if it waits for a client, so that another order can take its place. */
  readonly doNextDue: (key: string, onSlow: () => void) => Promise<Moved>;
  readonly report: Report;
  readonly random?: () => number;
}

/** The result of a sweep. */
export interface SweepResult {
  /** The number of orders that were moved. */
  readonly moved: number;
  /** The number of orders that could not be moved: they are logged. */
  readonly failed: number;
}

/** True for an error that repeats with the same order, until its row or this package changes. */
function isOfTheOrder(error: unknown): boolean {
  return !(error instanceof OrderError) || error.code === 'UNREADABLE_ROW';
}

/**
 * Postpones an order that cannot be read or decided, and lists it for review. Its data does not change. The waits
 * double: each is as long as the time since the first failure.
 */
async function postpone({ storage }: SweepContext, key: string): Promise<void> {
  const { now, row } = await storage.read(key);
  if (!row) return;
  const reviewAt = row.reviewAt ?? now;
  const waitMs = Math.min(hourMs, Math.max(minuteMs, now - reviewAt));
  await storage.postpone(key, row.version, now + waitMs, reviewAt);
}

/** Moves orders until nothing is due, or the budget is used up. An order that fails does not stop the others. */
export async function sweep(
  context: SweepContext,
  { limit, concurrency, budgetMs }: SweepSettings,
): Promise<SweepResult> {
  const { storage, now, doNextDue, report, random = Math.random } = context;
  const result = { moved: 0, failed: 0 };
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
  const nextDue = async (): Promise<string | undefined> => {
    while (portion.length === 0 && !isExhausted) {
      filling ??= fill();
      await filling;
    }
    return portion.pop();
  };
  const move = async (key: string, onSlow: () => void): Promise<void> => {
    let moved: Moved = 'nothing';
    try {
      moved = await doNextDue(key, onSlow);
      if (moved === 'moved') result.moved += 1;
    } catch (error) {
      result.failed += 1;
      report('error', 'an order could not be moved', { key }, error);
      if (isOfTheOrder(error)) await postpone(context, key).catch(() => undefined);
    }
    due.end(key, moved === 'moved');
    if (moved === 'deferred') deferred.add(key);
  };
  const isOver = () => performance.now() >= endsAt;
  const work = async (next: () => Promise<string | undefined>): Promise<void> => {
    let successor: Promise<void> | undefined;
    const nextInTime = async () => (isOver() ? undefined : await next());
    for (let key = await nextInTime(); key !== undefined; key = successor ? undefined : await nextInTime())
      // If the order waits for its client, a successor takes the place of this worker, which ends with the order.
      await move(key, () => {
        successor ??= work(next);
        successor.catch(() => undefined);
      });
    await successor;
  };
  const workAll = (next: () => Promise<string | undefined>) =>
    Promise.all(Array.from({ length: concurrency }, () => work(next)));

  for (let before = -1; result.moved > before && !isOver();) {
    before = result.moved;
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
  }
  return result;
}
