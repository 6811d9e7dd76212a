import { describe, expect, it } from 'vitest';
import { initiate, order } from '../helpers/signed-requests.js';
import { useBrowser, type RunningMock } from './support.js';

const browser = useBrowser();

async function paymentUrl(running: RunningMock, changes: object): Promise<string> {
  const answer = await running.send(initiate(order(changes)));
  const { paymentUrl: url } = (await answer.json()) as { paymentUrl: string };
  return url;
}

async function atShop(changes: object = {}) {
  const running = await browser.start();
  const shop = await browser.shop();
  const urls = { successRedirectUrl: `${shop.url}/paid`, unSuccessRedirectUrl: `${shop.url}/not-paid` };
  return { running, shop, url: await paymentUrl(running, { ...urls, ...changes }) };
}

describe('the buttons of the payment page', () => {
  it.each([
    ['Pay', 'paid', '/paid'],
    ['Decline', 'declined', '/not-paid'],
    ['Let it expire', 'expired', '/not-paid'],
  ])('for %s settle the payment as %s and return to the shop', async (button, status, path) => {
    const { running, shop, url } = await atShop();
    const { page, complaints } = await browser.open(url);
    await page.getByRole('button', { name: button }).click();
    await page.waitForURL(shop.url + path);
    expect(running.mock.payments.get('ORDER:2026-0001')?.status).toBe(status);
    expect(complaints).toEqual([]);
  });

  it('follow a redirect of the shop to another origin', async () => {
    const shop = await browser.shop();
    const running = await browser.start();
    const url = await paymentUrl(running, { successRedirectUrl: `${shop.url}/moved/thanks` });
    const { page, complaints } = await browser.open(url);
    await page.getByRole('button', { name: 'Pay' }).click();
    await page.waitForURL(`${shop.otherOrigin}/thanks`);
    expect(complaints).toEqual([]);
  });

  it('lead to the deep link of an app', async () => {
    const { running, url } = await atShop({ successRedirectUrl: 'shopapp://orders/1?paid=yes' });
    const { page, complaints } = await browser.open(url);
    const answered = page.waitForResponse((response) => response.request().method() === 'POST');
    await page.getByRole('button', { name: 'Pay' }).click();
    const response = await answered;
    expect(response.status()).toBe(303);
    expect(await response.headerValue('location')).toBe('shopapp://orders/1?paid=yes');
    expect(running.mock.payments.get('ORDER:2026-0001')?.status).toBe('paid');
    expect(complaints.join('\n')).not.toContain('Content Security Policy');
  });

  it('work without JavaScript', async () => {
    const { running, shop, url } = await atShop();
    const { page } = await browser.open(url, { javaScriptEnabled: false });
    await page.getByRole('button', { name: 'Decline' }).click();
    await page.waitForURL(`${shop.url}/not-paid`);
    expect(running.mock.payments.get('ORDER:2026-0001')?.status).toBe('declined');
  });
});

describe('the payment page on a phone', () => {
  it.each(['light', 'dark'] as const)('has the Pay button on its first screen (%s)', async (colorScheme) => {
    const { url } = await atShop({
      lang: 'vi',
      transExpiredTime: 900_000,
      description: 'Một đơn hàng dài '.repeat(6),
    });
    for (const [width, height] of [
      [390, 844],
      [375, 667],
    ] as const) {
      const { page } = await browser.open(url, { viewport: { width, height }, colorScheme });
      const button = await page.getByRole('button', { name: 'Thanh toán' }).boundingBox();
      expect((button?.y ?? NaN) + (button?.height ?? NaN)).toBeLessThan(height);
    }
  });
});

describe('the time of a payment', () => {
  it('runs down, and at its end the page says that the payment has expired', async () => {
    const { url, shop } = await atShop({ transExpiredTime: 1500 });
    const { page, complaints } = await browser.open(url);
    const clock = page.getByRole('timer', { name: 'Time left' });
    expect(await clock.innerText()).toMatch(/^00:0[12]$/);
    await page.getByRole('heading', { name: 'Expired' }).waitFor();
    expect(await page.getByRole('button').count()).toBe(0);
    await page.getByRole('link', { name: 'Back to the shop' }).click();
    await page.waitForURL(`${shop.url}/not-paid`);
    expect(complaints).toEqual([]);
  });
});
