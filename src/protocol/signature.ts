import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { invoiceCanonicalString, type AbsentFields, type SignedInvoiceFields } from './canonical-string.js';

/** How a signature is written: lower-case hex, or base64. */
export type SignatureEncoding = 'hex' | 'base64';

/** HMAC-SHA256 of exact bytes; text is taken as UTF-8. */
export function hmacSha256(
  payload: string | Uint8Array,
  secretKey: string | KeyObject,
  encoding: SignatureEncoding = 'hex',
): string {
  return createHmac('sha256', secretKey).update(payload).digest(encoding);
}

/** A secret as a key object, which inspection does not show. */
export function secretKeyObject(secretKey: string): KeyObject {
  return createSecretKey(secretKey, 'utf8');
}

/**
 * Signs the body of an initiate request: HMAC-SHA256 over the exact bytes that are sent, in lower-case hex. The specification
 * does not show the encoding: hex is a decision of this package.
 * The client signs each request; use this to check a signature by hand.
 *
 * @example
 * ```ts
 * import { signPayment } from 'installment-payments';
 *
 * signPayment('{"description":"Trả góp điện thoại"}', 'khoá-bí-mật');
 * // '72c140b033226de71794d06138ae53d12aa4a616cc06a761d6711c96bfbb5b59'
 * ```
 * @param body - The body as sent; text is taken as UTF-8. Other spacing or key order gives another signature.
 * @param secretKey - The merchant's secret key.
 * @see specification, Authentication: Merchant initiate request headers
 */
export function signPayment(body: string | Uint8Array, secretKey: string): string {
  return hmacSha256(body, secretKey);
}

/**
 * Signs an invoice upload: HMAC-SHA256 over {@link invoiceCanonicalString} of its textual fields, in hex. Lower case is a
 * decision of this package.
 *
 * @example
 * ```ts
 * import { signInvoice } from 'installment-payments';
 *
 * signInvoice({ merchantId: 'DEMO-MERCHANT', referenceId: 'ORDER:2026-0002' }, 'demo-secret');
 * // '1caef978c2acc95a3b173bbc7376a13675a24e04d174d18b60b7755132088277'
 * ```
 * @param fields - The textual fields as sent.
 * @param secretKey - The merchant's secret key.
 * @param options - `absentFields`: how a field that is not sent is shown. Default `'empty'`.
 * @see specification, Authentication: Upload invoice
 */
export function signInvoice(
  fields: SignedInvoiceFields,
  secretKey: string,
  options: { readonly absentFields?: AbsentFields | undefined } = {},
): string {
  return hmacSha256(invoiceCanonicalString(fields, options), secretKey);
}
