import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { builtSite } from '../helpers/built-site.js';
import { useBrowser } from './support.js';
import { violationsOf } from './violations.js';

const browser = useBrowser();
const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};
const paths = [
  '/',
  '/vi/',
  '/guide/go-live.html',
  '/guide/webhooks.html',
  '/reference/',
  '/reference/installment-payments/classes/InstallmentClient.html',
];

let server: Server;
let url: string;
beforeAll(async () => {
  const site = await builtSite();
  server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '/', 'http://site').pathname);
    const file = path.endsWith('/') ? `${path}index.html` : path;
    readFile(join(site, file)).then(
      (bytes) => response.setHeader('content-type', types[extname(file)] ?? 'text/plain').end(bytes),
      () => response.writeHead(404).end(),
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
}, 600_000);
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

it.each([
  [1440, 'light'],
  [390, 'light'],
  [390, 'dark'],
] as const)('a page of %d pixels, %s, passes axe and is not too wide', async (width, colorScheme) => {
  const { page, complaints } = await browser.open(url, { viewport: { width, height: 844 }, colorScheme });
  const found: string[] = [];
  for (const path of paths) {
    await page.goto(url + path, { waitUntil: 'networkidle' });
    for (const violation of await violationsOf(page)) found.push(`${path} ${violation}`);
    const excess = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
    if (excess !== 0) found.push(`${path} is ${String(excess)} px too wide`);
  }

  expect(found).toEqual([]);
  expect(complaints).toEqual([]);
});

it('the search finds a guide and a page of the reference', async () => {
  const { page } = await browser.open(url, { viewport: { width: 1440, height: 844 } });
  await page.getByRole('button', { name: 'Search' }).click();
  for (const [words, found] of [
    ['rotate the secret key', '/guide/operations.html'],
    ['InstallmentClient', '/reference/installment-payments/classes/InstallmentClient.html'],
  ]) {
    await page.getByRole('searchbox').fill(words ?? '');
    await page
      .locator(`.results a[href^="${found ?? ''}"]`)
      .first()
      .waitFor();
  }
  expect(await page.locator('.results a').count()).toBeGreaterThan(0);
});

it('the search of the Vietnamese page is in Vietnamese', async () => {
  const { page } = await browser.open(new URL('/vi/', url).href, { viewport: { width: 1440, height: 844 } });
  await page.getByRole('button', { name: 'Tìm kiếm' }).click();
  await page.getByRole('searchbox').fill('zzzz');
  const none = page.getByText('Không có kết quả cho');
  await none.waitFor();
  expect(await none.textContent()).toContain('zzzz');
});
