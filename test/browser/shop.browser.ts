import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { serve } from '@hono/node-server';
import type { Page } from 'playwright-core';
import { afterEach, expect, it } from 'vitest';
import { createMockService } from 'installment-payments/mock';
import { address, notification, shopAt } from '../../examples/shop/test-support.js';
import { freePort } from '../helpers/free-port.js';
import { useBrowser } from './support.js';
import { violationsOf } from './violations.js';

const browser = useBrowser();
const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function fillCheckout(page: Page): Promise<void> {
  for (const [name, value] of Object.entries(address))
    if (name !== 'total') await page.locator(`[name="${name}"]`).fill(value);
}

const payButton = (page: Page) => page.getByRole('button', { name: 'Pay by installments' });
const heading = (page: Page, name: string) => page.getByRole('heading', { name }).waitFor();

it('axe finds nothing on any page of the demo shop, light or dark, and no page is too wide', async () => {
  const port = await freePort();
  const shopUrl = `http://127.0.0.1:${String(port)}`;
  const mock = createMockService({ webhook: { url: `${shopUrl}/webhooks/installments` } });
  const server = await mock.listen();
  let clock = Date.now();
  const shop = shopAt(mock, { shopUrl, now: () => new Date(clock) }, { maxRetries: 0, baseUrl: server.url });
  const listener = serve({
    fetch: shop.app.fetch,
    port,
    hostname: '127.0.0.1',
    overrideGlobalObjects: false,
  });
  ends.push(
    () => server.close(),
    () => {
      if ('closeAllConnections' in listener) listener.closeAllConnections();
      listener.close();
      shop.database.close();
    },
  );
  const sweepAfter = (minutes: number) => {
    clock += minutes * 60_000;
    return shop.payments.sweep();
  };
  const { page } = await browser.open(shopUrl, {
    httpCredentials: { username: 'staff', password: 'staff-password' },
  });
  const found: string[] = [];
  const look = async (name: string) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      for (const width of [390, 1440]) {
        await page.setViewportSize({ width, height: 900 });
        for (const violation of await violationsOf(page)) found.push(`${name} ${colorScheme} ${violation}`);
        const excess = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
        if (excess !== 0) found.push(`${name} at ${String(width)}: ${String(excess)} px too wide`);
        const folder = process.env['SCREENSHOTS'];
        if (folder)
          await page.screenshot({ path: join(folder, `${name}-${colorScheme}-${String(width)}.png`) });
      }
    }
  };
  const open = async (path: string, name: string) => {
    await page.goto(shopUrl + path);
    await look(name);
  };

  await look('catalogue');
  await open('/cart', 'empty cart');
  await open(`/orders/${randomUUID()}`, 'not found');
  await page.goto(shopUrl);
  await page.getByRole('button', { name: 'Add to cart: Tủ lạnh' }).click();
  await look('cart');
  await page.getByRole('button', { name: 'Check out' }).click();
  await look('checkout');
  await fillCheckout(page);
  await page.locator('[name="customer.phoneNumber"]').fill('none');
  await payButton(page).click();
  await look('checkout with a problem');
  await page.locator('[name="customer.phoneNumber"]').fill('0912345678');
  mock.injectFault('initiatePayment', 'connection-reset', { phase: 'after' });
  await payButton(page).click();
  await look('checking');
  const orderPath = new URL(page.url()).pathname;
  const reference = `${orderPath.split('/')[2] ?? ''}-1`;
  await sweepAfter(2);
  await open(orderPath, 'started');
  await open(`${orderPath}/return`, 'returned');
  await shop.deliver(notification(reference, 'paid', 1));
  await open('/staff', 'staff');
  // Until then no other payment begins: there may be money.
  await shop.payments.conclude(reference, 'exists');
  mock.settle(reference, 'declined');
  await page.goto(shopUrl + orderPath);
  await heading(page, 'This payment is over');
  await look('over');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('button', { name: 'Pay', exact: true }).click();
  await heading(page, 'Paid');
  await look('paid');
  expect(found).toEqual([]);
});
