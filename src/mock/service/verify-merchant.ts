import { timingSafeEqual } from 'node:crypto';
import { headerNames } from '../../protocol/headers.js';
import { hmacSha256 } from '../../protocol/signature.js';
import { isRequestTime } from '../../protocol/timestamps.js';
import { diagnoseJson } from '../diagnosis/diagnose.js';
import type { Diagnosis, RefusedRequest } from '../diagnosis/types.js';
import type { IncomingRequest } from '../wire/delivery.js';
import type { RegisteredMerchant } from './merchants.js';
import type { JsonMessage } from './messages.js';
import { refusal } from './refusals.js';
import type { HandlerResult, RequestContext } from './request-context.js';
import { scriptedResult } from './responses.js';

/** How the requests of one operation are signed. */
export interface Signed {
  signatureWith(merchant: RegisteredMerchant): string;
  diagnose(refused: RefusedRequest): Diagnosis;
}

/** The signature of a JSON request is made over the exact bytes of the body. */
export function signedBody(message: JsonMessage, { mock }: RequestContext): Signed {
  const { signatureEncoding } = mock.wire;
  return {
    signatureWith: ({ key }) => hmacSha256(message.bytes, key, signatureEncoding),
    diagnose: (refused) => diagnoseJson(message, { ...refused, signatureEncoding }),
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
  const { merchants, workPool: pool } = context.mock;
  const merchant = merchants.get(context.request.header(headerNames.clientId) ?? '');
  if (!merchant) return refusal('INVALID_CLIENT_ID', 'The Client-Id header is not a registered client ID.');
  if (!('diagnose' in signed)) return signed;
  const signature = context.request.header(headerNames.signature);
  if (!isEqual(signature, signed.signatureWith(merchant))) {
    const others = [...merchants.values()].filter((other) => other !== merchant);
    const diagnosis = signed.diagnose({ merchant, others, signature, request: context.request, pool });
    const message = 'The Signature header does not match the request. The inspector (/_mock) explains why.';
    return { ...refusal('INVALID_SIGNATURE', message), diagnosis };
  }
  return scriptedResult(context) ?? handle(merchant);
}

/** Compares in constant time, as a service that keeps its secret would. */
function isEqual(signature: string | undefined, expected: string): boolean {
  if (signature === undefined) return false;
  const received = Buffer.from(signature);
  const wanted = Buffer.from(expected);
  return received.length === wanted.length && timingSafeEqual(received, wanted);
}

/** How old a request may be is not documented, so every real moment passes. */
export function checkRequestTime(request: IncomingRequest): HandlerResult | undefined {
  return isRequestTime(request.header(headerNames.requestTime) ?? '')
    ? undefined
    : refusal(
        'INVALID_REQUEST',
        'The Request-Time header must have the form YYYY-MM-DD hh:mm:ss, such as 2026-11-20 10:04:05.',
      );
}

export function checkMerchant(merchantId: string, merchant: RegisteredMerchant): HandlerResult | undefined {
  if (merchantId !== merchant.merchantId) {
    return refusal('INVALID_MERCHANT_ID', 'The merchantId does not belong to the client.');
  }
  return checkActive(merchant);
}

export function checkActive({ active }: RegisteredMerchant): HandlerResult | undefined {
  return active ? undefined : refusal('ACCESS_DENIED', 'The merchant is not active.');
}

export function checkStore(storeId: string, merchant: RegisteredMerchant): HandlerResult | undefined {
  return merchant.hasStore(storeId)
    ? undefined
    : refusal('INVALID_STORE_ID', 'The storeId is not a store of the merchant.');
}
