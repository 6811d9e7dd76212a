import { brandClass } from '../errors/brand.js';
import { driverFacts, type DriverFacts } from './database-errors.js';

/** The parts of an {@link OrderError}. */
interface OrderErrorOptions {
  /** The error that caused this error. */
  readonly cause?: unknown;
  /** The error of the database driver. Its text can contain the values of a statement. */
  readonly driverError?: unknown;
}

/**
 * A call of the order module failed. This is not an `InstallmentError`, which reports a failed call to the service.
 * `code` is the reason:
 *
 * - `'UNKNOWN_ORDER'`: the order or its invoice does not exist, or the order belongs to another account.
 * - `'UNKNOWN_REFERENCE'`: no payment has this `referenceId`. A webhook handler that rejects with this error responds
 *   with 500, so that the service sends the webhook again.
 * - `'EVENT_UNREADABLE'`: the event is not `{ referenceId, status, amount: { value, currency } }`.
 * - `'CONFLICT'`: other processes changed the same order again and again, or your transaction conflicts with another
 *   transaction (a deadlock, a serialization failure, a lock). Roll your transaction back and run it again, as
 *   `retryConflicts` does.
 * - `'STORAGE'`: the database could not be reached, or refused a statement, for example because your transaction is
 *   over. `driver` contains the codes of the database's error.
 * - `'UNREADABLE_ROW'`: the row of the order is not as it was written, or a later version of this package wrote it.
 *   Nothing is sent for the order.
 *
 * Nothing was stored, with two exceptions:
 *
 * - If the response of the database to a write was lost, the write can have taken effect.
 * - `start`, `handleEvent` and `conclude` write again after they have sent the payment or called `onPaid`. If this
 *   second write fails, the first write is stored, and the payment may have been sent. Call the method again.
 *
 * @example
 * ```ts
 * import { OrderError } from 'installment-payments/orders';
 *
 * export function canRunAgain(error: unknown): boolean {
 *   return error instanceof OrderError && error.code === 'CONFLICT';
 * }
 * ```
 */
export class OrderError extends Error {
  /** The reason. The codes are the same in every version. */
  readonly code:
    | 'UNKNOWN_ORDER'
    | 'UNKNOWN_REFERENCE'
    | 'EVENT_UNREADABLE'
    | 'CONFLICT'
    | 'STORAGE'
    | 'UNREADABLE_ROW';
  /** The name and the codes of the error that `query` or `storage` rejected with. */
  declare readonly driver?: DriverFacts;
  readonly #driverError: unknown;

  static {
    brandClass(this, 'OrderError');
  }

  /** Creates an error, as this package does. Your tests can create errors too. */
  constructor(code: OrderError['code'], message: string, options: OrderErrorOptions = {}) {
    const { cause, driverError } = options;
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.#driverError = driverError;
    if (driverError !== undefined) this.driver = driverFacts(driverError);
  }

  /**
   * Returns the error of the database driver. The driver's error can contain the statement with customer data, so it
   * does not appear in logs, inspection or JSON of this error.
   */
  driverError(): unknown {
    return this.#driverError;
  }
}
