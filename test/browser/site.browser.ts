import { expect, it } from 'vitest';
import { useSite } from './served-site.js';
import { useBrowser } from './support.js';

const browser = useBrowser();
const urlOf = useSite();

it('the search finds a guide and a page of the reference', async () => {
  const { page } = await browser.open(urlOf('/'), { viewport: { width: 1440, height: 844 } });
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
  const { page } = await browser.open(urlOf('/vi/'), { viewport: { width: 1440, height: 844 } });
  await page.getByRole('button', { name: 'Tìm kiếm' }).click();
  await page.getByRole('searchbox').fill('zzzz');
  const none = page.getByText('Không có kết quả cho');
  await none.waitFor();
  expect(await none.textContent()).toContain('zzzz');
});
