import { fetch as undiciFetch } from 'undici';
import { describe, expectTypeOf, test } from 'vitest';
import type {
  Fetch,
  InitiatePaymentOptions,
  InstallmentClient,
  InstallmentClientOptions,
  InvoiceFileInput,
  InvoiceUpload,
  invoiceUploadSchema,
  PaymentItem,
  PaymentRequest,
  paymentRequestSchema,
  UploadInvoiceOptions,
} from '../../src/entries/index.js';
import type {
  LenderClientOptions,
  PaymentReceiptNotification,
  paymentReceiptNotificationSchema,
  RepaymentAllocationNotification,
  RepaymentTransaction,
} from '../../src/entries/lender.js';
import type { CheckedInvoiceUpload } from '../../src/protocol/invoice-types.js';
import type { CheckedPaymentRequest, PaymentRequestWire } from '../../src/protocol/payment-types.js';
import type { CheckedPaymentReceipt, PaymentReceiptWire } from '../../src/protocol/lender-types.js';
import type * as z from 'zod';

/** The keys that an input has to have. */
type RequiredKeys<T> = { [K in keyof T]-?: object extends Pick<T, K> ? never : K }[keyof T];

/** The keys that may be left out and do not take an explicit undefined. */
type WithoutUndefined<T> = {
  [K in keyof T]-?: object extends Pick<T, K> ? (undefined extends T[K] ? never : K) : never;
}[keyof T];

describe('a payment request', () => {
  test('needs no constant and nothing that the client has a default for', () => {
    expectTypeOf<RequiredKeys<PaymentRequest>>().toEqualTypeOf<
      | 'referenceId'
      | 'paymentMethod'
      | 'description'
      | 'successRedirectUrl'
      | 'unSuccessRedirectUrl'
      | 'amount'
      | 'items'
      | 'customer'
      | 'shipping'
    >();
    expectTypeOf<RequiredKeys<PaymentRequest['amount']>>().toEqualTypeOf<'value'>();
    expectTypeOf<RequiredKeys<PaymentItem>>().toEqualTypeOf<
      'productId' | 'productName' | 'category' | 'quantity' | 'price'
    >();
  });

  test('takes an explicit undefined wherever a field may be left out', () => {
    expectTypeOf<WithoutUndefined<PaymentRequest>>().toBeNever();
    expectTypeOf<WithoutUndefined<PaymentItem>>().toBeNever();
    expectTypeOf<WithoutUndefined<PaymentRequest['customer']>>().toBeNever();
    expectTypeOf<WithoutUndefined<PaymentRequest['shipping']>>().toBeNever();
    expectTypeOf<WithoutUndefined<InitiatePaymentOptions>>().toBeNever();
    expectTypeOf<WithoutUndefined<InstallmentClientOptions>>().toBeNever();
  });

  test('takes no other constant and no field that is not documented', () => {
    expectTypeOf<PaymentRequest['requestType']>().toEqualTypeOf<'installment' | undefined>();
    expectTypeOf<{ value: 1; currency: 'USD' }>().not.toExtend<PaymentRequest['amount']>();
    expectTypeOf<'coupon'>().not.toExtend<keyof PaymentRequest>();
  });

  test('takes items that cannot be changed', () => {
    expectTypeOf<readonly PaymentItem[]>().toExtend<PaymentRequest['items']>();
  });

  test('is what the schema takes and gives', () => {
    expectTypeOf<z.input<typeof paymentRequestSchema>>().toEqualTypeOf<PaymentRequest>();
    expectTypeOf<z.output<typeof paymentRequestSchema>>().toEqualTypeOf<CheckedPaymentRequest>();
    expectTypeOf<CheckedPaymentRequest>().toExtend<PaymentRequest>();
    expectTypeOf<PaymentRequestWire>().toExtend<CheckedPaymentRequest>();
    expectTypeOf<RequiredKeys<PaymentRequestWire>>().toEqualTypeOf<
      RequiredKeys<PaymentRequest> | 'merchantId' | 'storeId' | 'platformId' | 'requestType'
    >();
    expectTypeOf<PaymentRequestWire['items'][number]['totalAmount']>().toEqualTypeOf<number>();
  });
});

