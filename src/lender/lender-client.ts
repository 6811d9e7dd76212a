import { systemRuntime, type Runtime } from '../http/runtime.js';
import type { CallOptions } from '../options/call-options.js';
import { declareRepeats } from '../options/repeats-unknown.js';
import { sharedFor } from '../http/shared-resources.js';
import type {
  PaymentReceiptNotification,
  RepaymentAllocationNotification,
} from '../protocol/lender-types.js';
import { resolveLenderOptions, type LenderClientOptions } from './lender-options.js';
import { notify, type Acknowledgement, type Lender } from './notify.js';

/**
 * A lender's client of the service: it checks and sends both notifications, with the limits, retries and errors of the
 * merchant's client (specification: Endpoints 3 and 4, "STANDARD" integration).
 *
 * @example
 * ```ts
 * import { LenderClient } from 'installment-payments/lender';
 *
 * const lender = new LenderClient({
 *   baseUrl: 'https://service.example',
 *   lenderCode: 'LENDER-01',
 *   serviceApplicationId: 'APP-01',
 *   headers: () => ({ Authorization: 'Bearer of-this-hour' }),
 * });
 * ```
 */
export class LenderClient {
  readonly #lender: Lender;

  /**
   * @param options - The default of `baseUrl` is the environment's `INSTALLMENT_LENDER_BASE_URL`.
   * @throws ConfigurationError that names the missing, malformed or unsafe option.
   */
  constructor(options?: LenderClientOptions);
  /** @internal Tests turn the clock themselves. */
  constructor(options: LenderClientOptions | undefined, runtime: Runtime);
  constructor(options: LenderClientOptions = {}, runtime: Runtime = systemRuntime) {
    const resolved = resolveLenderOptions(options);
    // Into the same object, which inherits nothing from a polluted Object.prototype.
    this.#lender = Object.assign(resolved, { shared: sharedFor(resolved, runtime) });
    declareRepeats(this, resolved.repeatUnknown);
  }

  /**
   * Notifies the service that a customer's payment was received or reversed. Its `lenderTransactionCode` is an
   * idempotency key, so every transient failure is retried.
   *
   * @example
   * ```ts
   * import { LenderClient } from 'installment-payments/lender';
   *
   * export async function received(lender: LenderClient): Promise<number> {
   *   const { httpStatus } = await lender.notifyPaymentReceipt({
   *     contractNumber: 'CONTRACT-1',
   *     lenderTransactionCode: 'LTC-1',
   *     receivedAmount: 1_500_000,
   *     receivedDatetime: new Date(),
   *     receivedStatus: 'SUCCESS',
   *   });
   *   return httpStatus;
   * }
   * ```
   * @throws ValidationError before anything is sent, NotificationRejectedError for most 4xx, or another InstallmentError.
   * @see specification, Endpoints 3: Payment receipt notification
   */
  notifyPaymentReceipt(
    notification: PaymentReceiptNotification,
    options: CallOptions = {},
  ): Promise<Acknowledgement> {
    return notify('paymentReceipt', notification, options, this.#lender);
  }

  /**
   * Notifies the service how received amounts were allocated to installments. No idempotency key is documented for it, so
   * it is retried only if the service certainly did not act on it.
   *
   * @example
   * ```ts
   * import { LenderClient } from 'installment-payments/lender';
   *
   * export async function allocated(lender: LenderClient): Promise<void> {
   *   await lender.notifyRepaymentAllocation({
   *     contractNumber: 'CONTRACT-1',
   *     repaymentTransactions: [
   *       {
   *         lenderTransactionCode: 'LTC-1',
   *         allocationDatetime: new Date(),
   *         installmentNumber: 1,
   *         allocatedPrincipal: 1_400_000,
   *         allocatedServiceFee: 100_000,
   *       },
   *     ],
   *   });
   * }
   * ```
   * @throws ValidationError before anything is sent, NotificationRejectedError for most 4xx, or another InstallmentError.
   * @see specification, Endpoints 4: Repayment allocation notification
   */
  notifyRepaymentAllocation(
    notification: RepaymentAllocationNotification,
    options: CallOptions = {},
  ): Promise<Acknowledgement> {
    return notify('repaymentAllocation', notification, options, this.#lender);
  }
}
