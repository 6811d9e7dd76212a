import { timingSafeEqual, type KeyObject } from 'node:crypto';
import { knownHeaders } from '../../protocol/headers.js';
import { hmacSha256 } from '../../protocol/signature.js';
import { diagnoseJson } from '../diagnosis/diagnose.js';
import { unknownCause } from '../diagnosis/explanation.js';
import type { Diagnosis, RefusedRequest, Credentials } from '../diagnosis/types.js';
import type { RegisteredMerchant } from './merchants.js';
import type { JsonMessage } from './messages.js';
import type { Authenticated, RequestContext } from './operation-row.js';
import { refusal } from './refusals.js';

/** How one request of a merchant is signed. */
export interface Signed {
  /** Why the body has no text to sign. */
  readonly problem?: string | undefined;
  /** Bytes of the body. */
  readonly size: number;
  /** True for a signature in hex of either case. */
  readonly anyCase?: boolean;
  signatureWith(key: KeyObject): string;
  /** Of the request it keeps the bytes alone. */
  diagnose(refused: RefusedRequest): Diagnosis;
}

/** Checks the client, then the signature. */
export function authenticateMerchant(
  signed: Signed,
  { mock: { merchants, refusedRequests, wire }, request }: RequestContext,
): Authenticated<RegisteredMerchant> {
  const clientId = request.header(knownHeaders.clientId.name);
  const merchant = merchants.get(clientId ?? '');
  if (!merchant) {
    const problem = clientId === undefined ? 'missing' : 'not a registered client ID';
    return { refused: refusal('INVALID_CLIENT_ID', `The Client-Id header is ${problem}.`) };
  }
  if (signed.problem !== undefined) return { refused: refusal('INVALID_REQUEST', signed.problem) };

  const signature = request.header(knownHeaders.signature.name);
  const received = signed.anyCase ? signature?.toLowerCase() : signature;
  const expected = merchant.keys.map((key) => signed.signatureWith(key));
  if (expected.some((each) => isEqual(received, each))) return { sender: merchant };

  const others = [...merchants.values()].filter((other) => other !== merchant);
  // Plain data: the request itself holds on to a connection.
  const along = { path: request.path, requestTime: request.header(knownHeaders.requestTime.name) };
  const refused = { others, signature, request: along, ...wire };
  const explain = refusedRequests.add({
    size: signed.size,
    explain: () =>
      withEachKey(merchant.credentials(), (one) => signed.diagnose({ ...refused, merchant: one })),
    expected: expected[0] ?? '',
    received: signature,
  });
  const message = 'The Signature header does not match the request. The inspector (/_mock) explains why.';
  return { refused: { ...refusal('INVALID_SIGNATURE', message), explain } };
}

/** Checks the sender of a JSON request, which is signed over the exact bytes of its body. */
export function authenticateJson(
  { bytes }: JsonMessage,
  context: RequestContext,
): Authenticated<RegisteredMerchant> {
  const { signatureEncoding } = context.mock.wire;
  const signed: Signed = {
    size: bytes.length,
    signatureWith: (key) => hmacSha256(bytes, key, signatureEncoding),
    diagnose: (refused) => diagnoseJson(bytes, refused),
  };
  return authenticateMerchant(signed, context);
}

/** The diagnosis with the first key that explains a signature. */
function withEachKey(
  [first, ...others]: readonly [Credentials, ...Credentials[]],
  diagnose: (one: Credentials) => Diagnosis,
): Diagnosis {
  let diagnosis = diagnose(first);
  for (const each of others) {
    if (diagnosis.cause !== unknownCause) break;
    diagnosis = diagnose(each);
  }
  return diagnosis;
}

/** Compares in constant time, as a service that keeps its secret would. */
function isEqual(signature: string | undefined, expected: string): boolean {
  if (signature === undefined) return false;
  const received = Buffer.from(signature);
  const wanted = Buffer.from(expected);
  return received.length === wanted.length && timingSafeEqual(received, wanted);
}
