import { ConfigurationError } from '../errors/errors.js';
import { isConflict } from './database-errors.js';
import { pauseBefore } from './reliable-storage.js';

const mostRetries = 5;

/**
 * Runs a transaction. If the transaction conflicts with another transaction, it is run again, up to five times. A
 * conflict is a deadlock, a serialization failure, a lock timeout, a busy database, or an `OrderError` with the code
 * `CONFLICT`. The errors of PostgreSQL, MySQL, MariaDB and SQLite are recognised, as their drivers and Prisma, Drizzle,
 * Knex and TypeORM report them.
 *
 * @param work - Runs the whole transaction. Each call must begin a new transaction.
 * @returns the result of `work`. If `work` rejects with an error that is not a conflict, or if `work` has been
 *   repeated five times, the promise rejects with the error of `work`.
 * @example
 * ```ts
 * import { retryConflicts, type OrderEvent, type OrderPayments, type Query } from 'installment-payments/orders';
 *
 * export function deliver(
 *   payments: OrderPayments,
 *   event: OrderEvent,
 *   transaction: <T>(work: (query: Query) => Promise<T>) => Promise<T>,
 * ) {
 *   return retryConflicts(() => transaction((query) => payments.handleEvent(event, { query })));
 * }
 * ```
 */
export async function retryConflicts<T>(work: () => T | Promise<T>): Promise<T> {
  if (typeof work !== 'function')
    throw new ConfigurationError('work', 'must be a function that runs the transaction');
  for (let retries = 0; ; retries += 1) {
    try {
      return await work();
    } catch (error) {
      if (retries >= mostRetries || !isConflict(error)) throw error;
      await pauseBefore(retries + 1);
    }
  }
}
