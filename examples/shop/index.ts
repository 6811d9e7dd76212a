/**
 * A shop that takes installment payments, with its orders in the file shop.db.
 *
 *   npm run shop      (npx tsx examples/shop)
 *
 * It brings its own payment service, the mock, which forgets everything when it ends. With INSTALLMENT_BASE_URL and
 * the other variables of the client set, it uses that service instead; SHOP_URL is then how the service reaches it.
 */
import { randomBytes } from 'node:crypto';
import { serve } from '@hono/node-server';
import { createMockService, DEMO_MERCHANT } from 'installment-payments/mock';
import { createShop } from './shop.js';

const { env } = process;
const port = Number(env['PORT'] ?? 3000);
const shopUrl = env['SHOP_URL'] ?? `http://127.0.0.1:${port}`;

let baseUrl = env['INSTALLMENT_BASE_URL'];
if (baseUrl === undefined) {
  const mock = createMockService({ webhook: { url: `${shopUrl}/webhooks/installments` } });
  ({ url: baseUrl } = await mock.listen());
  console.log(`Payment service, a mock, at ${baseUrl}/_mock`);
}

const staffPassword = env['SHOP_STAFF_PASSWORD'] ?? randomBytes(9).toString('base64url');
const shop = await createShop({
  shopUrl,
  staffPassword,
  databaseUrl: `file:${env['SHOP_DATABASE'] ?? 'shop.db'}`,
  payWithinMs: Number(env['SHOP_PAY_WITHIN_MS'] ?? 15 * 60_000),
  merchantId: env['INSTALLMENT_MERCHANT_ID'] ?? DEMO_MERCHANT.merchantId,
  storeId: env['INSTALLMENT_STORE_ID'] ?? 'STORE-01',
  platformId: env['INSTALLMENT_PLATFORM_ID'] ?? 'WEBSHOP',
  service: {
    baseUrl,
    clientId: env['INSTALLMENT_CLIENT_ID'] ?? DEMO_MERCHANT.clientId,
    secretKey: env['INSTALLMENT_SECRET_KEY'] ?? DEMO_MERCHANT.secretKey,
  },
});

const resume = () => void shop.resume().catch(console.error);
resume();
setInterval(resume, 30_000).unref();

serve({ fetch: shop.app.fetch, port, hostname: '127.0.0.1', overrideGlobalObjects: false }, () => {
  console.log(`Shop at ${shopUrl}`);
  console.log(`For staff: ${shopUrl}/staff, user staff, password ${staffPassword}`);
});
