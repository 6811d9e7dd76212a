import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { address } from '../../examples/shop/test-support.js';
import { freePort } from '../helpers/free-port.js';
import { connectMock } from '../../src/entries/remote.js';
import { startMock } from '../workbench/remote/mock-process.js';
import { runExample, startExample, untilPrinted } from './run-example.js';

describe('the examples', () => {
  test('upload an invoice from each kind of source, and a fourth invoice is refused', async () => {
    const { code, stdout } = await runExample('examples/upload-invoice.ts');

    expect(code).toBe(0);
    expect(stdout).toMatch(/^a path: \S+$/m);
    expect(stdout).toMatch(/^bytes, with a name: \S+$/m);
    expect(stdout).toMatch(/^a stream, with a name: \S+$/m);
    expect(stdout).toMatch(/^refused: \S+/m);
  });

  test('show each outcome, and a lost response leaves one payment', async () => {
    const { code, stdout } = await runExample('examples/outcomes.ts');

    expect(code).toBe(0);
    expect(stdout.split('\n').map((line) => /^\w+/.exec(line)?.[0])).toEqual([
      'accepted',
      'not_sent',
      'rejected',
      'unknown',
      'accepted',
      'unknown',
      'unknown',
      'payments',
      undefined,
    ]);
    expect(stdout).toContain('payments for ORDER-4: 1');
  });

  test('sum up the lender’s ledger', async () => {
    const { code, stdout } = await runExample('examples/lender-notifications.ts');

    expect(code).toBe(0);
    expect(stdout).toContain('no discrepancies');
    expect(stdout).toContain('50000');
  });

  test('show the trace of a payment with one lost response', async () => {
    const { code, stdout, stderr } = await runExample('examples/opentelemetry.ts');

    expect(stderr).toBe('');
    expect(code).toBe(0);
    expect(stdout.split('\n').map((line) => line.replace(/^ +\d+ +\d+ {4}/, '').trimEnd())).toEqual([
      '  start   took ms    span',
      'checkout',
      '  installment.initiatePayment     reference=ORDER-1  outcome=accepted  status=APPROVED',
      '    POST                          outcome=unknown  error=CONNECTION  ECONNRESET (read)',
      '    POST                          resend=1  http=200  outcome=accepted  status=APPROVED',
      '',
      'metric',
      expect.stringMatching(
        /^installment\.call\.duration \{initiatePayment, accepted\}: 1 call, sum \d\.\d s$/,
      ),
      'installment.call.attempts {initiatePayment, accepted}: 1 call, sum 2.0 {attempt}',
      '',
      'payments at the service: 1',
      '',
    ]);
  });

  test('drive a mock in another process from a test', async () => {
    const mock = await startMock();
    try {
      const { code, stdout } = await runExample('examples/remote-mock.ts', [mock.url]);

      expect(code).toBe(0);
      expect(stdout).toContain('invoice  APPROVED, by the shop');
      expect(stdout).toContain('payments 1, paid');
      expect(stdout).toContain('refused  The payment is already paid and cannot become declined.');
    } finally {
      await mock.stop();
    }
  }, 30_000);

  test("sell something against the shop's own mock, and receive the webhook of the payment", async () => {
    const folder = await mkdtemp(join(tmpdir(), 'shop-'));
    const port = await freePort();
    const child = await startExample('examples/shop/index.ts', [], {
      PORT: String(port),
      SHOP_DATABASE: join(folder, 'shop.db'),
      SWEEP_EVERY_MS: '500',
    });
    try {
      const url = `http://127.0.0.1:${port}`;
      await untilPrinted(child, /^Shop at (\S+)$/m);
      const post = (to: string, form: Record<string, string>, cookie = '') =>
        fetch(to, {
          method: 'POST',
          body: new URLSearchParams(form),
          headers: { cookie, origin: new URL(to).origin },
          redirect: 'manual',
        });
      const cart = (await post(`${url}/cart`, { add: 'TL-2' })).headers.getSetCookie()[0]?.split(';')[0];
      const paymentUrl = (await post(`${url}/orders`, address, cart)).headers.get('location') ?? '';
      const paid = await post(paymentUrl, { outcome: 'paid' });

      expect(paid.status).toBe(303);
      const returnUrl = paid.headers.get('location') ?? '';
      await expect.poll(async () => (await fetch(returnUrl)).text()).toContain('Your order is on its way.');
      const mock = connectMock(new URL(paymentUrl).origin);
      await expect.poll(() => mock.invoices.all(), { timeout: 10_000 }).toHaveLength(1);
    } finally {
      child.kill('SIGTERM');
      await once(child, 'close');
      await rm(folder, { recursive: true });
    }
  });

  test('do not start the shop with incomplete settings of a service', async () => {
    const { code, stderr } = await runExample('examples/shop/index.ts', [], {
      INSTALLMENT_BASE_URL: 'https://pay.example',
    });

    expect(code).toBe(1);
    for (const option of ['clientId', 'secretKey', 'merchantId', 'storeId', 'platformId'])
      expect(stderr).toContain(option);
  });
});
