import FormData from 'form-data';
import { DEMO_MERCHANT } from '../../src/entries/mock.js';
import { samplePaymentRequest } from '../../src/protocol/samples.js';
import { paymentRequestSchema } from '../../src/protocol/payment-schema.js';
import type { CheckedPaymentRequest } from '../../src/protocol/payment-types.js';
import * as samples from './lender-samples.js';
import { canonicalString, hmac } from './wire-reader.js';

/** A request as plain data, for any kind of fetch. */
export interface PlainRequest {
  readonly path: string;
  readonly init: {
    readonly method: string;
    readonly headers: Record<string, string>;
    readonly body: string | Uint8Array<ArrayBuffer>;
  };
}

/** The clock of tests with signed requests. */
export const instant = new Date('2026-11-20T03:04:05Z');
export const now = () => instant;

const wireOrder: CheckedPaymentRequest = paymentRequestSchema.parse({
  ...samplePaymentRequest(),
  merchantId: DEMO_MERCHANT.merchantId,
  storeId: DEMO_MERCHANT.storeIds[0],
  platformId: 'WEBSHOP',
});

/** The sample order in its form on the wire. */
export function order(changes: object = {}): Record<string, unknown> {
  return { ...structuredClone(wireOrder), ...changes };
}

/** The headers of the merchant's requests, except the signature. */
const merchantHeaders = {
  'Client-Id': DEMO_MERCHANT.clientId,
  'Request-Time': '2026-11-20 10:04:05',
};

/** A signed initiate request. */
export function initiate(
  body: object | string | Uint8Array<ArrayBuffer> = order(),
  { key, headers = {} }: { key?: string; headers?: Record<string, string> } = {},
): PlainRequest {
  const bytes = typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body);
  return {
    path: '/v2/payments',
    init: {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        ...merchantHeaders,
        Signature: hmac(bytes, DEMO_MERCHANT.secretKey),
        ...(key !== undefined && { 'Idempotency-Key': key }),
        ...headers,
      },
      body: bytes,
    },
  };
}

/** A signed initiate request for the sample order with some changes. */
export function ordered(changes: object): PlainRequest {
  return initiate(order(changes));
}

/** The request with these headers, signed or not. */
export function withHeaders(request: PlainRequest, headers: Record<string, string>): PlainRequest {
  return { ...request, init: { ...request.init, headers: { ...request.init.headers, ...headers } } };
}

/** The request without a header. */
export function without(request: PlainRequest, name: string): PlainRequest {
  const { [name]: _dropped, ...headers } = request.init.headers;
  return { ...request, init: { ...request.init, headers } };
}

/** A small file with the content of a PDF. */
export const pdf = Buffer.from(
  '%PDF-1.4\n%âãÏÓ\n1 0 obj\n<< /Type /Catalog >>\nendobj\ntrailer\n<< /Root 1 0 R >>\n%%EOF\n',
);

export interface UploadParts {
  readonly fields?: Record<string, string>;
  readonly file?: { data: Buffer; filename?: string; contentType?: string; field?: string } | null;
  readonly signature?: string;
  readonly headers?: Record<string, string>;
}

/** A signed upload, laid out by form-data as the client lays it out. */
export function upload({ fields = {}, file, signature, headers = {} }: UploadParts = {}): PlainRequest {
  const sent = { merchantId: DEMO_MERCHANT.merchantId, referenceId: 'ORDER:2026-0001', ...fields };
  const form = new FormData();
  for (const [name, value] of Object.entries(sent)) form.append(name, value);
  if (file !== null) {
    const { data, field = 'file', ...options } = file ?? { data: pdf };
    form.append(field, data, { filename: 'invoice.pdf', contentType: 'application/pdf', ...options });
  }
  return {
    path: '/v2/payments/upload-invoice',
    init: {
      method: 'POST',
      headers: {
        ...(form.getHeaders() as Record<string, string>),
        ...merchantHeaders,
        Signature: signature ?? hmac(canonicalString(sent), DEMO_MERCHANT.secretKey),
        ...headers,
      },
      body: Uint8Array.from(form.getBuffer()),
    },
  };
}

function notification(path: string, body: object): PlainRequest {
  const init = {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  };
  return { path, init };
}

/** A lender's notification of a receipt. */
export function receipt(changes: object = {}): PlainRequest {
  const facts = { requestId: 'REQ-1', receivedDatetime: '2026-11-20T09:00:00+0700', ...changes };
  return notification('/lender/open/notify/payment-receipt', samples.receipt(facts));
}

/** One element of an allocation. */
export function transaction(changes: object = {}): object {
  return samples.transaction({ allocatedTotal: 1_500_000, ...changes });
}

/** A lender's notification of an allocation. */
export function allocation(changes: object = {}): PlainRequest {
  const facts = { requestId: 'REQ-A1', repaymentTransactions: [transaction()], ...changes };
  return notification('/lender/open/notify/repayment-allocation', samples.allocation(facts));
}
