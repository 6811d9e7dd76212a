import { brandClass } from '../errors/brand.js';
import { driverFacts, type DriverFacts } from './database-errors.js';

/** What an {@link OrderError} was made of. */
interface OrderErrorOptions {
  /** The error behind this one. */
  readonly cause?: unknown;
  /** The error of the database's driver. Its text may contain the values of a statement. */
  readonly driverError?: unknown;
}

/**
 * A command about an order could not be carried out. It is not an `InstallmentError`: no call was made. `code` says why:
 *
 * - `'UNKNOWN_ORDER'`: there is no such order, or it belongs to another account.
 * - `'UNKNOWN_REFERENCE'`: no payment has this reference. A webhook that rejects with it responds with 500, so the
 *   notification may come again.
 * - `'EVENT_UNREADABLE'`: the event is not `{ referenceId, status, amount: { value, currency } }`.
 * - `'CONFLICT'`: others wrote the same order again and again, or the database refused a statement in your transaction
 *   because of another one (a deadlock, a serialization failure, a lock): roll it back and run it again, as
 *   `retryConflicts` does.
 * - `'STORAGE'`: the database could not be reached, or refused a statement. `driver` has its codes.
 * - `'UNREADABLE_ROW'`: the row of the order is not what was written, or a later version of this package wrote it. Nothing
 *   is sent for it.
 *
 * Nothing of the command is stored, except that a write whose response was lost may have taken effect.
 *
 * @example
 * ```ts
 * import { OrderError } from 'installment-payments/orders';
 *
 * export function mayRunAgain(error: unknown): boolean {
 *   return error instanceof OrderError && error.code === 'CONFLICT';
 * }
 * ```
 */
export class OrderError extends Error {
  /** The reason, the same in every version. */
  readonly code:
    'UNKNOWN_ORDER' | 'UNKNOWN_REFERENCE' | 'EVENT_UNREADABLE' | 'CONFLICT' | 'STORAGE' | 'UNREADABLE_ROW';
  /** The name and the codes of the error that `query` or `storage` rejected with. */
  declare readonly driver?: DriverFacts;
  readonly #driverError: unknown;

  static {
    brandClass(this, 'OrderError');
  }

  /** Errors are made by this package; a test may make one of its own. */
  constructor(code: OrderError['code'], message: string, options: OrderErrorOptions = {}) {
    const { cause, driverError } = options;
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.#driverError = driverError;
    if (driverError !== undefined) this.driver = driverFacts(driverError);
  }

  /**
   * Returns the error of the database's driver. It may contain the statement with the customer's data, so no log, inspection or
   * JSON of this error shows it.
   */
  driverError(): unknown {
    return this.#driverError;
  }
}
