import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMockService, DEMO_MERCHANT, type MockOptions } from 'installment-payments/mock';
import { freePort } from '../helpers/free-port.js';
import { startExample, untilPrinted } from './run-example.js';

/** A shop in a process of its own, which can be killed and started again, and a service that outlives it. */
export async function shopAndService(options: MockOptions = {}) {
  const port = await freePort();
  const url = `http://127.0.0.1:${String(port)}`;
  const mock = createMockService({ webhook: { url: `${url}/webhooks/installments` }, ...options });
  const server = await mock.listen();
  const folder = await mkdtemp(join(tmpdir(), 'shop-'));

  const { clientId, secretKey, merchantId } = DEMO_MERCHANT;
  let child: Awaited<ReturnType<typeof startExample>> | undefined;
  const shop = {
    mock,
    url,
    async start() {
      child = await startExample('examples/shop/index.ts', [], {
        PORT: String(port),
        SHOP_DATABASE: join(folder, 'shop.db'),
        SHOP_STAFF_PASSWORD: 'staff-password',
        INSTALLMENT_BASE_URL: server.url,
        INSTALLMENT_CLIENT_ID: clientId,
        INSTALLMENT_SECRET_KEY: secretKey,
        INSTALLMENT_MERCHANT_ID: merchantId,
        INSTALLMENT_STORE_ID: 'STORE-01',
        INSTALLMENT_PLATFORM_ID: 'WEBSHOP',
      });
      await untilPrinted(child, /^Shop at (\S+)$/m);
    },
    async kill() {
      if (child?.exitCode !== null || child.signalCode !== null) return;
      const closed = once(child, 'close');
      child.kill('SIGKILL');
      await closed;
    },
    /** Ends both. */
    async end() {
      await shop.kill();
      await server.close();
      await rm(folder, { recursive: true });
    },
  };
  await shop.start();
  return shop;
}
