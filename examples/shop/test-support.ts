/** Shared by the tests of the shop. */
import { createHmac, randomUUID } from 'node:crypto';
import { itemsOf } from './catalogue.js';
import { requestOf, type Merchant } from './checkout-form.js';
import type { ShopDatabase } from './database.js';

export const secretKey = 'demo-secret';

export const merchant: Merchant = {
  merchantId: 'DEMO-MERCHANT',
  storeId: 'STORE-01',
  platformId: 'WEBSHOP',
  shopUrl: 'http://127.0.0.1:3000',
  payWithinMs: 60_000,
};

/** The form of the checkout, filled in for an order of 8,490,000 VND. */
export const address = {
  total: '8490000',
  'customer.lastName': 'Nguyễn',
  'customer.firstName': 'An',
  'customer.phoneNumber': '0912345678',
  'customer.email': 'an@example.com',
  'shipping.houseNumber': '12A',
  'shipping.street': 'Phố Kim Mã',
  'shipping.ward': 'Kim Mã',
  'shipping.district': 'Ba Đình',
  'shipping.city': 'Hà Nội',
};

/** Stores an order of 8,490,000 VND and returns its ID. */
export async function placeOrder(
  database: ShopDatabase,
  now: Date,
  id: string = randomUUID(),
): Promise<string> {
  const checked = requestOf(id, itemsOf({ 'TL-2': 1 }), address, merchant);
  if ('problems' in checked) throw new Error(JSON.stringify(checked.problems));
  await database.place(checked.request, now);
  return id;
}

/** A notification as the mock sends it. */
export function notification(
  referenceId: string,
  status: string,
  { event = 'payment.settled', merchantId = merchant.merchantId, value = 8_490_000, currency = 'VND' } = {},
): RequestInit {
  const body = JSON.stringify({ event, merchantId, referenceId, status, amount: { value, currency } });
  const signature = createHmac('sha256', secretKey).update(body).digest('hex');
  return { method: 'POST', body, headers: { 'content-type': 'application/json', signature } };
}
