import { describe, expect, test } from 'vitest';
import { eventOf, orderRequest, shop } from './support.js';

describe('sweep', () => {
  test('an order that cannot be read stops no other, and is logged by its key', async () => {
    const { payments, storage, turn, logged } = shop();
    await storage.insert({
      key: 'B-1',
      orderId: 'B-1',
      token: 't',
      dueAt: 1,
      reviewAt: null,
      changedAt: 1,
      data: '{"customer":"Lan"',
    });
    await payments.add('A-1', orderRequest());
    turn(2);
    expect(await payments.sweep()).toEqual({ moved: 1, failed: 1 });
    expect(await payments.get('A-1')).toMatchObject({ state: 'started' });
    expect(logged.at(-1)).toMatchObject([
      'installment-payments: an order could not be moved',
      { key: 'B-1' },
    ]);
    expect(JSON.stringify(logged)).not.toContain('Lan');
    await expect(payments.start('B-1', orderRequest())).rejects.toThrow('the key B-1 cannot be read');
    await expect(payments.cancel('B-1')).rejects.toThrow('cannot be read');
  });

  test('an order that cannot be read hides no other from staff, and keeps a restore from none', async () => {
    const { payments, storage, turn, sent, logged } = shop();
    const broken = { token: 't', dueAt: null, reviewAt: 1, changedAt: 1, data: '{' };
    await storage.insert({ ...broken, key: 'B-1', orderId: 'B-1' });
    await payments.start('A-1', orderRequest());
    await payments.handleEvent(eventOf('A-1-1', 'paid', 1));
    await payments.add('A-2', orderRequest());
    expect(await payments.forReview()).toMatchObject([{ orderId: 'A-1', reason: 'mismatch' }]);
    expect(await payments.list({ changedSince: new Date(0) })).toMatchObject([
      { orderId: 'A-1' },
      { orderId: 'A-2' },
    ]);
    await payments.restored(new Date());
    expect(logged).toMatchObject(
      Array.from({ length: 2 }, () => ['installment-payments: an order cannot be read', { key: 'B-1' }]),
    );
    turn(2);
    await payments.sweep();
    expect(sent.at(-1)).toMatchObject({ referenceId: 'A-2-1', options: { mayHaveBeenSent: true } });
  });

  test('orders that cannot be read keep the sweep from no other, however many of them are due first', async () => {
    const { payments, storage, turn } = shop();
    const broken = { token: 't', reviewAt: null, changedAt: 1, data: '{' };
    for (let index = 0; index < 250; index += 1) {
      const key = `B-${index}`;
      await storage.insert({ ...broken, key, orderId: key, dueAt: index });
    }
    for (const orderId of ['A-1', 'A-2', 'A-3']) await payments.add(orderId, orderRequest());
    turn(2);
    expect(await payments.sweep()).toEqual({ moved: 3, failed: 250 });
    for (const orderId of ['A-1', 'A-2', 'A-3'])
      expect(await payments.get(orderId)).toMatchObject({ state: 'started' });
  });

  test('a sweep moves as many orders as its limit says, beside those that cannot be read', async () => {
    const { payments, storage, turn } = shop();
    const broken = { token: 't', dueAt: 1, reviewAt: null, changedAt: 1, data: '{}' };
    for (const key of ['B-1', 'B-2']) await storage.insert({ ...broken, key, orderId: key });
    for (let index = 0; index < 7; index += 1) await payments.add(`A-${index}`, orderRequest());
    turn(2);
    expect(await payments.sweep({ limit: 4 })).toEqual({ moved: 4, failed: 2 });
    expect(await payments.sweep({ limit: 4 })).toEqual({ moved: 3, failed: 2 });
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

  test('stores the next time of an order that is due although nothing is to be done, so that no sweep finds it again', async () => {
    const { payments, storage, clock } = shop();
    await payments.start('A-1', orderRequest());
    const { row } = await storage.read('A-1');
    if (!row) throw new Error('nothing is stored');
    const { dueAt, version, ...stored } = row;
    const early = { ...stored, key: 'A-1', orderId: 'A-1', dueAt: 1, reviewAt: null, changedAt: clock.now };
    await storage.replace(early, version);
    await payments.sweep();
    expect(await storage.due(clock.now, 10)).toEqual([]);
    expect((await storage.read('A-1')).row?.dueAt).toBe(dueAt);
  });
});
