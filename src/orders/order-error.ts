import { brandClass } from '../errors/brand.js';
import { driverFacts, type DriverFacts } from './database-errors.js';

/** The parts of an {@link OrderError}. */
interface OrderErrorOptions {
  /** The error behind this one. */
  readonly cause?: unknown;
  /** The error of the database driver. Its text can contain the values of a statement. */
  readonly driverError?: unknown;
}

/**
 * A command about an order could not be carried out. It is not an `InstallmentError`: no call was made. `code` says
 * why:
 *
 * - `'UNKNOWN_ORDER'`: there is no such order, or it belongs to another account.
 * - `'UNKNOWN_REFERENCE'`: no payment has this `referenceId`. A webhook handler that rejects with it responds with 500,
 *   so that the service sends the webhook again.
 * - `'EVENT_UNREADABLE'`: the event is not `{ referenceId, status, amount: { value, currency } }`.
 * - `'CONFLICT'`: other processes kept writing the same order, or the database refused a statement in your transaction
 *   because of another transaction (a deadlock, a serialization failure, a lock): roll it back and run it again, as
 *   `retryConflicts` does.
 * - `'STORAGE'`: the database could not be reached, or refused a statement. `driver` contains its codes.
 * - `'UNREADABLE_ROW'`: the row of the order is not as it was written, or a later version of this package wrote it.
 *   Nothing is sent for it.
 *
 * The command stored nothing. One exception: a write can have taken effect if its response was lost.
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

  /** Creates an error, as this package does. Tests can use it too. */
  constructor(code: OrderError['code'], message: string, options: OrderErrorOptions = {}) {
    const { cause, driverError } = options;
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.#driverError = driverError;
    if (driverError !== undefined) this.driver = driverFacts(driverError);
  }

  /**
   * Returns the error of the database driver. It can contain the statement with customer data, so it does not appear in
   * logs, inspection or JSON of this error.
   */
  driverError(): unknown {
    return this.#driverError;
  }
}
