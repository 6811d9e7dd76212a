import { timingSafeEqual, type KeyObject } from 'node:crypto';
import { knownHeaders } from '../../protocol/headers.js';
import { hmacSha256 } from '../../protocol/signature.js';
import { isRequestTime } from '../../protocol/timestamps.js';
import { diagnoseJson, signedAlong } from '../diagnosis/diagnose.js';
import type { Diagnosis, RefusedRequest, Credentials } from '../diagnosis/types.js';
import type { IncomingRequest } from '../common/delivery.js';
import type { RegisteredMerchant } from './merchants.js';
import { keyHeader, readJson, recordJson, shortTextAt, type JsonMessage } from './messages.js';
import { refusal, refusalUnless } from './refusals.js';
import type { CheckResult, Handler, HandlerResult, RequestContext } from './request-context.js';
import { scriptedResult } from './responses.js';

/** How the requests of one operation are signed. */
export interface Signed {
  /** Bytes of the body. */
  readonly size: number;
  signatureWith(key: KeyObject): string;
  diagnose(refused: RefusedRequest): Diagnosis;
}

/** The signature of a JSON request is made over the exact bytes of the body. */
function signedBody({ bytes }: JsonMessage, { mock }: RequestContext): Signed {
  const { wire } = mock;
  return {
    size: bytes.length,
    signatureWith: (key) => hmacSha256(bytes, key, wire.signatureEncoding),
    // Of the request, the bytes alone are kept.
    diagnose: (refused) => diagnoseJson(bytes, { ...refused, ...wire }),
  };
}

/**
 * The steps that the operations of a merchant begin with: the client, the signature, the scripted responses. A body
 * whose signed text cannot be read is refused in place of the signature check.
 */
export async function asMerchant(
  context: RequestContext,
  signed: Signed | HandlerResult,
  handle: (merchant: RegisteredMerchant) => Promise<HandlerResult>,
): Promise<HandlerResult> {
  const { merchants, refusedRequests } = context.mock;
  const clientId = context.request.header(knownHeaders.clientId.name);
  const merchant = merchants.get(clientId ?? '');
  if (!merchant) {
    const problem = clientId === undefined ? 'missing' : 'not a registered client ID';
    return refusal('INVALID_CLIENT_ID', `The Client-Id header is ${problem}.`);
  }
  if (!('diagnose' in signed)) return signed;
  const signature = context.request.header(knownHeaders.signature.name);
  const right = merchant.keys.map((key) => signed.signatureWith(key));
  if (!right.some((expected) => isEqual(signature, expected))) {
    const others = [...merchants.values()].filter((other) => other !== merchant);
    const refused = { others, signature, request: signedAlong(context.request) };
    const explain = refusedRequests.add({
      size: signed.size,
      explain: () => withEachKey(merchant, (one) => signed.diagnose({ ...refused, merchant: one })),
      expected: right[0] ?? '',
      received: signature,
    });
    const message = 'The Signature header does not match the request. The inspector (/_mock) explains why.';
    return { ...refusal('INVALID_SIGNATURE', message), explain };
  }
  return scriptedResult(context) ?? handle(merchant);
}

/** A handler of a merchant's JSON request, which is signed over its exact body. `handle` gets it once that is verified. */
export function signedJson(
  handle: (
    message: JsonMessage,
    merchant: RegisteredMerchant,
    context: RequestContext,
  ) => Promise<HandlerResult>,
): Handler {
  return (bytes, request) => {
    const message = readJson(bytes, request.header(knownHeaders.contentType.name));
    return {
      identifiers: {
        merchantId: shortTextAt(message.value, 'merchantId'),
        referenceId: shortTextAt(message.value, 'referenceId'),
        idempotencyKey: keyHeader(request),
      },
      recorded: recordJson(message),
      handle: (context) =>
        asMerchant(context, signedBody(message, context), (merchant) => handle(message, merchant, context)),
    };
  };
}

/** The diagnosis with the first key that explains a signature. */
function withEachKey(merchant: RegisteredMerchant, diagnose: (one: Credentials) => Diagnosis): Diagnosis {
  const [first, ...others] = merchant.credentials();
  if (!first) throw new Error('A merchant has at least one secret key.');
  let diagnosis = diagnose(first);
  for (const each of others) {
    if (diagnosis.cause !== 'secret-wrong') break;
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

/** How old a request may be is not documented, so every real moment passes. */
export function checkRequestTime(request: IncomingRequest): CheckResult {
  return refusalUnless(
    isRequestTime(request.header(knownHeaders.requestTime.name) ?? ''),
    'INVALID_REQUEST',
    'The Request-Time header must have the form YYYY-MM-DD hh:mm:ss, such as 2026-11-20 10:04:05.',
  );
}

export function checkMerchant(merchantId: string, merchant: RegisteredMerchant): CheckResult {
  const isOwn = merchantId === merchant.merchantId;
  return (
    refusalUnless(isOwn, 'INVALID_MERCHANT_ID', 'The merchantId does not belong to the client.') ??
    checkActive(merchant)
  );
}

export function checkActive({ active }: RegisteredMerchant): CheckResult {
  return refusalUnless(active, 'ACCESS_DENIED', 'The merchant is not active.');
}

export function checkStore(storeId: string, merchant: RegisteredMerchant): CheckResult {
  const isOwn = merchant.hasStore(storeId);
  return refusalUnless(isOwn, 'INVALID_STORE_ID', 'The storeId is not a store of the merchant.');
}
