import { expect, it } from 'vitest';
import { initiate, order } from '../helpers/signed-requests.js';
import { fillWithDemoData } from './demo-data.js';
import { useBrowser, type RunningMock } from './support.js';
import { violationsOf } from './violations.js';

const browser = useBrowser();

/** A mock whose pages show each of their states, and the paths to them. */
async function everyPage(): Promise<RunningMock & { paths: string[] }> {
  const shop = await browser.shop();
  const running = await browser.start({ webhook: { url: `${shop.url}/hook` } });
  const { mock, url } = running;
  await fillWithDemoData(mock, url);
  mock.injectFault('initiatePayment', 'html-502', { phase: 'after' });
  const { path, init } = initiate(order({ referenceId: 'LOST' }));
  await fetch(url + path, init);
  mock.injectFault('uploadInvoice', 'hang', { times: 3, referenceId: 'ORDER:2026-0009', phase: 'after' });
  mock.respondWith('initiatePayment', { resultStatus: 'DOWNSTREAM_ERROR', httpStatus: 503 });
  for (const key of ['KEY-1', 'KEY-2', undefined]) {
    const again = initiate(order({ referenceId: 'TWO-KEYS' }), { ...(key !== undefined && { key }) });
    await fetch(url + again.path, again.init);
  }
  const lost = mock.journal.find({ referenceId: 'LOST' });
  mock.settle('ORDER:2026-0004', 'expired');
  const refused = mock.journal.filter(({ diagnosis }) => diagnosis !== undefined);
  const paths = [
    ...['00000001', '00000002', '00000003', '00000004', 'unknown'].map((token) => `/pay/${token}`),
    '/_mock',
    '/_mock?search=none',
    ...[1, ...refused.map(({ id }) => id), lost?.id, 999].map((id) => `/_mock/ui/requests/${String(id)}`),
    '/_mock/ui/payments',
    '/_mock/ui/payments/00000001',
    '/_mock/ui/payments/00000002',
    '/_mock/ui/lender',
    '/_mock/ui/controls',
    '/_mock/ui/findings',
  ];
  return { ...running, paths };
}

it.each([
  { width: 1440, widths: [1440], looks: ['light'] },
  { width: 390, widths: [360, 390], looks: ['light', 'dark'] },
] as const)(
  'no page of $width pixels is too wide, and axe finds nothing on it in $looks',
  async ({ width, widths, looks }) => {
    const { url, paths } = await everyPage();
    const { page } = await browser.open(`${url}/_mock`, { viewport: { width, height: 844 } });
    const found: string[] = [];
    for (const path of paths) {
      await page.goto(url + path);
      for (const each of widths) {
        await page.setViewportSize({ width: each, height: 844 });
        const excess = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
        if (excess !== 0) found.push(`${path} at ${String(each)}: ${String(excess)} px too wide`);
      }
      for (const colorScheme of looks) {
        await page.emulateMedia({ colorScheme });
        for (const violation of await violationsOf(page)) found.push(`${path} ${colorScheme} ${violation}`);
      }
    }
    expect(found).toEqual([]);
  },
);
