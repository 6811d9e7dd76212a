import { describe, expect, test } from 'vitest';
import { eventOf, orderRequest, shop } from './support.js';

describe('the events', () => {
  test.each([
    [null, 'event'],
    ['paid', 'event'],
    [{}, 'event.referenceId'],
    [{ referenceId: 'A-1-1', status: 'paid' }, 'event.amount'],
    [
      { referenceId: 'A-1-1', status: 'paid', amount: { value: '12000000', currency: 'VND' } },
      'event.amount.value',
    ],
    [{ ...eventOf('A-1-1'), amount: { value: NaN, currency: 'VND' } }, 'event.amount.value'],
    [{ referenceId: 1, status: 'paid', amount: { value: 1, currency: 'VND' } }, 'event.referenceId'],
    [{ ...eventOf('A-1-1'), merchantId: 12 }, 'event.merchantId'],
  ])('of a wrong shape are refused, and the error names the wrong field: %j', async (event, name) => {
    const { payments } = shop();
    await payments.start('A-1', orderRequest());
    await expect(payments.handleEvent(event as never)).rejects.toMatchObject({
      name: 'OrderError',
      code: 'EVENT_UNREADABLE',
      message:
        'the event must be { referenceId, status, amount: { value, currency } }, and amount.value must be a ' +
        `number: check ${name}`,
    });
    expect(await payments.get('A-1')).toMatchObject({ state: 'started' });
  });

  test('can contain null for the merchant', async () => {
    const { payments } = shop();
    await payments.start('A-1', orderRequest());
    const event = { ...eventOf('A-1-1'), merchantId: null } as never;
    expect(await payments.handleEvent(event)).toMatchObject({ state: 'paid', firstPaid: true });
  });

  test('are compared with the status values of statusAliases, and any other value changes nothing', async () => {
    const { payments } = shop({ statusAliases: { paid: ['SUCCESS', 'DONE'] } });
    await payments.start('A-1', orderRequest());
    for (const status of ['paid', 'PENDING'])
      expect(await payments.handleEvent(eventOf('A-1-1', status))).toMatchObject({
        state: 'started',
        changed: false,
      });
    expect(await payments.handleEvent(eventOf('A-1-1', 'DONE'))).toMatchObject({
      state: 'paid',
      firstPaid: true,
    });
  });
});

