import { describe, expect, test } from 'vitest';
import type { Logger } from '../../src/entries/index.js';
import type { LogLevel } from '../../src/http/observer.js';
import { approvedPayment, demoClient, paymentRequest, rejection } from '../helpers/samples.js';
import { inTurn, reset } from '../helpers/scripted-failures.js';
import { scriptedFetch } from '../helpers/scripted-fetch.js';

type Line = readonly [level: string, message: string, record: Readonly<Record<string, unknown>>];

function recordingLogger(): Logger & { readonly lines: Line[] } {
  const lines: Line[] = [];
  const at = (level: string) => (message: string, record: Readonly<Record<string, unknown>>) =>
    void lines.push([level, message, record]);
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error'), lines };
}

/** A reset, then an approval; then a refusal. */
async function logged(logLevel?: LogLevel): Promise<Line[]> {
  const logger = recordingLogger();
  const { fetch } = inTurn(
    reset,
    () => Response.json(approvedPayment()),
    () => Response.json({ resultStatus: 'INVALID_AMOUNT' }),
  );
  const client = demoClient({ fetch, logger, ...(logLevel && { logLevel }) });
  await client.initiatePayment(paymentRequest(), { idempotencyKey: 'k' });
  await rejection(client.initiatePayment(paymentRequest(), { idempotencyKey: 'k' }));
  return logger.lines;
}

const all = [
  'debug initiatePayment is about to be sent',
  'warn initiatePayment attempt 1: unknown',
  'info initiatePayment attempt 2 follows in 250 ms',
  'info initiatePayment attempt 2: accepted',
  'debug initiatePayment is about to be sent',
  'warn initiatePayment attempt 1: rejected',
  'error initiatePayment failed: INVALID_AMOUNT, outcome rejected',
];

