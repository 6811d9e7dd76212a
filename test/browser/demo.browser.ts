import { expect, test, vi } from 'vitest';
import { startDemo } from '../workbench/cli/demo-support.js';
import { useBrowser } from './support.js';
import { violationsOf } from './violations.js';

const browser = useBrowser();

test('the demo leads from the shop to a shipped order, and axe finds nothing on its pages', async () => {
  const demo = await startDemo();
  const { page, complaints } = await browser.open(demo.shop, { viewport: { width: 390, height: 844 } });
  const found: string[] = [];
  const look = async (name: string) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      for (const violation of await violationsOf(page)) found.push(`${name} ${colorScheme} ${violation}`);
      const excess = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
      if (excess !== 0) found.push(`${name} is ${String(excess)} px too wide`);
    }
  };

  await look('shop');
  await page.getByRole('button', { name: 'Pay in installments' }).click();
  await page.getByRole('button', { name: 'Pay', exact: true }).click();
  await page.getByText('We have received your payment. Thank you.').waitFor();
  await look('order');
  await vi.waitUntil(() => demo.lines.includes('ship ORDER-1'));

  await page.getByRole('link', { name: 'Shop' }).click();
  await page.getByRole('button', { name: 'Pay in installments' }).click();
  await page.goto(demo.staff);
  await page.getByRole('button', { name: 'Cancel ORDER-2' }).click();
  await demo.mock.settle('ORDER-2-1', 'paid');
  await vi.waitUntil(async () => (await demo.get('/staff')).includes('ORDER-2-1: refund'));
  await page.goto(demo.staff);
  await look('staff');
  await page.getByRole('button', { name: 'It is refunded' }).click();
  await page.getByText('Nothing needs your staff.').waitFor();

  expect(found).toEqual([]);
  expect(complaints).toEqual([]);
});
