import { createServer } from 'node:http';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { serve } from '@hono/node-server';
import { afterAll, beforeAll, describe, it, vi } from 'vitest';
import { ShopDatabase } from '../../examples/shop/database.js';
import { createShop } from '../../examples/shop/shop.js';
import { address, merchant, secretKey } from '../../examples/shop/test-support.js';
import { newAttempt, startPayment } from '../../examples/start-payment.js';
import { InstallmentClient } from '../../src/index.js';
import {
  mockWebhookEventSchema,
  rehearse,
  sampleInvoice,
  samplePaymentRequest,
} from '../../src/mock/index.js';
import { createWebhookHandler } from '../../src/webhooks/index.js';
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

  it('the recipe that starts a payment once, with a client that repeats nothing by itself', async ({
    expect,
  }) => {
    expectClean(
      expect,
      await rehearse(
        async ({ mock, world }) => {
          const client = new InstallmentClient({ ...mock.clientOptions(), maxRetries: 0 });
          const attempt = newAttempt({ ...order(`${world}-1`), merchantId: merchant.merchantId });
          for (let run = 0; run < 12; run++) {
            // A customer who submits twice, and the job that repeats what is open.
            await Promise.all([startPayment(client, attempt), startPayment(client, attempt)]);
            if (attempt.progress.state === 'started' || attempt.progress.state === 'look up') break;
            await pause(250);
          }
        },
        { settleMs, customer: 'pays' },
      ),
    );
  });

  it('the webhook of the README, with an upload once the order is paid', async ({
    expect,
    onTestFinished,
  }) => {
    const orders = new Map<string, string>();
    const webhook = createWebhookHandler({
      secretKey,
      schema: mockWebhookEventSchema,
      onEvent: ({ referenceId, merchantId, amount, status }) => {
        const state = orders.get(referenceId);
        if (!state) throw new Error(`unknown reference ${referenceId}`);
        const sent = order(referenceId);
        const isSame = amount.value === sent.amount.value && amount.currency === 'VND';
        if (!isSame || merchantId !== merchant.merchantId) return;
        if (status === 'paid' || state !== 'paid') orders.set(referenceId, status);
      },
    });
    const server = createServer((request, response) => void webhook.node(request, response));
    const port = await freePort();
    server.listen(port, '127.0.0.1');
    onTestFinished(() => void server.close());
    expectClean(
      expect,
      await rehearse(
        async ({ mock, world }) => {
          const client = new InstallmentClient(mock.clientOptions());
          const referenceId = `${world}-1`;
          orders.set(referenceId, 'waiting');
          await client.initiatePayment(order(referenceId));
          // The customer declines in one world.
          await expect
            .poll(() => orders.get(referenceId), { timeout: 20_000 })
            .toBe(world === 'strange' ? 'declined' : 'paid');
          if (world !== 'strange') await client.uploadInvoice(sampleInvoice({ referenceId }));
        },
        {
          settleMs,
          customer: 'pays',
          paid: (referenceId) => orders.get(referenceId) === 'paid',
          mock: { webhook: { url: `http://127.0.0.1:${port}/` } },
        },
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
