import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { startMock } from '../mock/remote/mock-process.js';
import { runExample, startExample } from './run-example.js';

describe('the examples run as they stand', () => {
  test('an invoice goes up from each kind of source, and the fourth is refused', async () => {
    const { code, stdout } = await runExample('examples/upload-invoice.ts');

    expect(code).toBe(0);
    expect(stdout).toMatch(/^a path: \S+$/m);
    expect(stdout).toMatch(/^bytes, with a name: \S+$/m);
    expect(stdout).toMatch(/^a stream, with a name: \S+$/m);
    expect(stdout).toMatch(/^refused: \S+/m);
  });

  test('each outcome is met, and a lost answer leaves one payment', async () => {
    const { code, stdout } = await runExample('examples/outcomes.ts');

    expect(code).toBe(0);
    expect(stdout.split('\n').map((line) => /^\w+/.exec(line)?.[0])).toEqual([
      'accepted',
      'not_sent',
      'rejected',
      'unknown',
      'accepted',
      'payments',
      undefined,
    ]);
    expect(stdout).toContain('payments for ORDER-4: 1');
  });

  test('the lender’s ledger adds up', async () => {
    const { code, stdout } = await runExample('examples/lender-notifications.ts');

    expect(code).toBe(0);
    expect(stdout).toContain('no discrepancies');
    expect(stdout).toContain('50000');
  });

  test('a trace of a payment with one lost answer tells its story', async () => {
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

  test('a mock in another process is driven from a test', async () => {
    const mock = await startMock();
    try {
      const { code, stdout } = await runExample('examples/remote-mock.ts', [mock.url]);

      expect(code).toBe(0);
      expect(stdout).toContain('invoice  APPROVED, by the shop');
      expect(stdout).toContain('payments 1, paid');
      expect(stdout).toContain('refused  The payment is paid already and cannot become declined.');
    } finally {
      await mock.stop();
    }
  }, 30_000);

  test('the checkout redirects a good order to its payment URL and explains a bad one', async () => {
    const child = startExample('examples/checkout-express.ts');
    try {
      const url = await new Promise<string>((resolve, reject) => {
        let stdout = '';
        child.stdout?.on('data', (data: Buffer) => {
          stdout += data.toString();
          const found = /^Shop at (\S+)$/m.exec(stdout)?.[1];
          if (found !== undefined) resolve(found);
        });
        child.once('close', () => {
          reject(new Error(`the shop ended early: ${stdout}`));
        });
      });
      const post = (reference: string) =>
        fetch(`${url}/checkout/${reference}`, { method: 'POST', redirect: 'manual' });

      const good = await post('DON-HANG:2026-0001');
      expect(good.status).toBe(303);
      expect(good.headers.get('location')).toMatch(/^http:\/\/127\.0\.0\.1:\d+\//);

      const bad = await post('FREE-OF-CHARGE');
      expect(bad.status).toBe(400);
      expect(await bad.json()).toMatchObject({
        error: 'VALIDATION',
        issues: [{ path: ['amount', 'value'] }],
      });

      expect((await post('NOBODYS')).status).toBe(404);
    } finally {
      child.kill('SIGTERM');
      await once(child, 'close');
    }
  });
});
