import { expect, it } from 'vitest';
import { useSite } from './served-site.js';
import { useBrowser } from './support.js';
import { violationsOf } from './violations.js';

const browser = useBrowser();
const urlOf = useSite();
const paths = [
  '/',
  '/vi/',
  '/guide/go-live.html',
  '/guide/webhooks.html',
  '/reference/',
  '/reference/installment-payments/classes/InstallmentClient.html',
];

it.each([
  [1440, 'light'],
  [390, 'light'],
  [390, 'dark'],
] as const)('a page of %d pixels, %s, passes axe and is not too wide', async (width, colorScheme) => {
  const { page, complaints } = await browser.open(urlOf('/'), {
    viewport: { width, height: 844 },
    colorScheme,
  });
  const found: string[] = [];
  for (const path of paths) {
    // The search index and all scripts are loaded first: a busy machine needs Playwright's own time for a navigation.
    await page.goto(urlOf(path), { waitUntil: 'networkidle', timeout: 30_000 });
    for (const violation of await violationsOf(page)) found.push(`${path} ${violation}`);
    const excess = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
    if (excess !== 0) found.push(`${path} is ${String(excess)} px too wide`);
  }

  expect(found).toEqual([]);
  expect(complaints).toEqual([]);
});
