import * as z from 'zod/mini';
import { checkOptions } from '../errors/check-options.js';
import { ConfigurationError } from '../errors/errors.js';
import type { Signature } from '../http/call.js';
import type { SecretKeyFunction } from '../options/client-options.js';
import { UnusableResultError } from '../http/failures.js';
import { invoiceCanonicalString, type SignedInvoiceFields } from '../protocol/canonical-string.js';
import { hmacSha256, uploadEncoding, type SignatureEncoding } from '../protocol/signature.js';
import { isRecord } from '../values/untrusted-values.js';
import {
  checkSecretKey,
  secretKeyObject,
  secretKeyProblem,
  type SecretKeyEncoding,
} from '../validation/secret-key.js';
import { wireSwitchesSchema, type WireSwitches } from '../protocol/wire-switches.js';

/**
 * Signs a text or bytes with the secret key of a client. If the key is a function, the result is a function too.
 * `util.inspect` does not show the key.
 */
export type Sign = (payload: string | Uint8Array, encoding: SignatureEncoding) => Signature;

export function signerWith(secretKey: string | SecretKeyFunction, keyEncoding: SecretKeyEncoding): Sign {
  if (typeof secretKey === 'string') {
    const key = secretKeyObject(secretKey, keyEncoding);
    return (payload, encoding) => hmacSha256(payload, key, encoding);
  }
  return (payload, encoding) => async () => {
    const key = checkSecretKey(await secretKey(), keyEncoding);
    if (!key.ok) throw new UnusableResultError('secretKey', key.problem);
    return hmacSha256(payload, key.value, encoding);
  };
}

const wireRules = z.object({ wire: wireSwitchesSchema });

/** Checks the switches of a signature, and the key, which must match `secretKeyEncoding`. */
function checkSigning(secretKey: string, wire: WireSwitches | undefined) {
  const { wire: switches } = checkOptions(wireRules, { wire });
  if (typeof (secretKey as unknown) !== 'string')
    throw new ConfigurationError('secretKey', 'must be a string');
  const problem = secretKeyProblem(secretKey, switches.secretKeyEncoding);
  if (problem !== undefined) throw new ConfigurationError('secretKey', problem);
  return { ...switches, key: secretKeyObject(secretKey, switches.secretKeyEncoding) };
}

/**
 * Signs the body of an initiate request: HMAC-SHA256 over the exact bytes that are sent, in lower-case hex. The
 * specification does not show the encoding, so hex is an assumption. The client signs each request itself: use this
 * function to check a signature manually.
 *
 * @example
 * ```ts
 * import { signPayment } from 'installment-payments';
 *
 * signPayment('{"description":"Trả góp điện thoại"}', 'khoá-bí-mật');
 * // '72c140b033226de71794d06138ae53d12aa4a616cc06a761d6711c96bfbb5b59'
 * ```
 * @param body - The body as it is sent; text is encoded as UTF-8. Different white space or key order gives a different
 * signature.
 * @param secretKey - The merchant's secret key.
 * @param wire - The switches of the client: `signatureEncoding` and `secretKeyEncoding` are used.
 * @throws ConfigurationError for a key that does not match `secretKeyEncoding`, or for a key or body of the wrong type.
 * @see specification, Authentication: Merchant initiate request headers
 */
export function signPayment(body: string | Uint8Array, secretKey: string, wire?: WireSwitches): string {
  const { key, signatureEncoding } = checkSigning(secretKey, wire);
  if (typeof body !== 'string' && !ArrayBuffer.isView(body))
    throw new ConfigurationError(
      'body',
      'must be the text or the bytes that are sent: a string or a Uint8Array',
    );
  return hmacSha256(body, key, signatureEncoding);
}

/**
 * Signs an invoice upload: HMAC-SHA256 over {@link invoiceCanonicalString} of its text fields, in hex. Lower case is an
 * assumption.
 *
 * @example
 * ```ts
 * import { signInvoice } from 'installment-payments';
 *
 * signInvoice({ merchantId: 'DEMO-MERCHANT', referenceId: 'ORDER:2026-0002' }, 'demo-secret');
 * // '1caef978c2acc95a3b173bbc7376a13675a24e04d174d18b60b7755132088277'
 * ```
 * @param fields - The text fields as they are sent.
 * @param secretKey - The merchant's secret key.
 * @param wire - The switches of the client: `absentFields` and `secretKeyEncoding` are used, and `signatureEncoding` if
 * it is `'hex-upper'`.
 * @throws ConfigurationError for a key that does not match `secretKeyEncoding`.
 * @see specification, Authentication: Upload invoice
 */
export function signInvoice(fields: SignedInvoiceFields, secretKey: string, wire?: WireSwitches): string {
  const { key, signatureEncoding, absentFields } = checkSigning(secretKey, wire);
  if (!isRecord(fields)) throw new ConfigurationError('fields', 'must be an object with the text fields');
  return hmacSha256(invoiceCanonicalString(fields, { absentFields }), key, uploadEncoding(signatureEncoding));
}
