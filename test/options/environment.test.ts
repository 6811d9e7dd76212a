import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ConfigurationError } from '../../src/index.js';
import { LenderClient } from '../../src/lender/index.js';
import type { LogLevel } from '../../src/http/observer.js';
import {
  approvedPayment,
  demo,
  demoClient,
  paymentRequest,
  rejection,
  thrownBy,
} from '../helpers/samples.js';
import { scriptedFetch } from '../helpers/scripted-fetch.js';

const lines: string[] = [];
beforeEach(() => {
  lines.length = 0;
  vi.spyOn(console, 'error').mockImplementation((line: string) => void lines.push(line));
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

/** A reset, then an approval; then a refusal. */
async function callTwice(options: Parameters<typeof demoClient>[0] = {}): Promise<void> {
  const { fetch } = scriptedFetch((_request, index) => {
    if (index === 0) throw Object.assign(new Error('x'), { code: 'ECONNRESET', syscall: 'read' });
    return Response.json(index === 1 ? approvedPayment() : { resultStatus: 'INVALID_AMOUNT' });
  });
  const client = demoClient({ fetch, ...options });
  await client.initiatePayment(paymentRequest(), { idempotencyKey: 'k' });
  await rejection(client.initiatePayment(paymentRequest(), { idempotencyKey: 'k' }));
}

describe('INSTALLMENT_LOG', () => {
  it.each<readonly [LogLevel, readonly string[]]>([
    ['debug', ['debug', 'warn', 'info', 'info', 'debug', 'warn', 'error']],
    ['info', ['warn', 'info', 'info', 'warn', 'error']],
    ['warn', ['warn', 'warn', 'error']],
    ['error', ['error']],
    ['silent', []],
  ])('writes lines to standard error from its level on: %s', async (level, levels) => {
    vi.stubEnv('INSTALLMENT_LOG', level);
    await callTwice();
    expect(lines.map((line) => /^installment-payments (\w+): /.exec(line)?.[1])).toEqual(levels);
  });

  it('writes a message and a record that is JSON, on one line, with nothing personal', async () => {
    vi.stubEnv('INSTALLMENT_LOG', 'debug');
    await callTwice();
    const [first = ''] = lines;
    expect(first).toMatch(/^installment-payments debug: initiatePayment is about to be sent \{/);
    expect(JSON.parse(first.slice(first.indexOf('{')))).toEqual({
      operation: 'initiatePayment',
      referenceId: 'ORDER:2026-0001',
      idempotencyKey: 'k',
      method: 'POST',
      host: 'pay.example',
      path: '/v2/payments',
      bodyBytes: 725,
    });
    const { customer, description } = paymentRequest();
    const personal = [demo.secretKey, description, customer.phoneNumber, customer.email];
    const text = lines.join('\n');
    expect(personal.filter((each) => text.includes(each))).toEqual([]);
    expect(lines.filter((line) => line.includes('\n'))).toEqual([]);
  });

  it('is ignored for a client with a logger', async () => {
    vi.stubEnv('INSTALLMENT_LOG', 'anything');
    const own: string[] = [];
    const log = (message: string) => void own.push(message);
    await callTwice({ logger: { debug: log, info: log, warn: log, error: log }, logLevel: 'error' });
    expect(own).toHaveLength(1);
    expect(lines).toEqual([]);
  });

  it.each(['', undefined])('writes nothing when it is %j', async (value) => {
    vi.stubEnv('INSTALLMENT_LOG', value);
    await callTwice();
    expect(lines).toEqual([]);
  });

  it.each(['DEBUG', 'true', '1', 'trace'])('is refused with the list of levels: %s', (value) => {
    vi.stubEnv('INSTALLMENT_LOG', value);
    const lender = { baseUrl: 'https://lender.example' };
    for (const error of [thrownBy(() => demoClient()), thrownBy(() => new LenderClient(lender))]) {
      expect(error).toBeInstanceOf(ConfigurationError);
      expect(error).toMatchObject({ option: 'INSTALLMENT_LOG' });
      expect(String(error)).toContain("must be 'debug', 'info', 'warn', 'error' or 'silent'");
    }
  });
});
