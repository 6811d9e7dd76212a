import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { serve } from '@hono/node-server';
import type { Page } from 'playwright-core';
import { afterEach, expect, it } from 'vitest';
import { InstallmentClient } from 'installment-payments';
import { createMockService, DEMO_MERCHANT } from 'installment-payments/mock';
import { ShopDatabase } from '../../examples/shop/database.js';
import { createShop } from '../../examples/shop/shop.js';
import { address, merchant } from '../../examples/shop/test-support.js';
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

/** From the first page to the button that pays. */
async function checkOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Add to cart: Tủ lạnh' }).click();
  await page.getByRole('button', { name: 'Check out' }).click();
  await fillCheckout(page);
}
const payButton = (page: Page) => page.getByRole('button', { name: 'Pay by installments' });
const heading = (page: Page, name: string) => page.getByRole('heading', { name }).waitFor();

/** A shop in this process, whose requests to the service go through a server that holds an upload until it is told. */
async function shopWithSlowUpload() {
  const port = await freePort();
  const shopUrl = `http://127.0.0.1:${String(port)}`;
  const mock = createMockService({ webhook: { url: `${shopUrl}/webhooks/installments` } });
  const server = await mock.listen();
  ends.push(() => server.close());
  const gate = new EventEmitter();
  const opened = once(gate, 'open');
  const slow = createServer((incoming, response) => {
    const { method, headers, url = '' } = incoming;
    void (url.includes('upload') ? opened : Promise.resolve()).then(() => {
      const forwarded = request(server.url + url, { method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      });
      incoming.pipe(forwarded).on('error', () => response.destroy());
    });
  }).listen(0, '127.0.0.1');
  await once(slow, 'listening');
  ends.push(() => {
    slow.closeAllConnections();
    slow.close();
  });
  const data = new Uint8Array(5_000_000);
  data.set(new TextEncoder().encode('%PDF-1.7\n'));
  const { clientId, secretKey } = DEMO_MERCHANT;
  const { merchantId, storeId, platformId } = merchant;
  const baseUrl = `http://127.0.0.1:${String((slow.address() as AddressInfo).port)}`;
  const database = await ShopDatabase.open(':memory:');
  let minutes = 0;
  const shop = createShop({
    ...merchant,
    shopUrl,
    client: new InstallmentClient({ baseUrl, clientId, secretKey, merchantId, storeId, platformId, maxRetries: 0 }), // prettier-ignore
    database,
    secretKey,
    staffPassword: 'staff-password',
    invoiceFor: () => ({ data }),
    now: () => new Date(Date.now() + minutes * 60_000),
  });
  const listener = serve({
    fetch: shop.app.fetch,
    port,
    hostname: '127.0.0.1',
    overrideGlobalObjects: false,
  });
  ends.push(() => {
    if ('closeAllConnections' in listener) listener.closeAllConnections();
    listener.close();
    database.close();
  });
  const resumeAfter = (later: number) => {
    minutes += later;
    return shop.resume();
  };
  return { resumeAfter, mock, shopUrl, release: () => gate.emit('open') };
}

it('the upload of the invoice shows its progress', { timeout: 60_000 }, async () => {
  const { mock, shopUrl, release } = await shopWithSlowUpload();
  const { page, complaints } = await browser.open(shopUrl);
  await checkOut(page);
  await payButton(page).click();
  await page.getByRole('button', { name: 'Pay', exact: true }).click();
  await heading(page, 'Paid');

  const progress = page.getByRole('progressbar', { name: 'Sending the invoice' });
  const percent = async () => Number(await progress.getAttribute('value'));
  await expect.poll(percent, { timeout: 5000 }).toBeGreaterThan(0);
  expect(await percent()).toBeLessThan(100);

  release();
  await page.getByText('The invoice was sent.').waitFor();
  expect(mock.invoices.all()).toMatchObject([{ file: { size: 5_000_000 } }]);
  expect(complaints).toEqual([]);
});

it('axe finds nothing on any page, light or dark, and none is too wide', { timeout: 60_000 }, async () => {
  const { resumeAfter, mock, shopUrl, release } = await shopWithSlowUpload();
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
  await look('starting');
  const orderPath = new URL(page.url()).pathname;
  const reference = `${orderPath.split('/')[2] ?? ''}-1`;
  await resumeAfter(1);
  await open(orderPath, 'waiting');
  await open(`${orderPath}/return`, 'returned');
  await open('/staff', 'staff');
  mock.settle(reference, 'declined');
  await page.goto(shopUrl + orderPath);
  await heading(page, 'The payment did not go through');
  await look('declined');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('button', { name: 'Pay', exact: true }).click();
  await heading(page, 'Paid');
  await look('paid');
  release();
  await page.getByText('The invoice was sent.').waitFor();
  await look('invoice sent');
  expect(found).toEqual([]);
});
