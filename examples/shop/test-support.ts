/** Code that the tests of the shop share. */
import { createHmac } from 'node:crypto';
import { InstallmentClient, type InstallmentClientOptions } from 'installment-payments';
import { DEMO_MERCHANT, type MockService } from 'installment-payments/mock';
import { openDatabase } from './database.js';
import { createShop, type ShopOptions } from './shop.js';

export const shopUrl = 'http://127.0.0.1:3000';
export const staff = { authorization: `Basic ${btoa('staff:staff-password')}` };

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

/** The cookie of a cart. */
export const cartOf = (cart: object) => `cart=${encodeURIComponent(JSON.stringify(cart))}`;

/** A shop that pays at a mock. */
export function shopAt(
  mock: MockService,
  options: Partial<ShopOptions> = {},
  client: InstallmentClientOptions = {},
) {
  const { database = openDatabase(':memory:') } = options;
  const url = options.shopUrl ?? shopUrl;
  const shop = createShop({
    client: new InstallmentClient({ ...mock.clientOptions(), ...client }),
    database,
    secretKey: DEMO_MERCHANT.secretKey,
    staffPassword: 'staff-password',
    shopUrl: url,
    payWithinMs: 15 * 60_000,
    ...options,
  });
  const ask = async (path: string, headers: Record<string, string> = {}) =>
    shop.app.request(url + path, { headers });
  const post = async (path: string, form: Record<string, string>, headers: Record<string, string> = {}) => {
    const init = { method: 'POST', body: new URLSearchParams(form), headers: { origin: url, ...headers } };
    return shop.app.request(url + path, init);
  };
  return {
    ...shop,
    database,
    ask,
    post,
    read: async (path: string, headers?: Record<string, string>) => (await ask(path, headers)).text(),
    checkOut: (orderId: string, form: Record<string, string> = {}) =>
      post('/orders', { orderId, ...address, ...form }, { cookie: cartOf({ 'TL-2': 1 }) }),
    deliver: async (delivery: RequestInit) =>
      (await shop.app.request('/webhooks/installments', delivery)).status,
  };
}

/** A webhook as the mock sends it. */
export function notification(referenceId: string, status: string, value = 8_490_000): RequestInit {
  const { merchantId, secretKey } = DEMO_MERCHANT;
  const body = JSON.stringify({
    id: 'EVENT-1',
    event: 'payment.settled',
    merchantId,
    referenceId,
    status,
    amount: { value, currency: 'VND' },
    description: '',
  });
  const signature = createHmac('sha256', secretKey).update(body).digest('hex');
  return { method: 'POST', body, headers: { 'content-type': 'application/json', signature } };
}
