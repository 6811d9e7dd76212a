import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { serve } from '@hono/node-server';
import Database from 'libsql';
import { afterAll, beforeAll, describe, it, vi } from 'vitest';
import { ShopDatabase } from '../../examples/shop/database.js';
import { createShop } from '../../examples/shop/shop.js';
import { address, merchant, secretKey } from '../../examples/shop/test-support.js';
import { InstallmentClient } from '../../src/index.js';
import { rehearse, samplePaymentRequest } from '../../src/mock/index.js';
import { createOrderPayments } from '../../src/orders/index.js';
import { freePort } from '../helpers/free-port.js';
import { expectClean } from './expect-clean.js';

const settleMs = 400;
beforeAll(() => {
  vi.spyOn(console, 'error').mockReturnValue(undefined); // of forged and early notifications
});
afterAll(() => {
  vi.restoreAllMocks();
});

const order = (referenceId: string) => samplePaymentRequest({ referenceId });

// They wait most of the time, so all of them run at once.
describe.concurrent('the rehearsal finds no error in any world of', { timeout: 300_000 }, () => {
  it('a client with its defaults', async ({ expect }) => {
    expectClean(
      expect,
      await rehearse(
        async ({ mock, world }) => {
          const client = new InstallmentClient(mock.clientOptions());
          await Promise.all([1, 2].map((n) => client.initiatePayment(order(`${world}-${n}`))));
        },
        { settleMs, customer: 'pays' },
      ),
    );
  });

  it('orders, with a client that repeats nothing by itself', async ({ expect }) => {
    expectClean(
      expect,
      await rehearse(
        async ({ mock, world }) => {
          const database = new Database(':memory:');
          const payments = createOrderPayments({
            client: new InstallmentClient({ ...mock.clientOptions(), maxRetries: 0 }),
            dialect: 'sqlite',
            query: (sql, values) => {
              const statement = database.prepare(sql);
              return Promise.resolve(statement.reader ? statement.all(values) : statement.run(values));
            },
            repeatAfterMs: 100,
            mostSends: 4,
            waitMs: 1000,
          });
          for (const statement of payments.schema) database.exec(statement);
          const { referenceId: orderId, ...request } = order(`${world}-1`);
          for (let run = 0; run < 12; run++) {
            // A customer who submits twice, and the job that repeats what is open.
            const [{ state }] = await Promise.all([
              payments.start(orderId, request),
              payments.start(orderId, request),
              payments.sweep(),
            ]);
            if (state === 'started' || (await payments.forReview()).length > 0) break;
            await pause(250);
          }
        },
        { settleMs, customer: 'pays' },
      ),
    );
  });

  it('the example shop, whose own order page is asked', async ({ expect, onTestFinished }) => {
    const ends: (() => unknown)[] = [];
    const endAll = async () => {
      for (const end of ends.splice(0).reverse()) await end();
    };
    onTestFinished(endAll);
    const port = await freePort();
    const shopUrl = `http://127.0.0.1:${port}`;
    const paid = async (referenceId: string) =>
      /\bpaid\b/i.test(await (await fetch(`${shopUrl}/orders/${referenceId}`)).text());
    expectClean(
      expect,
      await rehearse(
        async ({ mock }) => {
          await endAll();
          const database = await ShopDatabase.open(':memory:');
          let clock = Date.now();
          const shop = createShop({
            ...merchant,
            shopUrl,
            client: new InstallmentClient({ ...mock.clientOptions(), storeId: merchant.storeId }),
            database,
            secretKey,
            staffPassword: 'staff-password',
            now: () => new Date(clock),
          });
          const listener = serve({
            fetch: shop.app.fetch,
            port,
            hostname: '127.0.0.1',
            overrideGlobalObjects: false,
          });
          ends.push(
            () => {
              database.close();
            },
            () => listener.close(),
          );
          const orderId = randomUUID();
          const checkOut = () =>
            shop.app.request(`${shopUrl}/orders`, {
              method: 'POST',
              body: new URLSearchParams({ orderId, ...address }),
              headers: { origin: shopUrl, cookie: `cart=${encodeURIComponent('{"TL-2":1}')}` },
            });
          await Promise.all([checkOut(), checkOut()]);
          for (let minutes = 0; minutes < 30; minutes++) {
            clock += 60_000;
            await shop.resume();
            await pause(20);
          }
        },
        { settleMs, customer: 'pays', paid, mock: { webhook: { url: `${shopUrl}/webhooks/installments` } } },
      ),
    );
  });
});
