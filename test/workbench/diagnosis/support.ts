import { createHmac } from 'node:crypto';
import { uploadEncoding } from '../../../src/protocol/signature.js';
import { paymentCandidates } from '../../../src/workbench/diagnosis/candidates/payment-candidates.js';
import { uploadCandidates } from '../../../src/workbench/diagnosis/candidates/upload-candidates.js';
import { diagnoseForm, diagnoseJson } from '../../../src/workbench/diagnosis/diagnose.js';
import { readSignature } from '../../../src/workbench/diagnosis/notations.js';
import { Search } from '../../../src/workbench/diagnosis/search.js';
import { signingsOf } from '../../../src/workbench/diagnosis/signings.js';
import type { Case } from './corpus.js';
import { sentText } from './languages.js';
import type { Diagnosis, RefusedRequest } from '../../../src/mock/observation.js';
import { order } from '../../helpers/signed-requests.js';

export const secretKey = 'demo-secret';

export const merchant = {
  clientId: 'demo-client',
  merchantId: 'DEMO-MERCHANT',
  secretKeys: [secretKey],
} as const;
export const otherMerchant = {
  clientId: 'other-client',
  merchantId: 'OTHER',
  secretKeys: ['other-secret'],
} as const;

/** The body that was sent, in compact JSON without escapes. */
export const sent = sentText;

const line = {
  category: 'appliance',
  currency: 'VND',
  quantity: 1,
  price: 12_000_000,
  totalAmount: 12_000_000,
  description: 'Màn hình 27 inch & bàn phím cơ',
};
const items = Array.from({ length: 200 }, (_, index) => ({
  productId: `SKU-${index}`,
  productName: `Tủ lạnh Hoà Phát ${index}`,
  ...line,
  imageUrl: `https://cdn.example/${index}.png`,
}));
/** An order of 200 lines, about 49 kB. */
export const longOrder = order({ items });

/** The text fields of an upload that was sent. */
export const fields: Readonly<Record<string, string>> = {
  merchantId: 'DEMO-MERCHANT',
  referenceId: 'ORDER:2026-0001',
  storeId: 'STORE-01',
  invoiceNumber: 'INV/2026 1',
  invoiceDate: '2026-11-20T03:04:05Z',
  description: "Tủ lạnh & tivi, 'mới'",
  extraData: '{"a":1,"b":"x=y"}',
};

type Bytes = string | Uint8Array;

export function hmac(text: Bytes, key: Bytes = secretKey, algorithm = 'sha256'): Buffer {
  return createHmac(algorithm, key).update(text).digest();
}

export function hex(text: Bytes, key: Bytes = secretKey): string {
  return hmac(text, key).toString('hex');
}

export function refused(path: string, signature: string): RefusedRequest {
  const request = { method: 'POST', path, requestTime: '2026-11-20 10:04:05', idempotencyKey: 'key-1' };
  return { merchant, others: [otherMerchant], signature, request };
}

/** The diagnosis of a payment that was signed wrongly. */
export function ofPayment(
  signature: string,
  body: string | Buffer = sent,
  changes: Partial<RefusedRequest> = {},
): Diagnosis {
  return diagnoseJson(Buffer.from(body), { ...refused('/v2/payments', signature), ...changes });
}

export function formOf(textFields: Readonly<Record<string, string>>) {
  const files = [{ name: 'invoice.pdf', bytes: Buffer.from('%PDF-1.4') }];
  return { bytes: Buffer.from('--boundary\r\n'), fields: textFields, files };
}

/** The diagnosis of an upload that was signed wrongly. */
export function ofUpload(
  signature: string,
  textFields = fields,
  changes: Partial<RefusedRequest> = {},
): Diagnosis {
  return diagnoseForm(formOf(textFields), {
    ...refused('/v2/payments/upload-invoice', signature),
    ...changes,
  });
}

/** The request of a case, with the same notation of the key for every merchant. */
function refusedOf({ operation, signature, secretKey: key, ...wanted }: Case): RefusedRequest {
  const { secretKeyEncoding, signatureEncoding, absentFields } = wanted;
  const path = operation === 'payment' ? '/v2/payments' : '/v2/payments/upload-invoice';
  const otherKey = Buffer.from(otherMerchant.secretKeys[0]).toString(secretKeyEncoding);
  return {
    ...refused(path, signature),
    merchant: { ...merchant, secretKeys: [key] },
    others: [{ ...otherMerchant, secretKeys: [otherKey] }],
    secretKeyEncoding,
    signatureEncoding,
    absentFields,
  };
}

/** The IDs of the mistakes that explain a case; undefined for a case that is not explained. */
export function idsOf(given: Case): readonly string[] | undefined {
  const { operation, signature, signatureEncoding = 'hex' } = given;
  const request = refusedOf(given);
  const isPayment = operation === 'payment';
  const encoding = isPayment ? signatureEncoding : uploadEncoding(signatureEncoding);
  const candidates = isPayment
    ? paymentCandidates(given.body, request)
    : uploadCandidates(formOf(given.fields), request);
  const readings = readSignature(signature, { operation, encoding });
  return new Search(candidates, signingsOf(request), readings).run()?.mistakes.map(({ id }) => id);
}
