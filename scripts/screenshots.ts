import { fileURLToPath } from 'node:url';
import { chromium, type Page } from 'playwright-core';
import { createMockService } from '../src/mock/index.js';
import { fillWithDemoData } from '../test/browser/demo-data.js';
import { initiate, order } from '../test/helpers/signed-requests.js';

// Takes the pictures of the README: `npm run generate -- screenshots`, with Debian's Chromium.
const folder = new URL('../examples/screenshots/', import.meta.url);

type Region = Readonly<Record<'x' | 'y' | 'width' | 'height', number>>;

async function take(page: Page, name: string, clip: Region): Promise<void> {
  await page.screenshot({ clip, path: fileURLToPath(new URL(`${name}.png`, folder)) });
}

const mock = createMockService();
const server = await mock.listen();
const { url } = server;
await fillWithDemoData(mock, url);
for (const key of ['KEY-1', 'KEY-2']) {
  const { path, init } = initiate(order({ referenceId: 'ORDER:2026-0006' }), { key });
  await fetch(url + path, init);
}
// As PHP does: signed with json_encode, which escapes slashes and Vietnamese letters, and sent without.
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
const diagnosis = await page.getByRole('region', { name: 'The signature does not match' }).boundingBox();
if (!diagnosis) throw new Error('the page has no diagnosis');
// Its first lines say enough.
await take(page, 'signature', { ...diagnosis, height: 303 });

const unpaid = mock.payments.all().find(({ status }) => status === 'pending');
if (!unpaid) throw new Error('there is no payment to make');
await page.setViewportSize({ width: 640, height: 900 });
await page.goto(unpaid.paymentUrl);
await take(page, 'payment', { x: 0, y: 0, width: 640, height: 404 });
await browser.close();
await server.close();
