import {
  changedClientOptions,
  resolveClientOptions,
  type ChangeableOptions,
  type InstallmentClientOptions,
  type ResolvedClientOptions,
} from './options/client-options.js';
import { systemRuntime, type Runtime } from './http/runtime.js';
import { createShared, deriveShared, type Shared } from './http/shared-resources.js';
import type { InitiatePaymentOptions, PostOptions, UploadInvoiceOptions } from './options/call-options.js';
import { preparePayment, type PaymentResult } from './operations/initiate-payment.js';
import type { MerchantContext } from './operations/make-call.js';
import { preparePost, type PostResult } from './operations/post.js';
import { runCall } from './operations/run-call.js';
import { signerWith } from './operations/signer.js';
import { prepareInvoice, type InvoiceResult } from './operations/upload-invoice.js';
import type { InvoiceUpload } from './protocol/invoice-types.js';
import type { PaymentRequest } from './protocol/payment-types.js';

function contextOf(options: ResolvedClientOptions, shared: Shared): MerchantContext {
  return { ...options, sign: signerWith(options.secretKey, options.wire.secretKeyEncoding), shared };
}

function newContext(given: InstallmentClientOptions, runtime: Runtime): MerchantContext {
  const options = resolveClientOptions(given);
  return contextOf(options, createShared(options, runtime));
}

function changedContext(merchant: MerchantContext, changes: ChangeableOptions): MerchantContext {
  const { sign: _sign, shared, ...current } = merchant;
  const options = changedClientOptions(current, changes);
  return contextOf(options, deriveShared(shared, options));
}

/** Options of a client that other code can read: {@link InstallmentClient.settings}. */
export type ClientSettings = Readonly<
  Partial<
    Pick<
      InstallmentClientOptions,
      'merchantId' | 'storeId' | 'platformId' | 'repeatUnknown' | 'totalTimeoutMs'
    >
  >
>;

/**
 * A merchant's client for the service. The client checks, signs and sends requests, retries a request if a retry is
 * safe, and reports how each call ended. One client can make any number of calls at the same time.
 *
 * @example
 * ```ts
 * import { InstallmentClient } from 'installment-payments';
 *
 * const client = new InstallmentClient({
 *   baseUrl: 'https://sandbox.example',
 *   clientId: 'demo-client',
 *   secretKey: 'demo-secret',
 *   merchantId: 'DEMO-MERCHANT',
 *   storeId: 'STORE-01',
 *   platformId: 'WEBSHOP',
 *   logger: console,
 * });
 * ```
 */
export class InstallmentClient {
  readonly #merchant: MerchantContext;
  /** The options that other code, such as `installment-payments/orders`, can read. None of them is secret. */
  readonly settings: ClientSettings;

  /**
   * @param options - The options. If an option with an environment variable is left out, the variable is read.
   * @throws ConfigurationError that names the missing, malformed or unsafe option.
   */
  constructor(options?: InstallmentClientOptions);
  /**
   * @internal Tests pass a `Runtime` with their own clock. `withOptions` passes the client that shares its resources.
   */
  constructor(options: InstallmentClientOptions | undefined, base: Runtime | InstallmentClient);
  constructor(options: InstallmentClientOptions = {}, base: Runtime | InstallmentClient = systemRuntime) {
    const isDerived = base instanceof InstallmentClient;
    this.#merchant = isDerived ? changedContext(base.#merchant, options) : newContext(options, base);
    // The methods are bound. A bound method also works if it is detached, called through a Proxy, or called on a copy
    // of the client (a copy lacks the private fields).
    this.initiatePayment = this.initiatePayment.bind(this);
    this.uploadInvoice = this.uploadInvoice.bind(this);
    this.post = this.post.bind(this);
    this.withOptions = this.withOptions.bind(this);
    const { merchantId, storeId, platformId, repeatUnknown, totalTimeoutMs } = this.#merchant;
    this.settings = Object.freeze({ merchantId, storeId, platformId, repeatUnknown, totalTimeoutMs });
  }

