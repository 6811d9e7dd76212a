import { systemRuntime, type Runtime } from '../http/runtime.js';
import type { PostOptions } from '../options/call-options.js';
import { createShared } from '../http/shared-resources.js';
import type { PostResult } from '../operations/post.js';
import { runCall } from '../operations/run-call.js';
import type {
  PaymentReceiptNotification,
  RepaymentAllocationNotification,
} from '../protocol/lender-types.js';
import {
  resolveLenderOptions,
  type LenderClientOptions,
  type NotificationOptions,
} from './lender-options.js';
import {
  prepareLenderPost,
  prepareNotification,
  type Acknowledgement,
  type LenderContext,
} from './notify.js';

/**
 * A lender's client of the service. It checks and sends both notifications, with the same limits, retries and errors as
 * the merchant's client (specification: Endpoints 3 and 4, "STANDARD" integration).
 *
 * @example
 * ```ts
 * import { LenderClient } from 'installment-payments/lender';
 *
 * const lender = new LenderClient({
 *   baseUrl: 'https://service.example',
 *   lenderCode: 'LENDER-01',
 *   serviceApplicationId: 'APP-01',
 *   headers: () => ({ Authorization: 'Bearer current-token' }),
 * });
 * ```
 */
export class LenderClient {
  readonly #lender: LenderContext;

  /**
   * @param options - Options of the client. `baseUrl` is required here, or in the environment as
   * `INSTALLMENT_LENDER_BASE_URL`.
   * @throws ConfigurationError that names the missing, malformed or unsafe option.
   */
  constructor(options?: LenderClientOptions);
  /** @internal Tests pass a `Runtime` with their own clock. */
  constructor(options: LenderClientOptions | undefined, runtime: Runtime);
  constructor(options: LenderClientOptions = {}, runtime: Runtime = systemRuntime) {
    const resolved = resolveLenderOptions(options);
    this.#lender = { ...resolved, shared: createShared(resolved, runtime) };
  }

  /**
   * Notifies the service that a customer's payment was received or reversed. The `lenderTransactionCode` of the
   * notification is an idempotency key, so the request is retried after every transient failure.
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
   * @throws ValidationError before anything is sent; NotificationRejectedError for most 4xx responses; another
   * InstallmentError for any other failure.
   * @see specification, Endpoints 3: Payment receipt notification
   */
  notifyPaymentReceipt(
    notification: PaymentReceiptNotification,
    options: NotificationOptions = {},
  ): Promise<Acknowledgement> {
    return runCall('paymentReceipt', this.#lender.shared, options, () =>
      prepareNotification('paymentReceipt', notification, options, this.#lender),
    );
  }

  /**
   * Notifies the service how received amounts were allocated to installments. No idempotency key is documented for an
   * allocation, so the request is retried only if the service certainly did not act on it.
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
   * @throws ValidationError before anything is sent; NotificationRejectedError for most 4xx responses; another
   * InstallmentError for any other failure.
   * @see specification, Endpoints 4: Repayment allocation notification
   */
  notifyRepaymentAllocation(
    notification: RepaymentAllocationNotification,
    options: NotificationOptions = {},
  ): Promise<Acknowledgement> {
    return runCall('repaymentAllocation', this.#lender.shared, options, () =>
      prepareNotification('repaymentAllocation', notification, options, this.#lender),
    );
  }

  /**
   * Sends a notification that this package does not support yet, with the headers that you agreed on. The specification
   * asks lenders to send the payment schedule, but does not show its shape. Any 2xx response with JSON is a success.
   *
   * @example
   * ```ts
   * import { LenderClient } from 'installment-payments/lender';
   *
   * // An example of a schedule. No such path is specified.
   * export async function scheduled(lender: LenderClient): Promise<number> {
   *   const { httpStatus } = await lender.post('/lender/open/notify/schedule', { contractNumber: 'CONTRACT-1' });
   *   return httpStatus;
   * }
   * ```
   * @param path - The path below the base URL, exactly as it is sent. Messages and logs do not show its query.
   * @param body - Plain JSON data: an object or an array.
   * @param options - Limits and signal, `policy` (default `'once'`), `idempotencyKey`, `referenceId`.
   * @throws ValidationError before anything is sent; UnexpectedResponseError for any response except a 2xx with JSON;
   * another InstallmentError whose `outcome` says whether the service may have acted.
   */
  post(path: string, body: unknown, options: PostOptions = {}): Promise<PostResult> {
    return runCall('post', this.#lender.shared, options, () =>
      prepareLenderPost(path, body, options, this.#lender),
    );
  }
}
