import { headerNames } from '../../../protocol/headers.js';
import { isRequestTime } from '../../../protocol/timestamps.js';
import type { Incoming } from '../delivery.js';
import type { Merchant } from '../merchants.js';
import { refusal, type Refusal } from '../refusal.js';

/** The header is part of the documented request; how old it may be is not documented, so any moment will do. */
export function checkRequestTime(incoming: Incoming): Refusal | undefined {
  return isRequestTime(incoming.header(headerNames.requestTime) ?? '')
    ? undefined
    : refusal('INVALID_REQUEST', 'The Request-Time header is missing, or is not YYYY-MM-DD hh:mm:ss.');
}

export function checkMerchant(merchantId: string, merchant: Merchant): Refusal | undefined {
  if (merchantId !== merchant.merchantId) {
    return refusal('INVALID_MERCHANT_ID', 'The merchantId is not that of the client.');
  }
  return merchant.active ? undefined : refusal('ACCESS_DENIED', 'The merchant is not active.');
}

export function checkStore(storeId: string, merchant: Merchant): Refusal | undefined {
  return merchant.hasStore(storeId)
    ? undefined
    : refusal('INVALID_STORE_ID', 'The storeId is not a store of the merchant.');
}
