import type { InitiatePaymentOptions, PostOptions, UploadInvoiceOptions } from './options/call-options.js';
import type { PaymentResult } from './operations/initiate-payment.js';
import type { PostResult } from './operations/post.js';
import type { InvoiceResult } from './operations/upload-invoice.js';
import type { InvoiceUpload } from './protocol/invoice-types.js';
import type { PaymentRequest } from './protocol/payment-types.js';

/**
 * The calls of a merchant. {@link InstallmentClient} implements them. Code that takes this interface, or a `Pick` of it,
 * takes a fake too. For most tests the mock of `installment-payments/mock` is the better fake: it checks what it is sent.
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
export interface InstallmentApi {
  /** Creates an installment payment for an order. See {@link InstallmentClient.initiatePayment}. */
  initiatePayment(request: PaymentRequest, options?: InitiatePaymentOptions): Promise<PaymentResult>;
  /** Uploads an invoice of a paid order. See {@link InstallmentClient.uploadInvoice}. */
  uploadInvoice(request: InvoiceUpload, options?: UploadInvoiceOptions): Promise<InvoiceResult>;
  /** Sends a signed request of an operation that this package does not know. See {@link InstallmentClient.post}. */
  post(path: string, body: unknown, options?: PostOptions): Promise<PostResult>;
}