describe('handleEvent', () => {
  test('reports an unknown status, and warns once for each value and process', async () => {
    const { payments, logged, storage } = shop({ statusAliases: { paid: ['SUCCESS'] } });
    await payments.start('A-1', orderRequest());
    for (const status of ['SETTLED', 'SETTLED', 'VOID'])
      expect(await payments.handleEvent(eventOf('A-1-1', status))).toMatchObject({
        state: 'started',
        changed: false,
        firstPaid: false,
        unknownStatus: status,
      });
    const warning = (status: string) => [
      `installment-payments: a webhook changed nothing: add its status "${status}" to statusAliases`,
      {},
    ];
    expect(logged).toEqual([warning('SETTLED'), warning('VOID')]);
    const other = shop({ storage });
    await other.payments.handleEvent(eventOf('A-1-1', 'SETTLED'));
    expect(other.logged).toEqual([warning('SETTLED')]);
    // A review names it as long as it is the last webhook.
    await payments.handleEvent(eventOf('A-1-1', 'SUCCESS', 1));
    await payments.handleEvent(eventOf('A-1-1', 'SETTLED'));
    expect(await payments.forReview()).toMatchObject([
      {
        reason: 'mismatch',
        action: expect.stringContaining('The last webhook said SETTLED, which is not in') as string,
      },
    ]);
  });

  /** The lines that a webhook with this status logs, with their levels. */
  async function linesOf(status: string, options: Parameters<typeof shop>[0]): Promise<string[]> {
    const lines: string[] = [];
    const log = (level: string) => (message: string) => lines.push(`${level}: ${message}`);
    const logger = { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') };
    const { payments } = shop({ ...options, logger });
    await payments.start('A-1', orderRequest());
    expect(await payments.handleEvent(eventOf('A-1-1', status))).toMatchObject({ unknownStatus: status });
    return lines;
  }

  test.each([
    ['PAID', {}, 'paid'],
    [' paid ', {}, 'paid'],
    ['Success', { statusAliases: { paid: ['SUCCESS'] } }, 'SUCCESS'],
  ])(
    'logs %j as an error, because it differs from a known status only in case or spaces',
    async (status, options, known) => {
      expect(await linesOf(status, options)).toEqual([
        `error: installment-payments: a webhook changed nothing: add its status ${JSON.stringify(status)} ` +
          `to statusAliases (it differs only in case or spaces from the known value "${known}")`,
      ]);
    },
  );

  test('logs a status that resembles no known status as a warning', async () => {
    expect(await linesOf('SETTLED', {})).toEqual([expect.stringMatching(/^warn: .*"SETTLED"/)]);
  });

  test('logs and stores a shortened status, and logs at most 100 different values', async () => {
    const { payments, logged, storage } = shop();
    await payments.start('A-1', orderRequest());
    for (let count = 0; count < 150; count += 1)
      await payments.handleEvent(eventOf('A-1-1', `${count} ${'x'.repeat(10_000)}`));
    expect(logged).toHaveLength(100);
    expect(JSON.stringify(logged).length).toBeLessThan(100 * 300);
    expect((await storage.read('A-1')).row?.data.length).toBeLessThan(5_000);
  });

  test('does not ship an order for an amount that differs from its own, and returns otherAmount', async () => {
    const told: unknown[] = [];
    const { payments } = shop({ onPaid: (order) => void told.push(order) });
    await payments.start('A-1', orderRequest({ amount: { value: 200_000 } }));
    await payments.start('A-1', orderRequest({ amount: { value: 45_200_000 } }));
    expect(await payments.handleEvent(eventOf('A-1-1', 'paid', 200_000))).toMatchObject({
      state: 'checking',
      changed: true,
      firstPaid: false,
      otherAmount: true,
    });
    expect(await payments.handleEvent(eventOf('A-1-1', 'paid', 200_000))).toMatchObject({
      changed: false,
      firstPaid: false,
      otherAmount: true,
    });
    expect(told).toEqual([]);
  });

  test('resolves to the paid order with paidAmount, which onPaid also gets', async () => {
    const told: unknown[] = [];
    const { payments, clock } = shop({ onPaid: (order) => void told.push(order) });
    await payments.start('A-1', orderRequest());
    const paid = {
      orderId: 'A-1',
      state: 'paid',
      referenceId: 'A-1-1',
      amount: { value: 12_000_000, currency: 'VND' },
      paidAmount: { value: 12_000_000, currency: 'VND' },
      paidAt: new Date(clock.now),
    };
    expect(await payments.handleEvent(eventOf('A-1-1'))).toStrictEqual({
      ...paid,
      changed: true,
      firstPaid: true,
    });
    expect(told).toEqual([paid]);
    expect(await payments.handleEvent(eventOf('A-1-1'))).toEqual({
      ...paid,
      changed: false,
      firstPaid: false,
    });
    expect(await payments.get('A-1')).toEqual(paid);
    expect(told).toHaveLength(1);
  });

  test.each([
    [{ merchantId: 'OTHER' }, 'merchantId'],
    [{ amount: { value: 1, currency: 'VND' } }, 'amount'],
    [{ amount: { value: 12_000_000, currency: 'USD' } }, 'currency'],
  ])(
    'names the fields that differ from the request, and changes no state: %j',
    async (changes, difference) => {
      const { payments } = shop();
      await payments.start('A-1', orderRequest());
      expect(await payments.handleEvent({ ...eventOf('A-1-1'), ...changes })).toMatchObject({
        state: 'checking',
        changed: false,
        firstPaid: false,
        mismatch: [difference],
      });
      expect(await payments.forReview()).toMatchObject([
        { reason: 'mismatch', conclusions: expect.any(Array) as [] },
      ]);
      const fits = { ...eventOf('A-1-1'), merchantId: 'DEMO-MERCHANT' };
      expect(await payments.handleEvent(fits)).toMatchObject({ state: 'paid', firstPaid: true });
    },
  );
});
