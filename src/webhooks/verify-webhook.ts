import { timingSafeEqual, type KeyObject } from 'node:crypto';
import { checkOptions } from '../errors/check-options.js';
import { decodeUtf8, withoutMark } from '../values/encodings.js';
import { knownHeaders } from '../protocol/headers.js';
import { hmacSha256, type SignatureEncoding } from '../protocol/signature.js';
import { jsonIn } from '../values/untrusted-values.js';
import { notRaw, rawBytes } from './raw-body.js';
import { WebhookError } from './webhook-error.js';
import { verifyOptions, type VerifyWebhookOptions } from './webhook-options.js';

/** A webhook as it was received. */
export interface ReceivedWebhook {
  /** The body exactly as it was received: bytes, or the text that they are as UTF-8. Not a parsed object. */
  readonly body: string | Uint8Array | ArrayBuffer;
  /** The value of the `Signature` header, as `request.headers.signature` or `headers.get('signature')` gives it. */
  readonly signature: string | readonly string[] | null | undefined;
}

const forms: Readonly<Record<SignatureEncoding, { readonly shape: RegExp; readonly text: string }>> = {
  hex: { shape: /^[0-9a-f]{64}$/i, text: '64 hexadecimal characters' },
  base64: { shape: /^[A-Za-z0-9+/]{43}=$/, text: '44 characters of base64' },
};

const mismatch = (problem: string) => new WebhookError('SIGNATURE_MISMATCH', problem);

/** The one signature of a request. */
export function signatureOf(received: ReceivedWebhook['signature'], header: string): string {
  const text = [received ?? []].flat().join(', ');
  if (text === '') throw new WebhookError('SIGNATURE_MISSING', `the request has no header ${header}`);
  // A header that was sent twice arrives as a list, or as one value joined by commas.
  if (text.includes(',')) throw mismatch(`the request has more than one header ${header}`);
  return text;
}

/** Throws unless one of the keys gives the signature. */
export function checkSignature(
  bytes: Uint8Array,
  signature: string,
  keys: readonly KeyObject[],
  encoding: SignatureEncoding,
): void {
  const { shape, text } = forms[encoding];
  if (!shape.test(signature))
    throw mismatch(`the signature is not ${text} (signatureEncoding: '${encoding}')`);
  const given = Buffer.from(encoding === 'hex' ? signature.toLowerCase() : signature);
  // Every key is tried, so that the time does not tell which one matched.
  const matches = keys.filter((key) => timingSafeEqual(Buffer.from(hmacSha256(bytes, key, encoding)), given));
  if (keys.length === 0) throw mismatch('there is no secret key for this request');
  if (matches.length === 0) {
    throw mismatch(
      'the signature does not match: the secret key is another one, or the body is not, byte for byte, what was signed',
    );
  }
}

/** Reads verified bytes as JSON. A byte order mark is accepted, invalid UTF-8 is not. */
export function parseEvent(bytes: Uint8Array): unknown {
  const text = decodeUtf8(bytes);
  // The parser's own message quotes the body.
  const json = text === undefined ? undefined : jsonIn(withoutMark(text));
  if (json !== undefined) return json;
  throw new WebhookError('BODY_NOT_JSON', 'the signature is valid, but the body is not JSON in UTF-8');
}

/**
 * Verifies a call that the service made to the merchant, and parses its body.
 *
 * The specification refers to a payment notification and shows neither its shape nor its signature. This function
 * makes one assumption: the call is signed as a merchant's own JSON is, with HMAC-SHA256 over the exact body, in
 * hex, in the header `Signature`. It assumes nothing about the event: validate it against your own
 * documents. {@link createWebhookHandler} does all of this for a request.
 *
 * @example
 * ```ts
 * import { verifyWebhook } from 'installment-payments/webhooks';
 *
 * const body = '{"orderId":"ORDER-1"}';
 * const signature = '9558c473ed11d1236448ccde0715bb1eceb6fd4af294d784d5f61405a1ae015d';
 * const event: unknown = verifyWebhook({ body, signature }, { secretKey: 'demo-secret' });
 * console.log(event); // { orderId: 'ORDER-1' }
 * ```
 * @param received - The body as received, and the signature header.
 * @param options - The secret key, or several while keys are rotated.
 * @returns The parsed JSON. Its type is unknown: the specification does not show it.
 * @throws WebhookError with the code `SIGNATURE_MISSING`, `SIGNATURE_MISMATCH`, `BODY_NOT_RAW` or `BODY_NOT_JSON`.
 * @throws ConfigurationError for an invalid option.
 * @see specification, Events: a payment notification is referred to, but its shape is not shown
 */
export function verifyWebhook(received: ReceivedWebhook, options: VerifyWebhookOptions): unknown {
  const { secretKey, signatureEncoding } = checkOptions(verifyOptions, options);
  const signature = signatureOf(received.signature, knownHeaders.signature.name);
  const bytes = rawBytes(received.body);
  if (!bytes) throw notRaw();
  checkSignature(bytes, signature, secretKey, signatureEncoding);
  return parseEvent(bytes);
}
