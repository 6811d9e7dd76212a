import { createServer } from 'node:http';
import { describe, expect, test, vi } from 'vitest';
import { DEMO_MERCHANT } from '../../../src/entries/mock.js';
import { signWebhook } from '../../../src/entries/webhooks.js';
import { listening } from '../../helpers/listening.js';
import { pay, startDemo } from './demo-support.js';
import { runOnce } from './support.js';

describe('installment-payments demo', () => {
  test('prints three addresses, and serves a page at each', async () => {
    const { lines, shop, staff, inspector } = await startDemo();

    expect(lines[0]).toContain('no money moves');
    for (const [url, content] of [
      [shop, 'Pay in installments'],
      [staff, 'Nothing needs your staff.'],
      [inspector, 'Mock inspector'],
    ] as const) {
      const response = await fetch(url);
      expect(response.status).toBe(200);
      expect(await response.text()).toContain(content);
    }
  });

  test('sends a customer to the payment page, and ships the order after the webhook', async () => {
    const { lines, get, post } = await startDemo();
    const link = (await post('/checkout?order=ORDER-1')).headers.get('location') ?? '';
    const again = await post('/checkout?order=ORDER-1');

    expect(again.headers.get('location')).toBe(link);
    expect(await (await fetch(link)).text()).toContain('12.000.000');
    await pay(link);
    await vi.waitUntil(() => lines.includes('ship ORDER-1'));
    expect(await get('/orders/ORDER-1')).toContain('We have received your payment.');
    expect(lines.join('\n')).toMatch(/initiatePayment {2}ORDER-1-1 {2}APPROVED/);
  });

  test('repeats a payment whose response was lost, and shows its link', async () => {
    const { get, post, mock } = await startDemo();
    await mock.injectFault('initiatePayment', 'connection-reset', { phase: 'after' });

    expect((await post('/checkout?order=ORDER-1')).headers.get('location')).toBe('/orders/ORDER-1');
    expect(await get('/orders/ORDER-1')).toContain('Please do not pay again.');
    const link = await vi.waitUntil(
      async () => /href="([^"]+\/pay\/[^"]+)"/.exec(await get('/orders/ORDER-1')),
      {
        timeout: 10_000,
      },
    );
    expect(link[1]).toContain('http://127.0.0.1:');
    expect(await mock.payments.all()).toHaveLength(1);
  });

  test('refuses a webhook that is not signed, or is signed with another key', async () => {
    const { lines, post, get } = await startDemo();
    const body = JSON.stringify({ referenceId: 'ORDER-1-1', status: 'paid' });
    await post('/checkout?order=ORDER-1');
    const wrong = signWebhook(body, `${DEMO_MERCHANT.secretKey}-other`);

    expect((await post('/webhooks/installments', { body })).status).toBe(401);
    expect((await post('/webhooks/installments', { body, headers: { Signature: wrong } })).status).toBe(401);
    expect(lines).toEqual(
      expect.arrayContaining(['webhook refused: SIGNATURE_MISSING', 'webhook refused: SIGNATURE_MISMATCH']),
    );
    expect(await get('/orders/ORDER-1')).toContain('We are waiting for the confirmation');
  });

  test('lists the decisions of the staff, and carries them out', async () => {
    const { get, post, mock, lines } = await startDemo();
    await post('/checkout?order=ORDER-1');
    await post('/staff?act=cancel&orderId=ORDER-1');
    await mock.settle('ORDER-1-1', 'paid');
    await vi.waitUntil(async () => (await get('/staff')).includes('ORDER-1-1: refund'));
    await post('/staff?act=markRefunded&referenceId=ORDER-1-1');

    expect(await get('/staff')).toContain('Nothing needs your staff.');
    expect(lines).not.toContain('ship ORDER-1');
  });

  test('escapes the name of an order, and responds to unknown pages with 404', async () => {
    const { get, post, shop } = await startDemo();
    const name = '<script>alert(1)</script>';
    await post(`/checkout?order=${encodeURIComponent(name)}`);

    expect(await get('/staff')).toContain('&lt;script&gt;');
    expect(await get('/staff')).not.toContain(name);
    expect((await fetch(`${shop}/nowhere`)).status).toBe(404);
    expect((await fetch(`${shop}/orders/ORDER-9`)).status).toBe(404);
  });

  test.each([
    ['the shop', (port: number) => ['--port', String(port), '--mock-port', '0'], '--port'],
    ['the mock', (port: number) => ['--port', '0', '--mock-port', String(port)], '--mock-port'],
  ])('names the option for another port if the port of %s is in use', async (_server, args, option) => {
    const port = await listening(createServer());
    const { code, out, error } = await runOnce(['demo', ...args(port)]);

    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(error).toBe(
      `127.0.0.1:${port} is in use: choose another port with ${option}. See installment-payments demo --help.`,
    );
  });

  test('ends with SIGINT, and frees its ports', async () => {
    const { stop, shop, inspector } = await startDemo();

    expect(await stop()).toBe(0);
    await expect(fetch(shop)).rejects.toThrow();
    await expect(fetch(inspector)).rejects.toThrow();
  });
});