describe('an upload', () => {
  test('needs the reference alone', () => {
    expectTypeOf<RequiredKeys<InvoiceUpload>>().toEqualTypeOf<'referenceId'>();
    expectTypeOf<WithoutUndefined<InvoiceUpload>>().toBeNever();
    expectTypeOf<WithoutUndefined<UploadInvoiceOptions>>().toBeNever();
  });

  test('takes every source of bytes, and no bare text', () => {
    expectTypeOf<
      Blob | File | Buffer | Uint8Array | ArrayBuffer | NodeJS.ReadableStream | ReadableStream<Uint8Array>
    >().toExtend<InvoiceFileInput | AsyncIterable<unknown>>();
    expectTypeOf<{ path: string }>().toExtend<InvoiceFileInput>();
    expectTypeOf<{ data: Uint8Array; filename: string }>().toExtend<InvoiceFileInput>();
    expectTypeOf<string>().not.toExtend<InvoiceFileInput>();
  });

  test('gives text where it takes a date or an object', () => {
    expectTypeOf<z.input<typeof invoiceUploadSchema>>().toEqualTypeOf<InvoiceUpload>();
    expectTypeOf<z.output<typeof invoiceUploadSchema>>().toEqualTypeOf<CheckedInvoiceUpload>();
    expectTypeOf<CheckedInvoiceUpload['invoiceDate']>().toEqualTypeOf<string | undefined>();
    expectTypeOf<CheckedInvoiceUpload['extraData']>().toEqualTypeOf<string | undefined>();
  });
});

describe('a notification', () => {
  test('needs no common field', () => {
    expectTypeOf<RequiredKeys<PaymentReceiptNotification>>().toEqualTypeOf<
      'contractNumber' | 'lenderTransactionCode' | 'receivedAmount' | 'receivedDatetime' | 'receivedStatus'
    >();
    expectTypeOf<RequiredKeys<RepaymentAllocationNotification>>().toEqualTypeOf<
      'contractNumber' | 'repaymentTransactions'
    >();
    expectTypeOf<RequiredKeys<RepaymentTransaction>>().toEqualTypeOf<
      'lenderTransactionCode' | 'allocationDatetime' | 'installmentNumber'
    >();
    expectTypeOf<WithoutUndefined<PaymentReceiptNotification>>().toBeNever();
    expectTypeOf<WithoutUndefined<LenderClientOptions>>().toBeNever();
  });

  test('is what the schema takes and gives', () => {
    expectTypeOf<
      z.input<typeof paymentReceiptNotificationSchema>
    >().toEqualTypeOf<PaymentReceiptNotification>();
    expectTypeOf<z.output<typeof paymentReceiptNotificationSchema>>().toEqualTypeOf<CheckedPaymentReceipt>();
    expectTypeOf<CheckedPaymentReceipt>().toExtend<PaymentReceiptNotification>();
    expectTypeOf<PaymentReceiptWire>().toExtend<CheckedPaymentReceipt>();
  });
});

test('an idempotency key belongs to a payment, progress to an upload', () => {
  expectTypeOf<Parameters<InstallmentClient['initiatePayment']>>().toEqualTypeOf<
    [request: PaymentRequest, options?: InitiatePaymentOptions | undefined]
  >();
  expectTypeOf<'idempotencyKey'>().not.toExtend<keyof UploadInvoiceOptions>();
  expectTypeOf<'onUploadProgress'>().not.toExtend<keyof InitiatePaymentOptions>();
});

describe('the option fetch', () => {
  test('takes the fetch of the platform, of undici and of a wrapper, whatever their types are called', () => {
    expectTypeOf(fetch).toExtend<Fetch>();
    expectTypeOf(undiciFetch).toExtend<Fetch>();
    const wrapper: Fetch = async (input, init) => fetch(new Request(input, init));
    expectTypeOf<(input: string | URL, init?: RequestInit) => Promise<Response>>().toExtend<Fetch>();
    expectTypeOf(wrapper).toExtend<NonNullable<InstallmentClientOptions['fetch']>>();
  });
});
