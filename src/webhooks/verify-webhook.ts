import { timingSafeEqual, type KeyObject } from 'node:crypto';
import { checkOptions } from '../errors/check-options.js';
import { signPayment } from '../operations/signer.js';
import { hmacSha256, type SignatureEncoding } from '../protocol/signature.js';
import type { SecretKeyEncoding } from '../validation/secret-key.js';
import { jsonIn } from '../values/encodings.js';
import { readProperty } from '../values/untrusted-values.js';
import { notRaw, rawBytes } from './raw-body.js';
import { callHandlerFunction, WebhookError } from './webhook-error.js';
import {
  environmentKeys,
  keysFromFunction,
  checkedKeys,
  verifyOptionRules,
  type ResolvedHandlerOptions,
  type WebhookHandlerOptions,
  type WebhookRequest,
} from './webhook-options.js';

const hex = /^[0-9a-f]{64}$/i;
const signatureShapes: Readonly<Record<SignatureEncoding, RegExp>> = {
  hex,
  'hex-upper': hex,
  base64: /^[A-Za-z0-9+/]{43}=$/,
  base64url: /^[\w-]{43}$/,
};
const mismatch = (problem: string) => new WebhookError('SIGNATURE_MISMATCH', problem);

/** Throws unless there is exactly one signature, which was made with one of the keys. */
function checkSignature(
  body: Uint8Array,
  received: string | readonly string[] | null | undefined,
  keys: readonly KeyObject[],
  signatureEncoding: SignatureEncoding,
): void {
  // Several signatures are joined with commas, so that they do not match the shape of one signature.
  const signature = [received ?? []].flat().join();
  if (signature === '') throw new WebhookError('SIGNATURE_MISSING', 'the request has no signature');
  if (!signatureShapes[signatureEncoding].test(signature))
    throw mismatch(`the signature must be exactly one HMAC-SHA256 in ${signatureEncoding}`);
  if (keys.length === 0) throw mismatch('there is no secret key for this request');
  const encoding = signatureEncoding === 'hex-upper' ? 'hex' : signatureEncoding;
  const given = Buffer.from(encoding === 'hex' ? signature.toLowerCase() : signature);
  // Every key is tried, so that the response time does not reveal which key matched.
  const matches = keys.filter((key) => timingSafeEqual(Buffer.from(hmacSha256(body, key, encoding)), given));
  if (matches.length === 0)
    throw mismatch(
      'the signature does not match: the sender used a different secret key, or signed a different body',
    );
}

function givenKeys(given: unknown, encoding: SecretKeyEncoding): readonly KeyObject[] {
  return given === undefined ? environmentKeys(encoding) : checkedKeys(given, encoding);
}

/** Throws unless `verify` accepts the request. Without `verify`, throws unless the request has a valid signature. */
export async function authenticate(request: WebhookRequest, options: ResolvedHandlerOptions): Promise<void> {
  const { verify, secretKey, signatureHeader, signatureEncoding, secretKeyEncoding } = options;
  if (verify) {
    const isAuthentic: unknown = await callHandlerFunction(() => verify(request));
    if (isAuthentic === true) return;
    throw mismatch('the function verify did not return true');
  }
  const { body, headers, url } = request;
  const keys =
    typeof secretKey === 'function'
      ? keysFromFunction(await callHandlerFunction(() => secretKey({ headers, url })), secretKeyEncoding)
      : givenKeys(secretKey, secretKeyEncoding);
  checkSignature(body, headers.get(signatureHeader), keys, signatureEncoding);
}

/** Parses verified bytes as JSON. A byte order mark is accepted, invalid UTF-8 is not. */
export function parseEvent(bytes: Uint8Array): unknown {
  // The parser's own error is not used, because its message contains parts of the body.
  const json = jsonIn(bytes);
  if (json !== undefined) return json;
  throw new WebhookError('BODY_NOT_JSON', 'the sender is verified, but the body is not JSON in UTF-8');
}

/**
 * Verifies a webhook that the service sent to the merchant, and parses its body.
 *
 * The specification mentions a payment notification, but shows neither its shape nor its signature. This function
 * assumes that the webhook is signed like the JSON of a merchant's request: with HMAC-SHA256 over the exact body, in
 * hex, in the header `Signature`. This function assumes nothing about the event: validate the event against your
 * provider's documentation.
 *
 * @example
 * ```ts
 * import { signWebhook, verifyWebhook } from 'installment-payments/webhooks';
 *
 * const body = '{"orderId":"ORDER-1"}';
 * const signature = signWebhook(body, 'demo-secret'); // as the service does
 * const event: unknown = verifyWebhook({ body, signature }, { secretKey: 'demo-secret' });
 * ```
 * @param received - `body`: exactly as it was received, not parsed. `signature`: the value of the header.
 * @param options - `secretKey`: one key or several, by default `INSTALLMENT_SECRET_KEY`; `signatureEncoding`: by
 * default hex; `secretKeyEncoding`: the same as the client's.
 * @throws WebhookError with the code `SIGNATURE_MISSING`, `SIGNATURE_MISMATCH`, `BODY_NOT_RAW` or `BODY_NOT_JSON`.
 * @throws ConfigurationError for an invalid option, and if there is no secret key.
 * @see specification, Events: a payment notification is referred to, but its shape is not shown
 */
export function verifyWebhook(
  received: {
    readonly body: string | Uint8Array | ArrayBuffer;
    readonly signature: string | readonly string[] | null | undefined;
  },
  options: Pick<WebhookHandlerOptions, 'signatureEncoding' | 'secretKeyEncoding'> & {
    readonly secretKey?: string | readonly string[];
  } = {},
): unknown {
  const { secretKey, signatureEncoding, secretKeyEncoding } = checkOptions(verifyOptionRules, options);
  const body = rawBytes(readProperty(received, 'body'));
  if (!body) throw notRaw();
  const keys = givenKeys(secretKey, secretKeyEncoding);
  checkSignature(body, received.signature, keys, signatureEncoding);
  return parseEvent(body);
}

/**
 * Signs a body as in the example of {@link verifyWebhook}, for tests of your handler: in lower-case hex, or as
 * `options` says. If your provider signs another text instead of the body, such as a timestamp followed by the body,
 * your function `verify` can call `signWebhook` with that text.
 *
 * @throws ConfigurationError for a key that the handler refuses too: missing, empty, or not in the format of
 * `secretKeyEncoding`.
 */
export function signWebhook(
  body: string | Uint8Array,
  secretKey: string,
  options?: Pick<WebhookHandlerOptions, 'signatureEncoding' | 'secretKeyEncoding'>,
): string {
  const signature = signPayment(body, secretKey, options);
  // `signPayment` has checked the encoding of the key, but accepts an empty key and white space at either end of the
  // key. `checkedKeys` refuses both. With `'utf8'`, `checkedKeys` does not check the encoding again.
  checkedKeys(secretKey, 'utf8');
  return signature;
}
