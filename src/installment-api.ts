import type { InstallmentClient } from './client.js';

/**
 * The calls of an {@link InstallmentClient}. Code that takes this interface, or a `Pick` of it, takes a fake too. For most tests the mock of `installment-payments/mock` is the better fake: it checks what it is sent.
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
