/** The shop where the service answers differently: in each way that the mock knows, nobody pays twice. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { serve } from '@hono/node-server';
import { InstallmentClient } from 'installment-payments';
import { createMockService, worlds } from 'installment-payments/mock';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { freePort } from '../helpers/free-port.js';
import { ShopDatabase } from '../../examples/shop/database.js';
import { createShop } from '../../examples/shop/shop.js';
import { address, merchant, secretKey } from '../../examples/shop/test-support.js';

const ends: (() => unknown)[] = [];
beforeEach(() => {
  vi.spyOn(console, 'error').mockReturnValue(undefined); // of forged and early notifications
});
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
  vi.restoreAllMocks();
});

async function shopIn(world: (typeof worlds)[number]['world']) {
  const port = await freePort();
  const shopUrl = `http://127.0.0.1:${port}`;
  const mock = createMockService({
    world,
    webhook: { url: `${shopUrl}/webhooks/installments` },
    delay: () => sleep(20),
  });
  const service = await mock.listen();
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
    () => service.close(),
    () => listener.close(),
  );
  const resumeAfter = async (milliseconds: number) => {
    clock += milliseconds;
    await shop.resume();
  };
  return { mock, database, shop, shopUrl, resumeAfter };
}

const defaultWorlds = worlds.filter(({ isDefault }) => isDefault);

test.each(defaultWorlds)(
  'nobody pays twice in the world $name, and a page says paid only of what is',
  async ({ world }) => {
    const { mock, database, shop, shopUrl, resumeAfter } = await shopIn(world);
    const ids = [randomUUID(), randomUUID(), randomUUID()];
    const checkOut = async (orderId: string) =>
      shop.app.request(`${shopUrl}/orders`, {
        method: 'POST',
        body: new URLSearchParams({ orderId, ...address }),
        headers: { origin: shopUrl, cookie: `cart=${encodeURIComponent('{"TL-2":1}')}` },
      });
    await Promise.all(ids.map(checkOut));
    await resumeAfter(30_000);

    // The customers pay, also where the shop does not know the link. The second is declined, and tries once more.
    const settle = (id: string, status: 'paid' | 'declined') => {
      try {
        mock.settle(`${id}-1`, status);
      } catch {
        // Most services let nobody pay after that.
      }
    };
    for (const [index, id] of ids.entries()) {
      if (index === 1) settle(id, 'declined');
      settle(id, 'paid');
    }
    await expect
      .poll(() => mock.webhooks.all().filter(({ status }) => status === 'pending'), { timeout: 20_000 })
      .toEqual([]);
    for (let minutes = 0; minutes < 30; minutes++) await resumeAfter(60_000);

    expect(
      mock.payments
        .all()
        .map(({ referenceId }) => referenceId)
        .sort(),
    ).toEqual(ids.map((id) => `${id}-1`).sort());
    const { attempts } = await database.openQuestions();
    for (const { referenceId, status } of mock.payments.all()) {
      const page = await (await shop.app.request(`/orders/${referenceId}`)).text();
      const isListed = attempts.some(({ reference }) => reference === referenceId);
      expect([/\bpaid\b/i.test(page), isListed]).toEqual([status === 'paid', false]);
      const sent = mock.journal.filter({ operation: 'initiatePayment', referenceId });
      expect(sent.length).toBeLessThan(10);
      expect(new Set(sent.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
      const uploads = mock.journal.filter({ operation: 'uploadInvoice', referenceId });
      expect(uploads.length).toBe(status === 'paid' ? 1 : 0);
    }
  },
);
