import { describe, expect, it } from 'vitest';
import { dong } from '../../../src/mock/ui/elements.js';
import { remaining } from '../../../src/mock/payment-page/remaining.js';
import { returnSources, returnUrl } from '../../../src/mock/payment-page/return-url.js';
import { mockPages } from '../../workbench/inspector/support.js';
import { initiate, order } from '../../helpers/signed-requests.js';

const path = '/pay/00000001';

describe('the payment page', () => {
  it('shows the order with the data that its customer entered', async () => {
    const { send, text } = mockPages();
    await send(
      initiate(
        order({
          installment: { packageId: 'PKG-6M' },
          seller: { id: 'S-1', name: 'Điện máy Kim Mã' },
          transExpiredTime: 900_000,
        }),
      ),
    );
    const shown = await text(path);
    expect(shown).toContain('Order ORDER:2026-0001 from Điện máy Kim Mã');
    expect(shown).toContain('12.000.000\u00a0₫ Tủ lạnh hai cánh');
    expect(shown).toContain('Quantity 1 × 12.000.000\u00a0₫');
    expect(shown).toContain('Customer An Nguyễn');
    expect(shown).toContain('Installment package PKG-6M');
    expect(shown).toContain('Time left 15:00 Pay before 20/11/2026 10:19:05 (+07:00)');
  });

  it('is in Vietnamese if the shop asked for it, with the family name first', async () => {
    const { send, text, page } = mockPages();
    await send(initiate(order({ lang: 'vi' })));
    expect(await text(path)).toContain('Khách hàng Nguyễn An');
    expect(await text(path)).toContain('Thanh toán Từ chối Để hết hạn');
    expect(await page(path)).toContain('<html lang="vi">');
  });

  it('shows the merchant if the seller has no name, and the description of an item', async () => {
    const { send, text } = mockPages();
    const item = { productId: 'A', productName: 'Quạt', category: 'c', currency: 'VND', description: 'Đứng' };
    await send(initiate(order({ items: [{ ...item, quantity: 2, price: 0.5, totalAmount: 1 }] })));
    const shown = await text(path);
    expect(shown).toContain('from DEMO-MERCHANT');
    expect(shown).toContain('Quạt Đứng Quantity 2 × 0,5\u00a0₫ 1\u00a0₫');
    expect(shown).toContain('Time left 15:00');
  });

  it.each([
    ['paid', 'https://shop.example/paid', 'Paid The payment went through'],
    ['declined', 'https://shop.example/not-paid', 'Declined The payment was declined'],
    ['expired', 'https://shop.example/not-paid', 'Expired The time for this payment is over'],
  ])('ends a payment as %s, and then shows that', async (outcome, location, words) => {
    const { send, post, text, page } = mockPages();
    await send(initiate());
    const answer = await post(path, { outcome });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, location]);
    expect(await text(path)).toContain(words);
    expect(await page(path)).not.toContain('<form');
    const again = await post(path, { outcome });
    expect([again.status, again.headers.get('location')]).toEqual([303, location]);
  });

  it('refuses a different outcome for a settled payment, and shows the actual outcome', async () => {
    const { mock, send, post } = mockPages();
    await send(initiate());
    mock.settle('ORDER:2026-0001', 'declined');
    const answer = await post(path, { outcome: 'paid' });
    expect(answer.status).toBe(409);
    expect(await answer.text()).toContain('Declined');
  });

  it('is shown again with status 400 after an unknown outcome', async () => {
    const { mock, send, post } = mockPages();
    await send(initiate());
    for (const fields of [{}, { outcome: 'toString' }, { outcome: 'refunded' }]) {
      expect((await post(path, fields)).status).toBe(400);
    }
    expect(mock.payments.get('ORDER:2026-0001')?.status).toBe('pending');
  });

  it('shows a payment whose expiry is beyond the range of dates, on its page and in the list', async () => {
    const { send, get } = mockPages();
    await send(initiate(order({ transExpiredTime: Number.MAX_SAFE_INTEGER })));
    expect((await get(path)).status).toBe(200);
    expect((await get('/_mock/ui/payments')).status).toBe(200);
  });

  it('responds with 404 in both languages for an unknown payment', async () => {
    const { get, post } = mockPages();
    const answer = await get('/pay/00000009');
    expect(answer.status).toBe(404);
    expect(await answer.text()).toMatch(/There is no such payment.*Không tìm thấy giao dịch thanh toán này/s);
    expect((await post('/pay/00000009', { outcome: 'paid' })).status).toBe(404);
  });

  it('allows its form to lead only to the web and to the app of this payment', async () => {
    const { send, get, post } = mockPages();
    await send(initiate(order({ successRedirectUrl: 'shopapp://paid?order=1' })));
    const policy = (await get(path)).headers.get('content-security-policy') ?? '';
    expect(policy.split('; ')).toContain("form-action 'self' http: https: shopapp:");
    expect((await post(path, { outcome: 'paid' })).headers.get('location')).toBe('shopapp://paid?order=1');
  });
});

describe('the redirect back to the shop', () => {
  const payment = (successRedirectUrl: string) =>
    ({ request: { successRedirectUrl, unSuccessRedirectUrl: 'https://shop.example/no' } }) as Parameters<
      typeof returnUrl
    >[0];

  it.each(['javascript:alert(1)', 'no url'])('is never %s', (url) => {
    expect(returnUrl(payment(url), 'paid')).toBeUndefined();
    expect(returnSources(payment(url))).toEqual(['http:', 'https:']);
  });

  it('adds only valid scheme names to the policy', () => {
    expect(returnSources(payment("https://shop.example;script-src *'unsafe-inline'/"))).toEqual([
      'http:',
      'https:',
    ]);
  });
});

it.each([
  [12_000_000, '12.000.000\u00a0₫'],
  [0, '0\u00a0₫'],
  [1234.5, '1.234,5\u00a0₫'],
  [-1500, '-1.500\u00a0₫'],
])('the amount %d is written as %s', (amount, text) => {
  expect(dong(amount)).toBe(text);
});

it.each([
  [900_000, '15:00'],
  [59_000, '00:59'],
  [3_723_000, '1:02:03'],
  [-5, '00:00'],
])('the rest of %d milliseconds is written as %s', (left, text) => {
  expect(remaining(left)).toBe(text);
});
