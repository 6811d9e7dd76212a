import { describe, expect, test } from 'vitest';
import { sampleError } from '../../src/entries/mock.js';
import { eventOf, orderRequest, shop } from './support.js';

describe('start', () => {
  test('warns once of a request without transExpiredTime', async () => {
    const { payments, logged } = shop();
    for (const orderId of ['A-1', 'A-2']) {
      const { transExpiredTime: _transExpiredTime, ...request } = orderRequest();
      await payments.start(orderId, request);
    }
    expect(logged).toEqual([
      [
        'installment-payments: a request has no transExpiredTime, so its payment never becomes overdue: set transExpiredTime, in milliseconds',
        {},
      ],
    ]);
  });

  test('ignores the error of a logger that throws', async () => {
    const fails = () => {
      throw new Error('disk full');
    };
    const { payments } = shop({ logger: { debug: fails, info: fails, warn: fails, error: fails } }, () => {
      throw new TypeError('not ours');
    });
    expect(await payments.start('A-1', orderRequest({ transExpiredTime: undefined }))).toMatchObject({
      state: 'checking',
    });
  });

  test.each([
    [900, 'seconds', 'less than a minute'],
    [15, 'minutes', 'less than a minute'],
    [Date.UTC(2026, 10, 20), 'a moment', 'more than 90 days'],
  ])(
    'warns of a transExpiredTime of %s, which is probably %s, and sends it',
    async (transExpiredTime, _unit, problem) => {
      const { payments, logged, sent } = shop();
      await payments.start('A-1', orderRequest({ transExpiredTime }));
      await payments.start('A-2', orderRequest({ transExpiredTime }));
      expect(logged).toEqual([
        [
          `installment-payments: transExpiredTime is ${problem}. It must be a duration in milliseconds: 15 minutes ` +
            'are 900000.',
          {},
        ],
      ]);
      expect(sent[0]?.request.transExpiredTime).toBe(transExpiredTime);
    },
  );

  test.each([60_000, 90 * 86_400_000])(
    'does not warn of a transExpiredTime of %s',
    async (transExpiredTime) => {
      const { payments, logged } = shop();
      await payments.start('A-1', orderRequest({ transExpiredTime }));
      expect(logged).toEqual([]);
    },
  );

  test('returns the payment page and the QR code of the live payment for each checkout', async () => {
    const { payments, sent } = shop({}, () => ({ paymentUrl: 'https://pay.example/1', qrData: 'QR 1' }));
    const view = {
      orderId: 'A-1',
      state: 'started',
      referenceId: 'A-1-1',
      amount: { value: 12_000_000, currency: 'VND' },
      paymentUrl: 'https://pay.example/1',
      qrData: 'QR 1',
    };
    expect(await payments.start('A-1', orderRequest())).toEqual(view);
    expect(await payments.start('A-1', orderRequest())).toEqual(view);
    expect(await payments.start('A-1')).toEqual(view);
    expect(await payments.get('A-1')).toEqual(view);
    expect(sent).toHaveLength(1);
  });

  test('returns differs if the live payment was made for another request of the same amount', async () => {
    const { payments } = shop();
    await payments.start('A-1', orderRequest());
    const other = orderRequest({ lang: 'vi' });
    expect(await payments.start('A-1', other)).toMatchObject({ state: 'started', differs: true });
    expect(await payments.get('A-1')).not.toHaveProperty('differs');
  });

  test('returns the amounts of the order and of its open payment if they differ, without a link', async () => {
    const { payments, sent, clock } = shop();
    await payments.start('A-1', orderRequest({ transExpiredTime: 900_000 }));
    const view = await payments.start('A-1', orderRequest({ amount: { value: 45_200_000 } }));
    expect(view).toEqual({
      orderId: 'A-1',
      state: 'changed',
      referenceId: 'A-1-1',
      amount: { value: 45_200_000, currency: 'VND' },
      open: {
        referenceId: 'A-1-1',
        paymentUrl: 'https://pay.example/A-1-1',
        amount: { value: 12_000_000, currency: 'VND' },
        until: new Date(clock.now + 900_000 + 600_000),
      },
    });
    expect(await payments.get('A-1')).toEqual(view);
    expect(sent).toHaveLength(1);
  });

  test('sends nothing for an order that has ended', async () => {
    const { payments, sent } = shop();
    await payments.start('A-1', orderRequest());
    await payments.handleEvent(eventOf('A-1-1'));
    await payments.cancel('B-1');
    expect(await payments.start('A-1', orderRequest({ amount: { value: 1 } }))).toMatchObject({
      state: 'paid',
      amount: { value: 12_000_000 },
    });
    expect(await payments.start('B-1', orderRequest())).toEqual({ orderId: 'B-1', state: 'cancelled' });
    expect(sent).toHaveLength(1);
  });

  test('keeps a payment of a cancelled order for review in a job, because the customer might have paid', async () => {
    const { payments, turn } = shop();
    await payments.start('A-1', orderRequest({ transExpiredTime: 900_000 }));
    await payments.cancel('A-1');
    turn(60);
    expect(await payments.start('A-1')).toMatchObject({ state: 'cancelled' });
    expect(await payments.forReview()).toMatchObject([{ referenceId: 'A-1-1', reason: 'overdue' }]);
  });

  test('refuses a request that would make the row too large, before anything is stored', async () => {
    const loadFile = () => Buffer.from('%PDF-1.4');
    const { payments, storage, sent } = shop({ mostPayments: 3, loadFile }, () => {
      throw sampleError('INVALID_AMOUNT');
    });
    const additionalFields = { note: 'x'.repeat(1_000_000) };
    const tooLarge = {
      code: 'VALIDATION',
      message: expect.stringContaining('larger than 1000000 bytes: pass shorter texts') as string,
      issues: [{ path: [], resultStatus: 'INVALID_REQUEST' }],
      $metadata: { operation: 'initiatePayment' },
    };
    await expect(payments.start('A-1', orderRequest(), { additionalFields })).rejects.toMatchObject(tooLarge);
    await expect(payments.add('A-1', orderRequest(), { additionalFields })).rejects.toMatchObject(tooLarge);
    expect((await storage.read('A-1')).row).toBeUndefined();
    await payments.start('A-1', orderRequest());
    const before = (await storage.read('A-1')).row;
    const paymentUrl = `https://pay.example/${'x'.repeat(1_000_000)}`;
    await expect(payments.conclude('A-1-1', 'exists', { paymentUrl })).rejects.toMatchObject(tooLarge);
    const invoice = { invoiceNumber: 'I-1', file: 'x'.repeat(1_000_000) };
    await expect(payments.addInvoice('A-1', invoice)).rejects.toMatchObject({
      ...tooLarge,
      $metadata: { operation: 'uploadInvoice' },
    });
    expect((await storage.read('A-1')).row).toEqual(before);
    expect(sent).toHaveLength(1);
  });

  test('begins no more than mostPayments payments, because every payment might be paid', async () => {
    const { payments, turn, sent } = shop({ mostPayments: 2 });
    for (const number of [1, 2, 2]) {
      expect(await payments.start('A-1', orderRequest())).toMatchObject({ referenceId: `A-1-${number}` });
      await payments.handleEvent(eventOf(`A-1-${number}`, 'declined'));
      turn(60);
    }
    expect(sent).toHaveLength(2);
    expect(await payments.forReview()).toMatchObject([{ orderId: 'A-1', reason: 'too_many' }]);
  });

  test('shows an unpaid payment as expired after its time to pay, without a review, with reviewOverdue: false', async () => {
    const { payments, turn } = shop({ reviewOverdue: false });
    await payments.start('A-1', orderRequest({ transExpiredTime: 900_000 }));
    turn(60);
    await payments.sweep();
    expect(await payments.get('A-1')).toMatchObject({ state: 'over' });
    expect(await payments.forReview()).toEqual([]);
  });

  test('stores a response of any size, because the payment exists by then', async () => {
    const paymentUrl = `https://pay.example/${'x'.repeat(1_000_000)}`;
    const { payments } = shop({}, () => ({ paymentUrl }));
    expect(await payments.start('A-1', orderRequest())).toMatchObject({ state: 'started', paymentUrl });
    expect(await payments.start('A-1', orderRequest())).toMatchObject({ state: 'started', paymentUrl });
  });
});

describe('add', () => {
  test('stores a payment that start sends at once, and sweep after a minute', async () => {
    const { payments, sent, turn } = shop();
    for (const orderId of ['A-1', 'B-1'])
      expect(await payments.add(orderId, orderRequest())).toMatchObject({ orderId, state: 'new' });
    await payments.sweep();
    expect(sent).toEqual([]);
    expect(await payments.start('A-1')).toMatchObject({ state: 'started' });
    turn(1);
    await payments.sweep();
    expect(await payments.get('B-1')).toMatchObject({ state: 'started' });
  });
});