  /**
   * Creates an installment payment for an order. The response contains the `paymentUrl` to which you send the customer.
   * The redirect back to the shop does not prove that the order is paid: see the guide "Receive webhooks".
   *
   * Each payment of an order needs its own `referenceId`, stored before the call. If the call fails, `error.nextStep`
   * names the next step, and `error.action` describes this step. If `nextStep` is `'repeat'`, send the stored request
   * again with `mayHaveBeenSent: true`. The repeat has the same idempotency key, but how the service handles a repeated
   * key is not documented. If `nextStep` is `'look_up'`, look the payment up at the provider. Do not start another
   * payment for the order until you know the outcome.
   *
   * @example
   * ```ts
   * import { InstallmentClient, type PaymentRequest } from 'installment-payments';
   *
   * export async function checkout(client: InstallmentClient, order: PaymentRequest): Promise<string> {
   *   const payment = await client.initiatePayment(order);
   *   return payment.paymentUrl;
   * }
   * ```
   * @param request - The payment request. Fields with a default can be left out.
   * @param options - Limits, signal and idempotency key of this call; `mayHaveBeenSent` for a repeat.
   * @throws ValidationError before anything is sent, or another InstallmentError whose `outcome` says whether the
   * service may have acted.
   * @see specification, Endpoints 1: Initiate transaction
   */
  initiatePayment(request: PaymentRequest, options: InitiatePaymentOptions = {}): Promise<PaymentResult> {
    return runCall('initiatePayment', this.#merchant.shared, options, () =>
      preparePayment(request, options, this.#merchant),
    );
  }

  /**
   * Uploads an invoice for an order whose payment is confirmed. The invoice is a file, an https URL or both. A
   * `referenceId` can have 3 invoices at most.
   *
   * @example
   * ```ts
   * import { InstallmentClient } from 'installment-payments';
   *
   * export async function sendInvoice(client: InstallmentClient): Promise<string | undefined> {
   *   const invoice = await client.uploadInvoice({
   *     referenceId: 'ORDER:2026-0001',
   *     invoiceNumber: 'INV-1',
   *     file: { path: './invoice.pdf' },
   *   });
   *   return invoice.invoiceId;
   * }
   * ```
   * @param request - The invoice. Its file is read once, before anything is sent.
   * @param options - Limits, signal and progress of this call.
   * @throws ValidationError before anything is sent, or another InstallmentError whose `outcome` says whether the
   * service may have acted.
   * @see specification, Endpoints 2: Upload invoice
   */
  uploadInvoice(request: InvoiceUpload, options: UploadInvoiceOptions = {}): Promise<InvoiceResult> {
    return runCall('uploadInvoice', this.#merchant.shared, options, () =>
      prepareInvoice(request, options, this.#merchant),
    );
  }

  /**
   * Sends a signed request of an operation that this package does not support yet. The specification mentions a status
   * query, but not its endpoint, and does not describe cancel and refund. If your provider's documentation describes
   * such an operation, this method sends its request, with the same signature, headers, limits and outcomes as
   * `initiatePayment`. The call resolves with any 2xx response that contains JSON.
   *
   * @example
   * ```ts
   * import { InstallmentClient } from 'installment-payments';
   *
   * // An example of a status query. No such path is specified.
   * export async function statusOf(client: InstallmentClient, referenceId: string): Promise<unknown> {
   *   const options = { policy: 'idempotent', referenceId } as const;
   *   const response = await client.post('/v2/payments/status', { referenceId }, options);
   *   return response.body;
   * }
   * ```
   * @param path - The path below the base URL, exactly as it is sent. Messages and logs do not show its query.
   * @param body - Plain JSON data: an object or an array. The body is serialised once, and signed like an initiate
   * request.
   * @param options - Limits and signal, `policy` (default `'once'`), `idempotencyKey`, `referenceId`.
   * @throws ValidationError before anything is sent; UnexpectedResponseError for any response except a 2xx with JSON;
   * another InstallmentError whose `outcome` says whether the service may have acted.
   */
  post(path: string, body: unknown, options: PostOptions = {}): Promise<PostResult> {
    return runCall('post', this.#merchant.shared, options, () =>
      preparePost(path, body, options, this.#merchant),
    );
  }

  /**
   * Creates a client with some options changed, for the same service. The new client shares the connections of this
   * client. Options that are left out or undefined stay the same. An option that is an object, such as `headers`, is
   * replaced as a whole, not merged. The options of the service and its connections cannot be changed: `baseUrl`,
   * `wire`, `allowInsecureHttp`, `agent` and `fetch`. All other options can be changed, including `clientId` and
   * `secretKey`.
   *
   * @example
   * ```ts
   * import { InstallmentClient } from 'installment-payments';
   *
   * // A customer should not wait for 45 seconds.
   * export function forCheckout(client: InstallmentClient): InstallmentClient {
   *   return client.withOptions({ totalTimeoutMs: 10_000, maxRetries: 1 });
   * }
   * ```
   * @param changes - The changed options. They are checked, but the environment is not read again.
   * @throws ConfigurationError that names the unknown, malformed or fixed option.
   */
  withOptions(changes: ChangeableOptions): InstallmentClient {
    return new InstallmentClient(changes, this);
  }
}

/**
 * The calls of an {@link InstallmentClient}. Code that accepts this interface, or a `Pick` of it, also accepts a fake.
 * For most tests, the mock of `installment-payments/mock` is the better fake, because it checks the requests.
 *
 * @example
 * ```ts
 * import type { InstallmentApi, PaymentRequest } from 'installment-payments';
 *
 * export class Checkout {
 *   constructor(private readonly payments: Pick<InstallmentApi, 'initiatePayment'>) {}
 *
 *   async start(order: PaymentRequest): Promise<string> {
 *     const { paymentUrl } = await this.payments.initiatePayment(order);
 *     return paymentUrl;
 *   }
 * }
 *
 * export const checkout = new Checkout({
 *   initiatePayment: async ({ referenceId }) => ({
 *     resultStatus: 'APPROVED',
 *     paymentUrl: 'https://pay.example/p/1',
 *     $metadata: { operation: 'initiatePayment', referenceId, httpStatus: 200, attempts: [] },
 *   }),
 * });
 * ```
 */
export type InstallmentApi = Pick<InstallmentClient, 'initiatePayment' | 'uploadInvoice' | 'post'>;
