import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { InstallmentClient } from '../../src/entries/index.js';
import { demoClient, invoiceUpload, paymentRequest, rejection } from '../helpers/samples.js';
import { unreachable } from '../helpers/scripted-fetch.js';

describe('customer data as the name of a field', () => {
  const canaries = ['nguyen.van.an@example.com', '0912345678', 'Nguyễn Văn An'];
  const calls: readonly (readonly [string, (key: string, client: InstallmentClient) => Promise<unknown>])[] =
    [
      ['a request', (key, client) => client.initiatePayment({ ...paymentRequest(), [key]: 1 })],
      [
        'an object inside',
        (key, client) =>
          client.initiatePayment(paymentRequest({ customer: { ...paymentRequest().customer, [key]: 1 } })),
      ],
      [
        'extraData',
        (key, client) => client.uploadInvoice(invoiceUpload({ extraData: { [key]: { deep: NaN } } })),
      ],
      ['the options', (key, client) => client.initiatePayment(paymentRequest(), { [key]: 1 })],
      ['a body of post', (key, client) => client.post('/v2/refunds', { list: [{ [key]: () => 1 }] })],
    ];

  test.each(calls)(
    'is not quoted from %s, in messages, paths, JSON, inspection or the log',
    async (_name, call) => {
      for (const key of canaries) {
        const lines: unknown[] = [];
        const log = (...line: unknown[]) => void lines.push(line);
        const logger = { debug: log, info: log, warn: log, error: log };
        const error = await rejection(
          call(key, demoClient({ fetch: unreachable().fetch, logger, logLevel: 'debug' })),
        );
        expect(error).toMatchObject({ code: 'VALIDATION' });
        const shown = [String(error), JSON.stringify(error), inspect(error, { depth: 9, showHidden: true })];
        for (const text of shown) expect(text).toContain('[redacted]');
        for (const text of [...shown, inspect(lines, { depth: 9 })]) expect(text).not.toContain(key);
      }
    },
  );
});
