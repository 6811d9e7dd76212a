// The names that a merchant's code imports from each entry. Every supported compiler compiles this file.
import {
  InstallmentClient,
  InstallmentError,
  ResultError,
  invoiceUploadSchema,
  isInstallmentError,
  paymentRequestSchema,
  resultStatuses,
  signPayment,
  type InvoiceUpload,
  type PaymentRequest,
} from 'installment-payments';
import { LenderClient, repaymentAllocationNotificationSchema } from 'installment-payments/lender';
import { createMockService, DEMO_MERCHANT } from 'installment-payments/mock';
import { createOrderPayments, type OrderPayments, type OrderView } from 'installment-payments/orders';
import * as z from 'zod';

export const mock = createMockService();

const { clientId, secretKey } = DEMO_MERCHANT;
const client = new InstallmentClient({
  baseUrl: 'https://mock.example',
  clientId,
  secretKey,
  fetch: mock.fetch,
});

export async function pay(order: PaymentRequest, upload: InvoiceUpload): Promise<string> {
  try {
    const payment = await client.initiatePayment(order, { maxRetries: 1 });
    const { invoiceId } = await client.uploadInvoice(upload);
    return `${payment.paymentUrl} ${payment.$metadata.attempts.length} ${invoiceId ?? ''}`;
  } catch (error) {
    if (error instanceof ResultError) return error.action;
    if (!isInstallmentError(error)) throw error;
    switch (error.code) {
      case 'VALIDATION':
        return error.issues.map((issue) => issue.message).join();
      case 'DUPLICATE_REFERENCE_ID':
        return error.probablyAccepted ? 'paid' : 'taken';
      default:
        return error.outcome;
    }
  }
}

export async function report(lender: LenderClient): Promise<number> {
  const { httpStatus } = await lender.notifyPaymentReceipt({
    contractNumber: 'CONTRACT-1',
    lenderTransactionCode: 'LTC-1',
    receivedAmount: 1_500_000,
    receivedDatetime: new Date(),
    receivedStatus: 'SUCCESS',
  });
  return httpStatus;
}

// The schemas come from the merchant's own zod.
export const checkout = z.object({ cartId: z.string(), payment: paymentRequestSchema });
export type Checkout = z.infer<typeof checkout>;
export const total: (input: Checkout) => number | undefined = ({ payment }) => payment.items[0]?.totalAmount;
export const uploads = z.array(invoiceUploadSchema);
export const allocation = z.optional(repaymentAllocationNotificationSchema);

export const meaning: string = resultStatuses.initiatePayment.APPROVED.meaning;
export const signature: string = signPayment('{}', secretKey);
export const isOurs = (error: unknown): boolean => error instanceof InstallmentError;

export const payments: OrderPayments = createOrderPayments({
  onPaid: 'firstPaid',
  client,
  dialect: 'postgres',
  query: (_sql, _values) => Promise.resolve([]),
});
export const stateOf = async (orderId: string): Promise<OrderView['state']> =>
  (await payments.get(orderId)).state;
