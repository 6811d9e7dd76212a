import { setTimeout as pause } from 'node:timers/promises';
import { ConfigurationError } from '../errors/errors.js';
import { OrderError } from './order-error.js';
import { restoreKey } from './restores.js';
import type { OrderStorage, StoredOrder } from './storage.js';

const mostFailures = 3;

/** The wait before a further try, with jitter, so that those who met once do not meet again. */
export function pauseBefore(tries: number): Promise<void> {
  return pause(Math.min(400, 5 * 2 ** tries) * (0.5 + Math.random()));
}

/** Runs a statement again that failed: each of them may be run any number of times. After a failure, a transaction is over. */
async function runStatement<T>(statement: () => Promise<T>, isTransaction: boolean): Promise<T> {
  for (let failures = 1; ; failures += 1) {
    try {
      return await statement();
    } catch (cause) {
      if (cause instanceof ConfigurationError) throw cause;
      const message = 'the database refused a statement in your transaction: roll it back and run it again';
      if (isTransaction) throw new OrderError('CONFLICT', message, { cause });
      if (failures >= mostFailures) throw cause;
      await pauseBefore(failures + 3);
    }
  }
}

/** A storage whose failures are dealt with. A read has the restores of the database too. */
export interface ReliableStorage extends OrderStorage {
  read(key: string): Promise<{
    readonly now: number;
    readonly row?: StoredOrder | undefined;
    /** The data of the row with {@link restoreKey}. */
    readonly restores?: string | undefined;
  }>;
}

/** A storage whose failures are dealt with. `now` takes the place of its clock. */
export function reliable(
  storage: OrderStorage,
  isTransaction: boolean,
  now: (() => Date) | undefined,
): ReliableStorage {
  const run = <T>(statement: () => Promise<T>) => runStatement(statement, isTransaction);
  return {
    read: async (key) => {
      const [{ row, now: storageTime }, restore] = await Promise.all([
        run(() => storage.read(key)),
        run(() => storage.read(restoreKey)),
      ]);
      const time = now ? now().getTime() : storageTime;
      if (!Number.isFinite(time))
        throw new TypeError('read of the storage must resolve to now, in milliseconds');
      return { row, now: time, restores: restore.row?.data };
    },
    insert: (row) => run(() => storage.insert(row)),
    replace: (row, version) => run(() => storage.replace(row, version)),
    due: (at, limit) => run(() => storage.due(at, limit)),
    inReview: (after, limit) => run(() => storage.inReview(after, limit)),
    changed: (after, limit) => run(() => storage.changed(after, limit)),
  };
}
