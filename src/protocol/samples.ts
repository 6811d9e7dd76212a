import type { InvoiceUpload } from './invoice-types.js';
import type { PaymentRequest } from './payment-types.js';
import { isRecord } from '../values/untrusted-values.js';

/** Overrides of the fields of a sample, at any depth. */
export type SampleOverrides<T> = T extends readonly (infer Element)[]
  ? readonly SampleOverrides<Element>[]
  : T extends object
    ? { readonly [Key in keyof T]?: SampleOverrides<T[Key]> | undefined }
    : T;

const payment: PaymentRequest = {
  referenceId: 'ORDER:2026-0001',
  paymentMethod: 'WEB',
  description: 'Tủ lạnh hai cánh',
  successRedirectUrl: 'https://shop.example/paid',
  unSuccessRedirectUrl: 'https://shop.example/not-paid',
  amount: { value: 12_000_000 },
  items: [
    { productId: 'SKU-1', productName: 'Tủ lạnh', category: 'appliance', quantity: 1, price: 12_000_000 },
  ],
  customer: { phoneNumber: '0912345678', email: 'an@example.com', firstName: 'An', lastName: 'Nguyễn' },
  shipping: { city: 'Hà Nội', district: 'Ba Đình', ward: 'Kim Mã', street: 'Kim Mã', houseNumber: '12' },
};

const pdf = '%PDF-1.4\n1 0 obj\n<< /Type /Catalog >>\nendobj\ntrailer\n<< /Root 1 0 R >>\n%%EOF\n';

/** Replaces fields at any depth. An overridden item keeps the other fields of the first sample item. */
function overridden(sample: unknown, override: unknown): unknown {
  if (Array.isArray(sample) && Array.isArray(override)) {
    return override.map((element: unknown) => overridden(sample[0], element));
  }
  if (!isRecord(sample) || !isRecord(override)) return override;
  const replaced = Object.entries(override).map(([key, value]) => [key, overridden(sample[key], value)]);
  return { ...structuredClone(sample), ...Object.fromEntries(replaced) };
}

/**
 * Returns a valid payment request for tests: an order of 12,000,000 VND with one item. The client adds merchant, store
 * and platform.
 *
 * @example
 * ```ts
 * import { samplePaymentRequest } from 'installment-payments/mock';
 *
 * const order = samplePaymentRequest({
 *   referenceId: 'ORDER-1',
 *   amount: { value: 24_000_000 },
 *   items: [{ quantity: 2 }], // 2 x 12,000,000 VND
 * });
 * ```
 * @param overrides - The fields that differ from the sample, at any depth.
 * @returns a new object each time
 */
export function samplePaymentRequest(overrides: SampleOverrides<PaymentRequest> = {}): PaymentRequest {
  return overridden(payment, overrides) as PaymentRequest;
}

/**
 * Returns a valid invoice upload for tests: a small PDF for the payment of {@link samplePaymentRequest}.
 *
 * @example
 * ```ts
 * import { sampleInvoice } from 'installment-payments/mock';
 *
 * const invoice = sampleInvoice({ referenceId: 'ORDER-1', invoiceNumber: 'INV-1' });
 * ```
 * @param overrides - The fields that differ from the sample.
 * @returns a new object each time
 */
export function sampleInvoice(overrides: Partial<InvoiceUpload> = {}): InvoiceUpload {
  const file = { data: Buffer.from(pdf), filename: 'invoice.pdf' };
  return { referenceId: payment.referenceId, file, ...overrides };
}