describe('the log', () => {
  test.each([
    ['X-Request-Id', 'X-Request-Id'],
    ['x-amzn-requestid', 'x-amzn-requestid'],
    ['X-Correlation-ID', 'X-Correlation-ID'],
    ['X-Customer', undefined],
    ['X-Request-Id-Of-Customer', undefined],
  ])('contains the name of the header with the request ID, but not its value: %s', async (header, named) => {
    const logger = recordingLogger();
    const headers = { 'X-Value': 'X-Trace-Id', [header]: 'canary-7' };
    const { fetch } = scriptedFetch(() => Response.json(approvedPayment(), { headers }));
    await demoClient({ fetch, logger }).initiatePayment(paymentRequest());
    const [[, , record] = []] = logger.lines;
    expect(record).toMatchObject({ outcome: 'accepted' });
    expect(record?.['requestIdHeader']).toBe(named?.toLowerCase());
    expect(JSON.stringify(logger.lines)).not.toContain('canary-7');
  });

  test.each([
    [
      900,
      [
        'transExpiredTime is less than a minute. It must be a duration in milliseconds: 15 minutes are 900000.',
      ],
    ],
    [900_000, []],
    [1_795_000_000_000, [expect.stringContaining('transExpiredTime is more than 90 days.')]],
  ])(
    'contains a warning about a transExpiredTime in the wrong unit, which is sent: %d',
    async (ms, warnings) => {
      const logger = recordingLogger();
      const { fetch, requests } = scriptedFetch(() => Response.json(approvedPayment()));
      await demoClient({ fetch, logger }).initiatePayment({ ...paymentRequest(), transExpiredTime: ms });
      const warned = logger.lines.filter(([level]) => level === 'warn');
      expect(warned.map(([, message]) => message)).toEqual(warnings);
      expect(requests).toHaveLength(1);
    },
  );

  test('contains a debug record about an amount that is ten times the items or more, without the amount', async () => {
    const lines = async (value: number) => {
      const logger = recordingLogger();
      const { fetch } = scriptedFetch(() => Response.json(approvedPayment()));
      const client = demoClient({ fetch, logger, logLevel: 'debug' });
      await client.initiatePayment(paymentRequest({ amount: { value } }));
      return logger.lines;
    };
    const sum = paymentRequest().items.reduce((total, item) => total + item.price * item.quantity, 0);
    const size =
      'The sum of the items is a tenth of amount.value or less: check that all amounts are in VND.';
    const record = { operation: 'initiatePayment', referenceId: 'ORDER:2026-0001' };
    expect((await lines(sum * 100))[0]).toEqual(['debug', size, record]);
    expect((await lines(sum))[0]?.[1]).toBe('initiatePayment is about to be sent');
  });

  test.each<readonly [LogLevel | undefined, readonly string[]]>([
    ['debug', ['debug', 'info', 'warn', 'error']],
    ['info', ['info', 'warn', 'error']],
    [undefined, ['info', 'warn', 'error']],
    ['warn', ['warn', 'error']],
    ['error', ['error']],
    ['silent', []],
  ])('at %s writes the levels %j', async (logLevel, levels) => {
    const lines = (await logged(logLevel)).map(([level, message]) => `${level} ${message}`);
    expect(lines).toEqual(all.filter((line) => levels.includes(line.split(' ', 1)[0] ?? '')));
  });

  test('contains mayHaveBeenSent, probablyAccepted of a duplicate, and the wait', async () => {
    const logger = recordingLogger();
    const { fetch } = scriptedFetch((_request, index) =>
      index === 0
        ? Response.json({ resultStatus: 'DUPLICATE_REFERENCE_ID' })
        : new Response('{}', { status: 429, headers: { 'Retry-After': '120' } }),
    );
    const client = demoClient({ fetch, logger, logLevel: 'debug' });
    await rejection(client.initiatePayment(paymentRequest(), { mayHaveBeenSent: true }));
    await rejection(client.initiatePayment(paymentRequest()));
    const said = logger.lines.map(([, , record]) =>
      ['mayHaveBeenSent', 'probablyAccepted', 'retryAfterMs'].map((name) => record[name]),
    );
    const nothing = [undefined, undefined, undefined];
    expect(said).toEqual([
      [true, undefined, undefined],
      [true, undefined, undefined],
      [true, true, undefined],
      nothing,
      nothing,
      [undefined, undefined, 120_000],
    ]);
  });

  test('contains the status of the service if it is not documented', async () => {
    const logger = recordingLogger();
    const { fetch } = scriptedFetch((_request, index) =>
      Response.json({ resultStatus: index === 0 ? 'ON_HOLD' : '0912345678' }),
    );
    const client = demoClient({ fetch, logger, logLevel: 'error' });
    await rejection(client.initiatePayment(paymentRequest()));
    await rejection(client.initiatePayment(paymentRequest()));
    expect(logger.lines.map(([, , { code, resultStatus }]) => [code, resultStatus])).toEqual([
      ['UNKNOWN_RESULT', 'ON_HOLD'],
      ['UNKNOWN_RESULT', undefined],
    ]);
  });

  test('writes records of plain values without undefined', async () => {
    const lines = await logged('debug');
    const subject = { operation: 'initiatePayment', referenceId: 'ORDER:2026-0001', idempotencyKey: 'k' };
    const target = { method: 'POST', host: 'pay.example', path: '/v2/payments' };
    expect(lines[0]?.[2]).toEqual({ ...subject, ...target, bodyBytes: 725 });
    expect(lines[1]?.[2]).toEqual({
      ...subject,
      ...target,
      attempt: 1,
      outcome: 'unknown',
      error: 'ECONNRESET (read)',
      requestTime: '2026-11-20 10:04:05',
      durationMs: 0,
    });
    expect(lines[2]?.[2]).toEqual({ ...subject, attempt: 1, waitMs: 250, error: 'ECONNRESET (read)' });
    expect(lines[6]?.[2]).toEqual({
      ...subject,
      ...target,
      httpStatus: 200,
      code: 'INVALID_AMOUNT',
      outcome: 'rejected',
      retryable: false,
      nextStep: 'refused',
      attempts: 1,
    });
    for (const [, , record] of lines) {
      for (const value of Object.values(record))
        expect(['string', 'number', 'boolean']).toContain(typeof value);
    }
  });

  test.each([
    [
      'throws',
      () => {
        throw new Error('disk full');
      },
    ],
    ['rejects', () => Promise.reject(new Error('disk full'))],
  ])('does not affect the call if it %s', async (_name, write) => {
    const broken = write as () => void;
    const logger = { debug: broken, info: broken, warn: broken, error: broken };
    const { fetch } = scriptedFetch(() => Response.json(approvedPayment()));
    const payment = await demoClient({ fetch, logger, logLevel: 'debug' }).initiatePayment(paymentRequest());
    expect(payment.resultStatus).toBe('APPROVED');
  });

  test('calls the methods on their object, so that they can use this', async () => {
    class Counter {
      count = 0;
      debug = () => undefined;
      warn = () => undefined;
      error = () => undefined;
      info(): void {
        this.count++;
      }
    }
    const logger = new Counter();
    const { fetch } = scriptedFetch(() => Response.json(approvedPayment()));
    await demoClient({ fetch, logger }).initiatePayment(paymentRequest());
    expect(logger.count).toBe(1);
  });

  test('contains the paths of the broken rules on one line, without values', async () => {
    const logger = recordingLogger();
    const { customer, items } = paymentRequest();
    const hostile = { ...paymentRequest(), ['na\nme']: 'x' };
    await rejection(
      demoClient({ logger }).initiatePayment({
        ...hostile,
        customer: { ...customer, phoneNumber: 'call me', email: 'nowhere' },
        items: [{ ...items[0], quantity: 0 }] as typeof items,
      }),
    );
    expect(logger.lines[0]?.[2]).toMatchObject({
      issues: 'items[0].quantity, customer.phoneNumber, customer.email, [redacted]',
    });
    expect(JSON.stringify(logger.lines)).not.toMatch(/call me|nowhere/);
  });

  test('cuts the paths of many broken rules at 500 characters', async () => {
    const logger = recordingLogger();
    const many = Object.fromEntries(Array.from({ length: 99 }, (_, index) => [`unknown${String(index)}`, 1]));
    await rejection(demoClient({ logger }).initiatePayment({ ...paymentRequest(), ...many }));
    expect(logger.lines[0]?.[2]['issues']).toHaveLength(500);
  });
});
