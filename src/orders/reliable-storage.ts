import { setTimeout as pause } from 'node:timers/promises';
import { ConfigurationError } from '../errors/errors.js';
import { driverFacts, isConflict, isTransactionOver } from './database-errors.js';
import { OrderError } from './order-error.js';
import { restoreKey } from './restores.js';
import type { OrderStorage } from './storage.js';

const mostFailures = 3;

/** Waits before the next try. The wait is random in part, so that two processes do not collide again. */
export function pauseBefore(tries: number): Promise<void> {
  return pause(Math.min(400, 5 * 2 ** tries) * (0.5 + Math.random()));
}

/** Converts an error of the driver to an OrderError, without the driver's text, which can contain customer data. */
function orderErrorFrom(driverError: unknown, isTransaction: boolean): OrderError {
  const { name, code, errno, sqlState } = driverFacts(driverError);
  const codes = [code, errno, sqlState].filter((each) => each !== undefined);
  const facts = `(${[name, ...codes].join(' ')}): call driverError() of this error to get the error of the driver`;
  if (isTransaction && isTransactionOver(driverError)) {
    const problem =
      'your transaction is over: it was committed or rolled back before this statement, or an earlier ' +
      'statement of the transaction failed. Await each call inside the transaction';
    return new OrderError('STORAGE', `${problem} ${facts}`, { driverError });
  }
  if (isTransaction && isConflict(driverError)) {
    const problem =
      'your transaction conflicts with another transaction: roll your transaction back and run it again, as retryConflicts does';
    return new OrderError('CONFLICT', `${problem} ${facts}`, { driverError });
  }
  return new OrderError('STORAGE', `the database refused a statement or could not be reached ${facts}`, {
    driverError,
  });
}

/**
 * Runs a statement. If the statement fails, it is run again, up to twice. This is safe, because every statement of the
 * storage can be repeated. In a transaction of the caller, no statement is repeated: after a failure, the transaction
 * is over.
 */
async function runStatement<T>(statement: () => Promise<T>, isTransaction: boolean): Promise<T> {
  for (let failures = 1; ; failures += 1) {
    try {
      return await statement();
    } catch (error) {
      if (error instanceof ConfigurationError) throw error;
      if (isTransaction || failures >= mostFailures) throw orderErrorFrom(error, isTransaction);
      // The first wait is about 80 ms, the second is twice as long.
      await pauseBefore(failures + 3);
    }
  }
}

/** Wraps a storage: repeats failed statements, converts errors, and reads the restores. `now` replaces its clock. */
export function reliable(
  storage: OrderStorage,
  isTransaction: boolean,
  now: (() => Date) | undefined,
): OrderStorage {
  const run = <T>(statement: () => Promise<T>) => runStatement(statement, isTransaction);
  return {
    read: async (key) => {
      const result = await run(() => storage.read(key));
      const { row, now: storageTime } = result;
      const time = now ? now().getTime() : storageTime;
      if (!Number.isFinite(time))
        throw new ConfigurationError(
          'storage',
          'must have a function read(), which resolves to { now } in milliseconds',
        );
      const restores =
        'restores' in result ? result.restores : (await run(() => storage.read(restoreKey))).row?.data;
      return { row, now: time, restores };
    },
    insert: (row) => run(() => storage.insert(row)),
    replace: (row, version) => run(() => storage.replace(row, version)),
    postpone: (key, version, dueAt, reviewAt) => run(() => storage.postpone(key, version, dueAt, reviewAt)),
    due: (at, after, limit) => run(() => storage.due(at, after, limit)),
    inReview: (after, limit) => run(() => storage.inReview(after, limit)),
    changed: (after, limit) => run(() => storage.changed(after, limit)),
    health: () => run(() => storage.health()),
  };
}
