/**
 * A shop that accepts installment payments, with its orders in the file shop.db.
 *
 *   npm run shop      (npx tsx examples/shop)
 *
 * It starts its own payment service, the mock, whose records are in memory only. With INSTALLMENT_BASE_URL and the
 * other variables of the client it uses that service instead, which sends its webhooks to SHOP_URL.
 */
import { randomBytes } from 'node:crypto';
import { serve } from '@hono/node-server';
import { InstallmentClient } from 'installment-payments';
import { createMockService, DEMO_MERCHANT } from 'installment-payments/mock';
import { openDatabase } from './database.js';
import { createShop } from './shop.js';

const { env } = process;
const port = Number(env['PORT'] ?? 3000);
const shopUrl = env['SHOP_URL'] ?? `http://127.0.0.1:${port}`;

async function startMock() {
  const mock = createMockService({ webhook: { url: `${shopUrl}/webhooks/installments` } });
  const { url } = await mock.listen();
  console.log(`Payment service, a mock, at ${url}/_mock`);
  const { clientId, secretKey, merchantId, storeIds } = DEMO_MERCHANT;
  return { baseUrl: url, clientId, secretKey, merchantId, storeId: storeIds[0], platformId: 'WEBSHOP' };
}

/** The value of a variable. A missing variable is empty, and the client refuses it. */
const fromEnvironment = () => ({
  baseUrl: env['INSTALLMENT_BASE_URL'] ?? '',
  clientId: env['INSTALLMENT_CLIENT_ID'] ?? '',
  secretKey: env['INSTALLMENT_SECRET_KEY'] ?? '',
  merchantId: env['INSTALLMENT_MERCHANT_ID'] ?? '',
  storeId: env['INSTALLMENT_STORE_ID'] ?? '',
  platformId: env['INSTALLMENT_PLATFORM_ID'] ?? '',
});

const staffPassword = env['SHOP_STAFF_PASSWORD'] ?? randomBytes(9).toString('base64url');
const service = env['INSTALLMENT_BASE_URL'] === undefined ? await startMock() : fromEnvironment();
const sweepEveryMs = Number(env['SWEEP_EVERY_MS'] ?? 10_000);
const { app, payments } = createShop({
  client: new InstallmentClient(service),
  database: openDatabase(env['SHOP_DATABASE'] ?? 'shop.db'),
  secretKey: service.secretKey,
  shopUrl,
  staffPassword,
  payWithinMs: 15 * 60_000,
  repeatAfterMs: sweepEveryMs,
});
setInterval(() => void payments.sweep().catch(console.error), sweepEveryMs);

serve({ fetch: app.fetch, port, hostname: '127.0.0.1', overrideGlobalObjects: false }, () => {
  console.log(`Shop at ${shopUrl}`);
  console.log(`For staff: ${shopUrl}/staff, user staff, password ${staffPassword}`);
});
