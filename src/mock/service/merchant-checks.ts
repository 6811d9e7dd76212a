import { knownHeaders } from '../../protocol/headers.js';
import { isRequestTime } from '../../protocol/timestamps.js';
import type { IncomingRequest } from '../common/exchange.js';
import type { RegisteredMerchant } from './merchants.js';
import { refusalUnless, type CheckResult } from './refusals.js';

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
