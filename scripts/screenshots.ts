import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { createMockService, samplePaymentRequest } from '../src/entries/mock.js';
import { InstallmentClient } from '../src/entries/index.js';
import { fillWithDemoData } from '../test/browser/demo-data.js';
import { initiate, order } from '../test/helpers/signed-requests.js';

// Makes the pictures of the README: `npm run generate -- screenshots`, with Debian's Chromium.
const picture = (name: string) =>
  fileURLToPath(new URL(`../examples/screenshots/${name}.png`, import.meta.url));

const mock = createMockService();
const server = await mock.listen();
const { url } = server;
await fillWithDemoData(mock, url);
for (const key of ['KEY-1', 'KEY-2']) {
  const { path, init } = initiate(order({ referenceId: 'ORDER:2026-0006' }), { key });
  await fetch(url + path, init);
}
// This is a mistake in PHP: signed with json_encode, which escapes slashes and Vietnamese letters, and sent without
// escapes.
const body = JSON.stringify(order({ referenceId: 'ORDER:2026-0007' }));
const escaped = body
  .replaceAll('/', String.raw`\/`)
  .replaceAll(
    /[^\x20-\x7e]/g,
    (character) => String.raw`\u` + character.charCodeAt(0).toString(16).padStart(4, '0'),
  );
const { path, init } = initiate(escaped);
await fetch(url + path, { ...init, body });

const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
const page = await browser.newPage({ viewport: { width: 900, height: 1400 }, colorScheme: 'light' });
await page.goto(`${url}/_mock/ui/requests/${String(mock.journal.all().at(-1)?.id)}`);
await page.getByText('Live').waitFor();
await page
  .getByRole('region', { name: 'The signature does not match' })
  .screenshot({ path: picture('signature') });

const client = new InstallmentClient({ ...mock.clientOptions(), baseUrl: url });
const { paymentUrl } = await client.initiatePayment(
  samplePaymentRequest({ referenceId: 'ORDER-1-1', transExpiredTime: 15 * 60_000 }),
);
await page.setViewportSize({ width: 900, height: 560 });
await page.goto(paymentUrl);
await page.getByRole('button', { name: 'Pay', exact: true }).waitFor();
await page.screenshot({ path: picture('payment-page') });
await browser.close();
await server.close();
