import { describe, expect, test } from 'vitest';
import { memoryStorage } from './memory-storage.js';
import { eventOf, orderRequest, shop } from './support.js';

const day = 24 * 60;

/** Orders of which nothing was sent, and then a restore. */
async function restoredShop(orderIds: readonly string[]) {
  const made = shop();
  for (const orderId of orderIds) await made.payments.add(orderId, orderRequest());
  await made.payments.restored(new Date(made.clock.now));
  return made;
}

describe('restored', () => {
  test('makes stored unsent payments, and each new payment, count as possibly sent', async () => {
    const { payments, sent, clock, turn } = shop();
    await payments.add('A-1', orderRequest());
    await payments.restored(new Date(clock.now));
    turn(2);
    await payments.sweep();
    await payments.start('B-1', orderRequest());
    turn(31 * day);
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

  test('makes a payment that follows an overdue payment count as possibly sent', async () => {
    const { payments, sent, clock, turn } = shop();
    await payments.start('A-1', orderRequest({ transExpiredTime: 900_000 }));
    await payments.restored(new Date(clock.now));
    turn(60);
    expect(await payments.start('A-1', orderRequest())).toMatchObject({ referenceId: 'A-1-2' });
    expect(sent[1]?.options).toMatchObject({ mayHaveBeenSent: true, maxRetries: 0 });
  });

  test.each([
    ['a click', ({ payments }: ReturnType<typeof shop>) => payments.start('A-1', orderRequest())],
    ['a job', ({ payments }: ReturnType<typeof shop>) => payments.start('A-1')],
    [
      'a sweep',
      ({ payments, turn }: ReturnType<typeof shop>) => {
        turn(1);
        return payments.sweep();
      },
    ],
  ])('is applied to an order before %s, so that no second payment is created', async (_what, touch) => {
    const made = await restoredShop(['A-1']);
    await touch(made);
    expect(made.sent.map(({ options }) => [options?.mayHaveBeenSent, options?.maxRetries])).toEqual([
      [true, 0],
    ]);
  });

  test.each([
    ['staff', ({ payments }: ReturnType<typeof shop>) => payments.lookUp('A-1-1')],
    [
      'a webhook',
      ({ payments }: ReturnType<typeof shop>) => payments.handleEvent(eventOf('A-1-1', 'SETTLED')),
    ],
    [
      'an invoice',
      ({ payments }: ReturnType<typeof shop>) =>
        payments.addInvoice('A-1', { fileUrl: 'https://shop.example/1.pdf' }),
    ],
  ])('is applied to an order before %s, so that it shows as possibly sent', async (_what, touch) => {
    const made = await restoredShop(['A-1']);
    await touch(made);
    expect(await made.payments.get('A-1')).toMatchObject({ state: 'checking' });
    expect(await made.payments.history('A-1')).toContainEqual(
      expect.objectContaining({ referenceId: 'A-1-1', from: 'new', cause: 'restored' }),
    );
  });

  test('stores a second restore beside the first, so that it applies to payments that were added since', async () => {
    const { payments, clock, turn, sent } = await restoredShop(['A-1']);
    turn(3 * day);
    await payments.add('B-1', orderRequest());
    await payments.restored(new Date(clock.now));
    for (const orderId of ['A-1', 'B-1']) await payments.start(orderId);
    expect(sent.map(({ options }) => options?.mayHaveBeenSent)).toEqual([true, true]);
  });

  test('changes nothing if it is called again with the same time, so that the two days do not begin again', async () => {
    const { payments, storage, clock, turn } = await restoredShop([]);
    const since = new Date(clock.now);
    const before = (await storage.read('*')).row;
    turn(day);
    await payments.restored(since);
    expect((await storage.read('*')).row).toEqual(before);
  });

  test('makes a conclusion of an account safe only after the time limit of its client', async () => {
    const { client } = shop();
    const slow = { ...client, settings: { ...client.settings, totalTimeoutMs: 600_000 } };
    const { payments, clock } = shop({ client: () => slow });
    await payments.add('A-1', orderRequest(), { account: 'A' });
    await payments.restored(new Date(clock.now));
    expect(await payments.lookUp('A-1-1')).toEqual({
      orderId: 'A-1',
      safeFrom: new Date(clock.now + 60_000 + 660_000),
    });
  });

  test('looks up no client for an order without a possible request, so that a webhook does not wait for a client', async () => {
    const { client } = shop();
    const asked: unknown[] = [];
    const { payments, clock, turn } = shop({
      client: (account) => {
        asked.push(account);
        return client;
      },
    });
    await payments.start('A-1', orderRequest(), { account: 'A' });
    await payments.restored(new Date(clock.now));
    turn(1);
    await payments.handleEvent(eventOf('A-1-1'), { account: 'A' });
    await payments.cancel('B-1', { account: 'A' });
    expect(asked).toEqual(['A']);
  });

  test('rejects with CONFLICT if other processes write the same row each time, and says what to do', async () => {
    const memory = memoryStorage();
    let tries = 0;
    const insert = () => {
      tries += 1;
      return Promise.resolve();
    };
    const { payments, clock } = shop({ storage: { ...memory, insert } });
    await expect(payments.restored(new Date(clock.now))).rejects.toMatchObject({
      code: 'CONFLICT',
      message:
        'restored() could not record that the database was restored, because other processes wrote at the same time: call it again',
    });
    expect(tries).toBe(5);
  });

  test('is not listed as an order', async () => {
    const { payments, storage, logged, clock } = await restoredShop([]);
    expect(await payments.list({ changedSince: new Date(0) })).toEqual([]);
    expect(await payments.forReview()).toEqual([]);
    expect(await payments.health()).toEqual({ inReview: 0 });
    expect(logged).toEqual([]);
    expect(await storage.changed({ at: 0, key: '' }, 10)).toMatchObject([
      { key: '*', orderId: '', at: clock.now },
    ]);
    expect((await storage.read('*')).row).toMatchObject({
      token: expect.any(String) as string,
      dueAt: null,
      reviewAt: null,
    });
  });
});
