import { brandClass } from '../values/brand.js';

/**
 * A command about an order could not be carried out; nothing of it was stored. It is not an `InstallmentError`: no call was
 * made. `code` says why:
 *
 * - `'UNKNOWN_ORDER'`: there is no such order, or it belongs to another account.
 * - `'UNKNOWN_REFERENCE'`: no payment has this reference. A webhook that rejects with it responds with 500, so the
 *   notification may come again.
 * - `'EVENT_UNREADABLE'`: the event is not `{ referenceId, status, amount: { value, currency } }`.
 * - `'CONFLICT'`: others wrote the same order again and again, or the database refused a statement in your transaction: roll
 *   it back and run it again. `cause` has the error of the database.
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
  /** Stable; the same in every version. */
  readonly code: 'UNKNOWN_ORDER' | 'UNKNOWN_REFERENCE' | 'EVENT_UNREADABLE' | 'CONFLICT';

  static {
    brandClass(this, 'OrderError');
  }

  /** Errors are made by this package; a test may make one of its own. */
  constructor(code: OrderError['code'], message: string, options?: { readonly cause: unknown }) {
    super(message, options);
    this.code = code;
  }
}
