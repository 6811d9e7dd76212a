import {
  InstallmentClient,
  type InstallmentClientOptions,
  type InvoiceUpload,
  type PaymentRequest,
} from '../../src/entries/index.js';
import { sampleInvoice, samplePaymentRequest } from '../../src/protocol/samples.js';
import { instantRuntime, type ManualRuntime } from './runtime.js';

export const credentials = {
  baseUrl: 'https://pay.example',
  clientId: 'demo-client',
  secretKey: 'demo-secret',
} as const;

export const demo = {
  ...credentials,
  merchantId: 'DEMO-MERCHANT',
  storeId: 'STORE-01',
  platformId: 'WEBSHOP',
} as const;

/** The smallest request that a client with all defaults accepts. It is a new object each time. */
export function paymentRequest(changes: Partial<PaymentRequest> = {}): PaymentRequest {
  return { ...samplePaymentRequest(), ...changes };
}

/** The bytes of a tiny file of each accepted type. */
export const files = {
  pdf: Buffer.from('%PDF-1.4\n%âãÏÓ\nsmall\n%%EOF\n', 'latin1'),
  png: Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x0d, 0x0a]),
  jpg: Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0x0d, 0x0a, 0x2d, 0x2d]),
  xml: Buffer.from('<?xml version="1.0"?>\n<invoice/>'),
} as const;

export function invoiceUpload(changes: Partial<InvoiceUpload> = {}): InvoiceUpload {
  return sampleInvoice({ file: files.pdf, ...changes });
}

/** The service's approval of the sample payment. */
export function approvedPayment(changes: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    merchantId: 'DEMO-MERCHANT',
    referenceId: 'ORDER:2026-0001',
    responseTime: '2026-11-20 10:04:06',
    resultStatus: 'APPROVED',
    resultMsg: 'OK',
    paymentUrl: 'https://pay.example/p/1',
    ...changes,
  };
}

export function approvedInvoice(changes: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    referenceId: 'ORDER:2026-0001',
    invoiceId: 'INVOICE-1',
    resultStatus: 'APPROVED',
    resultMsg: 'OK',
    ...changes,
  };
}

/** A client with every default, and a clock on which waiting needs no real time. */
export function demoClient(
  options: Partial<InstallmentClientOptions> = {},
  runtime: ManualRuntime = instantRuntime(),
): InstallmentClient {
  return new InstallmentClient({ ...demo, ...options }, runtime);
}

/** The error with which a promise rejects. Fails the test if it does not reject. */
export async function rejection(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('expected a rejection');
}

/** The error that a function throws. Fails the test if it throws nothing. */
export function thrownBy(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error('expected an exception');
}
