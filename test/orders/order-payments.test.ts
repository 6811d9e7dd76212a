import { describe, expect, test } from 'vitest';
import { createOrderPayments } from '../../src/orders/index.js';
import { sampleError } from '../../src/entries/mock.js';
import { memoryStorage } from './memory-storage.js';
import { eventOf, orderRequest, shop } from './support.js';

describe('onPaid', () => {
  test('that rejects is called again by sweep until it resolves, and its rejection is none of handleEvent', async () => {
    const reported: string[] = [];
    const { payments, turn, logged } = shop({
      onPaid: ({ orderId }) => {
        reported.push(orderId);
        if (reported.length < 3) throw Object.assign(new Error('Lan is not known'), { code: 'E_DOWN' });
      },
    });
    await payments.start('A-1', orderRequest());
    expect(await payments.handleEvent(eventOf('A-1-1'))).toMatchObject({ state: 'paid', firstPaid: true });
    for (let count = 0; count < 4; count += 1) {
      turn(10);
      await payments.sweep();
    }
    expect(reported).toEqual(['A-1', 'A-1', 'A-1']);
    expect(logged[0]).toEqual([
      'installment-payments: onPaid failed or did not end, and is called again',
      { orderId: 'A-1', error: 'Error', code: 'E_DOWN' },
    ]);
  });

  test('of a process that was killed while it ran is called by another, a minute after the claim', async () => {
    const storage = memoryStorage();
    const killed = shop({ storage, onPaid: () => new Promise(() => undefined) });
    await killed.payments.start('A-1', orderRequest());
    void killed.payments.handleEvent(eventOf('A-1-1'));
    await new Promise((resolve) => setTimeout(resolve, 20));
    const reported: string[] = [];
    const other = shop({ storage, onPaid: ({ orderId }) => void reported.push(orderId) });
    other.turn(1.9);
    await other.payments.sweep();
    expect(reported).toEqual([]);
    other.turn(0.2);
    await other.payments.sweep();
    await other.payments.sweep();
    expect(reported).toEqual(['A-1']);
  });
});

