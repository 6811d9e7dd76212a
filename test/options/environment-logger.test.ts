import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { InstallmentClient, type InstallmentClientOptions } from '../../src/entries/index.js';
import { LenderClient } from '../../src/entries/lender.js';
import { receipt } from '../helpers/lender-samples.js';
import { approvedPayment, demo, paymentRequest } from '../helpers/samples.js';
import { answering } from '../helpers/scripted-fetch.js';

let written: string[];
beforeEach(() => {
  written = [];
  vi.spyOn(console, 'error').mockImplementation((...line: unknown[]) => void written.push(line.join(' ')));
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

/** Makes one payment, and returns the levels that were written. */
async function levels(variable: string, options: InstallmentClientOptions = {}): Promise<string[]> {
  vi.stubEnv('INSTALLMENT_LOG', variable);
  const { fetch } = answering(approvedPayment());
  await new InstallmentClient({ ...demo, fetch, ...options }).initiatePayment(paymentRequest());
  return written.map((line) => / installment-payments (\w+): /.exec(line)?.[1] ?? line);
}

const silent = { debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn() };

test.each<[string, InstallmentClientOptions, string[]]>([
  ['debug', {}, ['debug', 'info']],
  ['DEBUG', {}, ['debug', 'info']],
  ['info', {}, ['info']],
  ['warn', {}, []],
  ['', {}, []],
  ['info', { logLevel: 'debug' }, ['debug', 'info']],
  ['debug', { logLevel: 'silent' }, []],
  ['debug', { logger: silent }, []],
  ['all', {}, ["INSTALLMENT_LOG must be 'debug', 'info', 'warn' or 'error': nothing is logged"]],
])(
  'INSTALLMENT_LOG=%s and the options %j write to standard error the levels %j',
  async (variable, options, expected) => {
    expect(await levels(variable, options)).toEqual(expected);
  },
);

test('each record is one line with its time, and contains no secret', async () => {
  await levels('debug');
  expect(written[1]).toMatch(
    /^\d{4}-\d\d-\d\dT[\d:.]+Z installment-payments info: initiatePayment attempt 1: accepted \{"operation":.*\}$/,
  );
  expect(written.join()).not.toContain(demo.secretKey);
});

test('a client made by withOptions logs as its origin does, even if INSTALLMENT_LOG has changed', async () => {
  vi.stubEnv('INSTALLMENT_LOG', 'info');
  const { fetch } = answering(approvedPayment());
  const client = new InstallmentClient({ ...demo, fetch });
  vi.stubEnv('INSTALLMENT_LOG', '');
  await client.withOptions({ maxRetries: 0 }).initiatePayment(paymentRequest());
  expect(written).toHaveLength(1);
});

test('a client of a lender logs each attempt to standard error too', async () => {
  vi.stubEnv('INSTALLMENT_LOG', 'info');
  const { fetch } = answering({});
  const options = { baseUrl: 'https://service.example', lenderCode: 'L', serviceApplicationId: 'A' };
  await new LenderClient({ ...options, fetch }).notifyPaymentReceipt(receipt());
  expect(written).toEqual([expect.stringMatching(/ info: paymentReceipt attempt 1: accepted /)]);
});
