import { withoutSecrets } from '../../values/secrets.js';
import { timingSafeEqual, type KeyObject } from 'node:crypto';
import { knownHeaders } from '../../protocol/headers.js';
import { hmacSha256 } from '../../protocol/signature.js';
import type { Diagnosis, RefusedRequest } from '../state/diagnosis.js';
import type { RegisteredMerchant } from './merchants.js';
import type { ReadMessage, RequestContext } from './mock-context.js';
import { Refusal, refuseUnless } from './refusals.js';

/** How a request of a merchant is signed. */
export interface Signed {
  /** True if the signature can be in upper or lower case. */
  readonly anyCase?: boolean;
  /** @throws Refusal if the body has no text to sign */
  signatureWith(key: KeyObject): string;
  /**
   * Finds out what is wrong with a signature. The journal keeps this function, so the function must refer only to the
   * bytes of the request, not to the request itself.
   */
  diagnose(refused: RefusedRequest): Diagnosis;
}

/** Checks the client, then the signature. */
export function authenticateMerchant(
  { bytes }: ReadMessage,
  signed: Signed,
  { mock: { merchants, refusedRequests, wire }, request }: RequestContext,
): RegisteredMerchant {
  const clientId = request.header(knownHeaders.clientId.name);
  const merchant = merchants.get(clientId ?? '');
  const wrongClient = clientId === undefined ? 'missing' : 'not a registered client ID';
  refuseUnless(merchant, 'INVALID_CLIENT_ID', `The Client-Id header is ${wrongClient}.`);

  const signature = request.header(knownHeaders.signature.name);
  const comparable = (text: string) => (signed.anyCase ? text.toLowerCase() : text);
  const expected = merchant.keys.map((key) => signed.signatureWith(key));
  if (signature !== undefined && expected.some((each) => isEqual(comparable(signature), comparable(each))))
    return merchant;

  const others = [...merchants.values()]
    .filter((other) => other !== merchant)
    .map((other) => other.credentials());
  // Only these two texts of the request are kept, because the request itself refers to its connection.
  const requestParts = { path: request.path, requestTime: request.header(knownHeaders.requestTime.name) };
  const credentials = merchant.credentials();
  const refused = { merchant: credentials, others, signature, request: requestParts, ...wire };
  const explain = refusedRequests.add({
    size: bytes.length,
    explain: () => signed.diagnose(refused),
    expected: expected[0] ?? '',
    received:
      signature &&
      withoutSecrets(
        signature,
        [credentials, ...others].flatMap((each) => each.secretKeys),
      ),
  });
  const message = 'The Signature header does not match the request. The inspector (/_mock) explains why.';
  throw new Refusal('INVALID_SIGNATURE', message, explain);
}

/** Checks the sender of a JSON request. The signature is over the exact bytes of the body. */
export function authenticateJson(message: ReadMessage, context: RequestContext): RegisteredMerchant {
  const { bytes } = message;
  const { diagnose, wire } = context.mock;
  const signed: Signed = {
    signatureWith: (key) => hmacSha256(bytes, key, wire.signatureEncoding),
    diagnose: (refused) => diagnose.json(bytes, refused),
  };
  return authenticateMerchant(message, signed, context);
}

/** Compares in constant time, as a real service would. */
function isEqual(signature: string, expected: string): boolean {
  const received = Buffer.from(signature);
  const wanted = Buffer.from(expected);
  return received.length === wanted.length && timingSafeEqual(received, wanted);
}