describe('events', () => {
  test.each([
    [null, 'the event'],
    ['paid', 'the event'],
    [{}, 'the event.referenceId'],
    [{ referenceId: 'A-1-1', status: 'paid' }, 'the event.amount'],
    [
      { referenceId: 'A-1-1', status: 'paid', amount: { value: '12000000', currency: 'VND' } },
      'the event.amount.value',
    ],
    [{ referenceId: 1, status: 'paid', amount: { value: 1, currency: 'VND' } }, 'the event.referenceId'],
    [{ ...eventOf('A-1-1'), merchantId: 12 }, 'the event.merchantId'],
  ])('that are not of the shape are refused by the name of what is wrong: %j', async (event, name) => {
    const { payments } = shop();
    await payments.start('A-1', orderRequest());
    await expect(payments.handleEvent(event as never)).rejects.toMatchObject({
      name: 'OrderError',
      code: 'EVENT_UNREADABLE',
      message: `the event must be { referenceId, status, amount: { value, currency } }, with a number as value: see ${name}`,
    });
    expect(await payments.get('A-1')).toMatchObject({ state: 'started' });
  });

  test('may have null for a merchant that they leave out', async () => {
    const { payments } = shop();
    await payments.start('A-1', orderRequest());
    const event = { ...eventOf('A-1-1'), merchantId: null } as never;
    expect(await payments.handleEvent(event)).toMatchObject({ state: 'paid', firstPaid: true });
  });

  test.each(['B-1-1', 'A-1-2', 'not ours', ''])(
    'about a reference that is not known are refused: %j',
    async (referenceId) => {
      const { payments } = shop();
      await payments.start('A-1', orderRequest());
      for (const status of ['paid', 'declined', 'PENDING'])
        await expect(payments.handleEvent(eventOf(referenceId, status))).rejects.toMatchObject({
          code: 'UNKNOWN_REFERENCE',
        });
      const unknown = { code: 'UNKNOWN_REFERENCE' };
      await expect(payments.lookUp(referenceId)).rejects.toMatchObject(unknown);
      await expect(payments.conclude(referenceId, 'paid')).rejects.toMatchObject(unknown);
      await expect(payments.markRefunded(referenceId)).rejects.toMatchObject(unknown);
    },
  );

  test('have the status values of the shop, and any other changes nothing', async () => {
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

describe('bad input stores nothing', () => {
  test.each([
    ['an order of 201 items', { items: Array.from({ length: 201 }, () => orderRequest().items[0]) }],
    ['a negative amount', { amount: { value: -1 } }],
    ['an unknown field', { voucher: 'A' }],
    ['a referenceId', { referenceId: 'mine' }],
  ])('%s', async (_what, changes) => {
    const { payments, sent } = shop();
    const request = { ...orderRequest(), ...changes } as never;
    await expect(payments.start('A-1', request)).rejects.toMatchObject({ code: 'VALIDATION' });
    await expect(payments.add('A-1', request)).rejects.toMatchObject({ code: 'VALIDATION' });
    expect(sent).toEqual([]);
    expect(await payments.list({ changedSince: new Date(0) })).toEqual([]);
  });

  test.each([undefined, null, 0])(
    'add of %s changes no order that is there, and takes no claim',
    async (nothing) => {
      const { payments, turn, sent } = shop();
      await payments.add('A-1', orderRequest());
      await expect(payments.add('A-1', nothing as never)).rejects.toMatchObject({ code: 'VALIDATION' });
      expect(await payments.get('A-1')).toMatchObject({ state: 'new' });
      turn(2);
      await payments.sweep();
      const asSent = sent.map(({ referenceId, options }) => [referenceId, options?.mayHaveBeenSent ?? false]);
      expect(asSent).toEqual([['A-1-1', false]]);
    },
  );

  test.each([null, 0, ''])('start with %j is no start without a request', async (nothing) => {
    const { payments } = shop();
    await payments.add('A-1', orderRequest());
    await expect(payments.start('A-1', nothing as never)).rejects.toMatchObject({ code: 'VALIDATION' });
    expect(await payments.get('A-1')).toMatchObject({ state: 'new' });
  });

  test('wrong orderIds, options, words and times are typed errors', async () => {
    const { payments } = shop();
    for (const orderId of ['', 'x'.repeat(181), 'a\0', '\ud800'])
      await expect(payments.start(orderId, orderRequest())).rejects.toMatchObject({ code: 'VALIDATION' });
    const configuration = { code: 'CONFIGURATION' };
    await expect(payments.start('A-1', orderRequest(), { acount: 'x' } as never)).rejects.toThrow(
      'did you mean account',
    );
    for (const call of [
      payments.start('A-1', orderRequest(), null as never),
      payments.sweep(5 as never),
      payments.conclude('A-1-1', 'paid', 'x' as never),
    ])
      await expect(call).rejects.toThrow('options must be an object');
    await expect(payments.list(undefined as never)).rejects.toThrow('must be { changedSince: a Date }');
    await expect(payments.list({ since: new Date() } as never)).rejects.toThrow('since is an unknown option');
    await expect(payments.restored('now' as never)).rejects.toThrow('since must be a valid Date');
    await expect(payments.sweep({ limit: 0 })).rejects.toMatchObject(configuration);
    await expect(payments.conclude('A-1-1', 'gone' as never)).rejects.toMatchObject(configuration);
    for (const paymentUrl of ['javascript:alert(1)', 'pay.example/1', ''])
      await expect(payments.conclude('A-1-1', 'exists', { paymentUrl })).rejects.toMatchObject(configuration);
    await expect(payments.list({ changedSince: new Date(NaN) })).rejects.toMatchObject(configuration);
    await expect(payments.add('A-1', orderRequest(), { query: () => Promise.resolve([]) })).rejects.toThrow(
      'query must be left out: a storage of your own has no transactions',
    );
    await expect(payments.start('A-1')).rejects.toMatchObject({ code: 'UNKNOWN_ORDER' });
    expect(await payments.list({ changedSince: new Date(0) })).toEqual([]);
  });

  test.each([
    [
      { dialect: 'postgres', onPaid: 'firstPaid' },
      'query and dialect are required, or storage in place of both',
    ],
    [{ storage: {} }, 'storage must be an object with the functions read, insert'],
    [{ storage: memoryStorage(), tabel: 'x' }, 'did you mean table'],
    [{ storage: memoryStorage(), table: 'orders; DROP TABLE x' }, 'table must be letters'],
    [{ storage: memoryStorage(), claimMs: 0 }, 'claimMs'],
    [{ storage: memoryStorage(), statusAliases: { paid: [] } }, 'statusAliases.paid must have a value'],
    [
      { storage: memoryStorage(), statusAliases: { paid: ['X'], declined: ['X'] } },
      'statusAliases must have each value once',
    ],
    [
      { storage: memoryStorage(), statusAliases: { paid: ['pending'] } },
      'statusAliases must have each value once',
    ],
    [{ storage: memoryStorage(), words: { paid: ['X'] } }, 'words is an unknown option'],
    [{ storage: memoryStorage(), mostPayments: 0 }, 'mostPayments'],
    [{ storage: memoryStorage() }, 'onPaid is required: a function'],
    [
      { storage: memoryStorage(), onPaid: 'later' },
      "onPaid is required: a function that ships the order, 'elsewhere'",
    ],
    [{ storage: memoryStorage(), logger: {} }, 'logger must have the methods'],
  ])('options %j are refused by name', (options, message) => {
    const { client } = shop();
    expect(() => createOrderPayments({ client, ...options } as never)).toThrow(message);
  });
});

describe('the life of orders', () => {
  test('a request without transExpiredTime is warned of once', async () => {
    const { payments, logged } = shop();
    for (const orderId of ['A-1', 'A-2']) {
      const { transExpiredTime: _transExpiredTime, ...request } = orderRequest();
      await payments.start(orderId, request);
    }
    expect(logged).toEqual([
      [
        'installment-payments: a request has no transExpiredTime, so its payment is never overdue by itself',
        {},
      ],
    ]);
  });

  test('what is for review comes on more than one page, the oldest first', async () => {
    const { payments, clock } = shop();
    for (let index = 0; index < 510; index += 1) {
      clock.now += index % 3;
      await payments.add(`A-${index}`, orderRequest());
      await payments.lookUp(`A-${index}-1`);
    }
    const items = await payments.forReview();
    expect(items.map(({ orderId }) => orderId)).toEqual(
      Array.from({ length: 510 }, (_, index) => `A-${index}`),
    );
    expect(await payments.list({ changedSince: new Date(0) })).toHaveLength(510);
  });

  test('eraseAfterDays empties requests that long after the end, and a notification is still compared', async () => {
    const { payments, turn, storage } = shop({ eraseAfterDays: 30 });
    const read = async () => (await storage.read('A-1')).row?.data ?? '';
    await payments.start('A-1', orderRequest());
    await payments.handleEvent(eventOf('A-1-1'));
    turn(29 * 24 * 60);
    await payments.sweep();
    expect(await read()).toContain('0912345678');
    turn(2 * 24 * 60);
    await payments.sweep();
    expect(await read()).not.toContain('0912345678');
    expect(await payments.handleEvent(eventOf('A-1-1', 'paid', 5))).toMatchObject({ mismatch: ['amount'] });
  });

  test('an order that was to be erased is erased by a process without the option too', async () => {
    const first = shop({ eraseAfterDays: 1 });
    await first.payments.start('A-1', orderRequest());
    await first.payments.handleEvent(eventOf('A-1-1'));
    const { payments, turn } = shop({ storage: first.storage });
    turn(3 * 24 * 60);
    expect(await payments.sweep()).toEqual({ moved: 1, failed: 0 });
    expect((await first.storage.read('A-1')).row?.data).not.toContain('0912345678');
    expect(await payments.sweep()).toEqual({ moved: 0, failed: 0 });
  });

  test('after a restore, what was stored and not sent counts as perhaps sent, and so does each payment that begins', async () => {
    const { payments, sent, clock, turn } = shop();
    await payments.add('A-1', orderRequest());
    await payments.restored(new Date(clock.now));
    turn(2);
    await payments.sweep();
    await payments.start('B-1', orderRequest());
    turn(31 * 24 * 60);
    await payments.start('C-1', orderRequest());
    expect(sent.map(({ referenceId, options }) => [referenceId, options?.mayHaveBeenSent])).toEqual([
      ['A-1-1', true],
      ['B-1-1', true],
      ['C-1-1', undefined],
    ]);
    expect((await payments.list({ changedSince: new Date(0) })).map(({ orderId }) => orderId).sort()).toEqual(
      ['A-1', 'B-1', 'C-1'],
    );
  });

  test('after a restore, a payment that begins because time ended the last one may be known too', async () => {
    const { payments, sent, clock, turn } = shop();
    await payments.start('A-1', orderRequest({ transExpiredTime: 900_000 }));
    await payments.restored(new Date(clock.now));
    turn(60);
    expect(await payments.start('A-1', orderRequest())).toMatchObject({ referenceId: 'A-1-2' });
    expect(sent[1]?.options).toMatchObject({ mayHaveBeenSent: true, maxRetries: 0 });
  });

  test('after a restore, a webhook waits for no client if the restore changes nothing of its order', async () => {
    const { client } = shop();
    const asked: unknown[] = [];
    const { payments, clock } = shop({
      client: (account) => {
        asked.push(account);
        return client;
      },
    });
    const account = 'a';
    await payments.start('A-1', orderRequest(), { account });
    await payments.add('B-1', orderRequest(), { account });
    await payments.restored(new Date(clock.now));
    asked.length = 0;
    await payments.handleEvent(eventOf('A-1-1'), { account });
    expect(asked).toEqual([]);
    await payments.handleEvent(eventOf('B-1-1'), { account });
    expect(asked).toEqual([account]);
  });

  test('a logger that throws changes nothing', async () => {
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

  test('a refusal lets the next payment begin after a pause', async () => {
    const { payments, sent, turn } = shop({}, ({ referenceId }, count) => {
      if (count === 1) throw sampleError('INVALID_AMOUNT');
      return { paymentUrl: `https://pay.example/${referenceId}` };
    });
    for (let clicks = 0; clicks < 50; clicks += 1)
      expect((await payments.start('A-1', orderRequest())).state).toBe('refused');
    expect(sent).toHaveLength(1);
    turn(1);
    expect(await payments.start('A-1', orderRequest())).toMatchObject({
      state: 'started',
      referenceId: 'A-1-2',
    });
  });
});
