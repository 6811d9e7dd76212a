import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'libsql';
import { expect, test } from 'vitest';
import { ShopDatabase } from '../../examples/shop/database.js';
import { address } from '../../examples/shop/test-support.js';
import { seed } from '../helpers/seed.js';
import { seededRandom } from '../redis/seeded-random.js';
import { startExample } from './run-example.js';
import { shopAndService } from './run-shop.js';

test(
  'a shop that is killed while it writes has whole orders, and every payment that it stored',
  { timeout: 60_000 },
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'shop-'));
    const path = join(folder, 'shop.db');
    const stored: string[] = [];
    for (const linesBeforeTheKill of [1, 20, 50, 100]) {
      const child = await startExample('test/faults/children/settle-orders.ts', [path]);
      const closed = once(child, 'close');
      let output = '';
      child.stdout?.on('data', (data: Buffer) => {
        output += data.toString();
        if (output.split('\n').length > linesBeforeTheKill) child.kill('SIGKILL');
      });
      expect(await closed).toEqual([null, 'SIGKILL']);
      stored.push(...output.split('\n').slice(0, -1));
    }

    const database = await ShopDatabase.open(path);
    const file = new Database(path);
    try {
      expect(stored.length).toBeGreaterThan(170);
      for (const id of stored)
        expect(await database.order(id)).toMatchObject({ paidBy: `${id}-1`, invoice: { state: 'ready' } });
      // Of the orders that were under way, each is paid with all that follows, or not at all.
      const torn = `
        SELECT orders.id FROM orders
        LEFT JOIN attempts ON attempts.orderId = orders.id LEFT JOIN invoices ON invoices.orderId = orders.id
        WHERE (paidBy IS NOT NULL) <> (coalesce(attempts.state, '') = 'paid')
           OR (paidBy IS NOT NULL) <> (invoices.orderId IS NOT NULL)`;
      expect(file.prepare(torn).all()).toEqual([]);
      expect(file.prepare('PRAGMA integrity_check').all()).toMatchObject([{ integrity_check: 'ok' }]);
    } finally {
      file.close();
      database.close();
      await rm(folder, { recursive: true });
    }
  },
);

type Shop = Awaited<ReturnType<typeof shopAndService>>;

/** Posts the form of the checkout, as a browser does once more when a page is loaded again. */
async function checkOut({ url }: Shop, orderId: string): Promise<string | null> {
  const answer = await fetch(`${url}/orders`, {
    method: 'POST',
    body: new URLSearchParams({ orderId, ...address }),
    headers: { cookie: `cart=${encodeURIComponent('{"TL-2":1}')}`, origin: url },
    redirect: 'manual',
  });
  return answer.headers.get('location');
}

const arrived = ({ mock }: Shop, operation: 'initiatePayment' | 'uploadInvoice', orderId: string) =>
  mock.journal.waitFor({ operation, referenceId: `${orderId}-1` });

/** When the shop is killed. Each prepares the service, and resolves at the moment of the kill. */
const moments: Readonly<Record<string, (shop: Shop, orderId: string) => Promise<unknown>>> = {
  async 'before the service acts on the request'(shop, orderId) {
    shop.mock.injectFault('initiatePayment', 'hang', { phase: 'before' });
    checkOut(shop, orderId).catch(() => undefined);
    await arrived(shop, 'initiatePayment', orderId);
  },
  async 'between the request and its answer'(shop, orderId) {
    shop.mock.injectFault('initiatePayment', 'hang', { phase: 'after' });
    checkOut(shop, orderId).catch(() => undefined);
    await expect.poll(() => shop.mock.payments.get(`${orderId}-1`)).toBeDefined();
  },
  'between the answer and the notification': checkOut,
  async 'while it is told of the payment'(shop, orderId) {
    await checkOut(shop, orderId);
    shop.mock.settle(`${orderId}-1`, 'paid');
    await sleep(5);
  },
  async 'between the notification and the upload'(shop, orderId) {
    await checkOut(shop, orderId);
    shop.mock.injectFault('uploadInvoice', 'hang', { phase: 'before' });
    shop.mock.settle(`${orderId}-1`, 'paid');
    await arrived(shop, 'uploadInvoice', orderId);
  },
  async 'during the upload'(shop, orderId) {
    await checkOut(shop, orderId);
    shop.mock.injectFault('uploadInvoice', 'hang', { phase: 'after' });
    shop.mock.settle(`${orderId}-1`, 'paid');
    await expect
      .poll(() => shop.mock.invoices.all().map((invoice) => invoice.referenceId))
      .toContain(`${orderId}-1`);
  },
};
// Beyond the simulation: a process that SIGKILL ends over the file of its database.
const randomKills = 4;

test(
  'a shop that is killed at any moment loses no order, and no customer can pay one twice',
  { timeout: 180_000 },
  async () => {
    console.log(`TEST_SEED=${String(seed)}`);
    const random = seededRandom(seed);
    const shop = await shopAndService({ delay: () => sleep(20) });
    const { mock } = shop;
    const orders: string[] = [];
    const order = () => {
      const id = randomUUID();
      orders.push(id);
      return id;
    };
    const settleSome = (share: number) => {
      for (const { referenceId, status } of mock.payments.all())
        if (status === 'pending' && random() < share) mock.settle(referenceId, 'paid');
    };
    try {
      for (const reach of Object.values(moments)) {
        await reach(shop, order());
        await shop.kill();
        await shop.start();
      }
      for (let kill = 0; kill < randomKills; kill++) {
        const checkouts = Array.from({ length: 5 }, () => checkOut(shop, order()).catch(() => undefined));
        await sleep(random() * 150);
        settleSome(0.5);
        await sleep(random() * 50);
        await shop.kill();
        await Promise.all(checkouts);
        await shop.start();
      }

      // Customers load their page again, and pay; the service repeats what was not acknowledged.
      for (const id of orders) await checkOut(shop, id);
      await expect.poll(() => mock.payments.all().length, { timeout: 60_000 }).toBe(orders.length);
      settleSome(1);
      const isPaid = async (id: string) =>
        (await (await fetch(`${shop.url}/orders/${id}`)).text()).includes('>Paid<');
      const unpaid = async () => {
        for (const { id, status } of mock.webhooks.all()) if (status === 'failed') mock.webhooks.resend(id);
        const paid = await Promise.all(orders.map(isPaid));
        return orders.filter((_id, index) => !paid[index]);
      };
      await expect.poll(unpaid, { timeout: 60_000, interval: 200 }).toEqual([]);

      expect(
        mock.payments
          .all()
          .map(({ referenceId }) => referenceId)
          .sort(),
      ).toEqual(orders.map((id) => `${id}-1`).sort());
      const uploads = mock.journal
        .filter({ operation: 'uploadInvoice' })
        .map(({ referenceId }) => referenceId);
      expect(uploads.length).toBe(new Set(uploads).size);
      for (const { referenceId } of mock.payments.all()) {
        const sent = mock.journal.filter({ operation: 'initiatePayment', referenceId });
        expect(new Set(sent.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
      }
    } finally {
      await shop.end();
    }
  },
);
