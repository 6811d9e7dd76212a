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

/** Options of a client that others may read: {@link InstallmentClient.settings}. */
export type ClientSettings = Readonly<
  Partial<
    Pick<
      InstallmentClientOptions,
      'merchantId' | 'storeId' | 'platformId' | 'repeatUnknown' | 'totalTimeoutMs'
    >
  >
>;

/**
 * A merchant's client of the service. It checks, signs and sends requests, retries those that may be retried, and
 * reports how each call ended. One client serves any number of calls at once.
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
  /** The options that others need to know who send by this client, such as `installment-payments/orders`. No secret. */
  readonly settings: ClientSettings;

  /**
   * @param options - Options that are left out are read from the environment where they have a variable.
   * @throws ConfigurationError that names the option which is missing, malformed or unsafe.
   */
  constructor(options?: InstallmentClientOptions);
  /** @internal Tests turn the clock themselves; a derived client shares what `origin` has. */
  constructor(options: InstallmentClientOptions | undefined, origin: Runtime | InstallmentClient);
  constructor(options: InstallmentClientOptions = {}, origin: Runtime | InstallmentClient = systemRuntime) {
    const isDerived = origin instanceof InstallmentClient;
    this.#merchant = isDerived ? changedContext(origin.#merchant, options) : newContext(options, origin);
    // Bound, so that they also work when detached, or through a Proxy or a copy, which lacks the private fields.
    this.initiatePayment = this.initiatePayment.bind(this);
    this.uploadInvoice = this.uploadInvoice.bind(this);
    this.post = this.post.bind(this);
    this.withOptions = this.withOptions.bind(this);
    const { merchantId, storeId, platformId, repeatUnknown, totalTimeoutMs } = this.#merchant;
    this.settings = Object.freeze({ merchantId, storeId, platformId, repeatUnknown, totalTimeoutMs });
  }

  /**
   * Creates an installment payment for an order; the response has the `paymentUrl` to send the customer to. The redirect
   * back to the shop does not prove that the order is paid: see the guide "Receive webhooks".
   *
   * Each payment of an order has a `referenceId` of its own, stored before the call. If the call fails, `error.nextStep` says
   * what to do, and `error.action` says it in a sentence. After `'repeat'`, send the stored request again with
   * `mayHaveBeenSent: true`: it carries the same idempotency key, and what the service does with a repeated key is not
   * documented. After `'look_up'`, look the payment up at the service. Start no other payment for the order in between.
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
   * @param request - The order; constants and defaults may be left out.
   * @param options - Limits, signal and idempotency key of this call; `mayHaveBeenSent` for a replay.
   * @throws ValidationError before anything is sent, or another InstallmentError whose `outcome` says what is known.
   * @see specification, Endpoints 1: Initiate transaction
   */
  initiatePayment(request: PaymentRequest, options: InitiatePaymentOptions = {}): Promise<PaymentResult> {
    return runCall('initiatePayment', this.#merchant.shared, options, () =>
      preparePayment(request, options, this.#merchant),
    );
  }

  /**
   * Uploads an invoice for an order whose payment is confirmed, as a file, an https URL or both. A `referenceId` takes at
   * most 3.
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
   * @param request - The invoice; the file is read once, before anything is sent.
   * @param options - Limits, signal and progress of this call.
   * @throws ValidationError before anything is sent, or another InstallmentError whose `outcome` says what is known.
   * @see specification, Endpoints 2: Upload invoice
   */
  uploadInvoice(request: InvoiceUpload, options: UploadInvoiceOptions = {}): Promise<InvoiceResult> {
    return runCall('uploadInvoice', this.#merchant.shared, options, () =>
      prepareInvoice(request, options, this.#merchant),
    );
  }

  /**
   * Sends a signed request of an operation that this package does not know. The specification mentions a status query
   * without its endpoint, and names cancel and refund only as not shown. If your provider's documentation describes one,
   * this method sends it with the same signature, headers, limits and outcomes. Any JSON response under 2xx resolves.
   *
   * @example
   * ```ts
   * import { InstallmentClient } from 'installment-payments';
   *
   * // An example of a status query. No such path is specified.
   * export async function statusOf(client: InstallmentClient, referenceId: string): Promise<unknown> {
   *   const response = await client.post('/v2/payments/status', { referenceId }, { policy: 'idempotent', referenceId });
   *   return response.body;
   * }
   * ```
   * @param path - Below the base URL, in the form that is sent. A query is not shown in messages and logs.
   * @param body - Plain JSON data: an object or an array. It is serialised once, and signed as an initiate request is.
   * @param options - Limits and signal, `policy` (default `'once'`), `idempotencyKey`, `referenceId`.
   * @throws ValidationError before anything is sent, UnexpectedResponseError for any response but JSON under 2xx, or
   * another InstallmentError whose `outcome` says what is known.
   */
  post(path: string, body: unknown, options: PostOptions = {}): Promise<PostResult> {
    return runCall('post', this.#merchant.shared, options, () =>
      preparePost(path, body, options, this.#merchant),
    );
  }

  /**
   * Another client with some options changed, for the same service: it shares the connections of this one. Each given
   * option replaces the one of this client as a whole; those left out or undefined stay. What belongs to the service and
   * its connections cannot be changed: `baseUrl`, `wire`, `allowInsecureHttp`, `agent` and `fetch`. Everything else can,
   * `clientId` and `secretKey` included.
   *
   * @example
   * ```ts
   * import { InstallmentClient } from 'installment-payments';
   *
   * // In a web request, nobody waits for 45 seconds.
   * export function forCheckout(client: InstallmentClient): InstallmentClient {
   *   return client.withOptions({ totalTimeoutMs: 10_000, maxRetries: 1 });
   * }
   * ```
   * @param changes - Checked as the constructor checks them; the environment is not read again.
   * @throws ConfigurationError that names the option which is unknown, malformed or cannot be changed.
   */
  withOptions(changes: ChangeableOptions): InstallmentClient {
    return new InstallmentClient(changes, this);
  }
}

/**
 * The calls of an {@link InstallmentClient}. Code that takes this interface, or a `Pick` of it, takes a fake too. For
 * most tests the mock of `installment-payments/mock` is the better fake: it checks what it is sent.
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
