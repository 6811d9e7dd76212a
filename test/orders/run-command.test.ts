import { describe, expect, test } from 'vitest';
import { createOrderPayments } from '../../src/orders/index.js';
import type { OrderStorage } from '../../src/orders/storage.js';
import { memoryStorage } from './memory-storage.js';
import { eventOf, orderRequest, shop } from './support.js';

/** A storage in which a statement takes effect, or not, and its response is lost as often as `times` says. */
function losing(
  storage: OrderStorage,
  name: 'read' | 'insert' | 'replace',
  times: number,
  {
    isDone = true,
    then = async () => Promise.resolve(),
  }: { isDone?: boolean; then?: () => Promise<unknown> } = {},
): OrderStorage {
  let left = times;
  return {
    ...storage,
    [name]: async (...values: never[]) => {
      const work = () => (storage[name] as (...given: never[]) => Promise<unknown>)(...values);
      if (left <= 0) return work();
      left -= 1;
      if (isDone) await work();
      await then();
      throw new Error('connection terminated: customer Lan, 0912345678');
    },
  };
}

describe('a command whose statement fails', () => {
  test.each([
    ['read', true],
    ['insert', true],
    ['insert', false],
    ['replace', true],
    ['replace', false],
  ] as const)(
    'succeeds after two lost responses of %s (took effect: %s), and one payment is sent',
    async (name, isDone) => {
      const { payments, sent } = shop({ storage: losing(memoryStorage(), name, 2, { isDone }) });
      expect(await payments.start('A-1', orderRequest())).toMatchObject({ state: 'started' });
      expect(await payments.start('A-1', orderRequest())).toMatchObject({ state: 'started' });
      expect(sent).toHaveLength(1);
    },
  );

  test('rejects with the error of the database after three failures, and nothing is sent', async () => {
    const { payments, sent } = shop({ storage: losing(memoryStorage(), 'insert', 99, { isDone: false }) });
    await expect(payments.start('A-1', orderRequest())).rejects.toThrow('connection terminated');
    expect(sent).toEqual([]);
  });

  test('is decided again where its write took effect, its response was lost and somebody else wrote afterwards', async () => {
    const storage = memoryStorage();
    const other = shop({ storage });
    const then = () => other.payments.cancel('A-1');
    const { payments, sent } = shop({ storage: losing(storage, 'insert', 1, { then }) });
    expect(await payments.start('A-1', orderRequest())).toMatchObject({ state: 'cancelled' });
    expect(sent.length).toBeLessThanOrEqual(1);
  });

  test('still sends its payment if its response was lost and a webhook wrote the row meanwhile', async () => {
    const storage = memoryStorage();
    const other = shop({ storage });
    const then = () => other.payments.handleEvent(eventOf('A-1-1', 'SETTLED'));
    const { payments, sent } = shop({ storage: losing(storage, 'insert', 1, { then }) });
    expect(await payments.start('A-1', orderRequest())).toMatchObject({ state: 'started' });
    expect(sent).toHaveLength(1);
  });

  test('of a sweep still sends its payment if its response was lost and a webhook wrote the row meanwhile', async () => {
    const storage = memoryStorage();
    const other = shop({ storage });
    await other.payments.add('A-1', orderRequest());
    const then = () => other.payments.handleEvent(eventOf('A-1-1', 'SETTLED'));
    const { payments, sent, turn } = shop({ storage: losing(storage, 'replace', 1, { then }) });
    turn(2);
    await payments.sweep();
    expect(await payments.get('A-1')).toMatchObject({ state: 'started' });
    expect(sent).toHaveLength(1);
  });

  test('sends until the end of the claim that is stored, not of one that a later try would have taken', async () => {
    const memory = memoryStorage();
    let stale = 0;
    const storage: OrderStorage = {
      ...memory,
      insert: async (row) => {
        await memory.insert(row);
        if (stale === 0) stale = 1;
      },
      // A read that does not show the write yet, and takes long.
      read: async (key) => {
        const found = await memory.read(key);
        if (key !== 'A-1' || stale !== 1) return found;
        stale = 2;
        clock.now += 30_000;
        return { now: found.now };
      },
    };
    const { payments, sent, clock } = shop({ storage, claimMs: 60_000 });
    await payments.start('A-1', orderRequest());
    expect(stale).toBe(2);
    expect(sent).toHaveLength(1);
    expect(sent[0]?.options?.sendBefore?.getTime()).toBeLessThan(Date.now() + 40_000);
  });

  test('says firstPaid where the first response was lost and somebody else wrote afterwards', async () => {
    const storage = memoryStorage();
    const other = shop({ storage });
    await other.payments.start('A-1', orderRequest());
    const then = () => other.payments.handleEvent(eventOf('A-1-1'));
    const { payments } = shop({ storage: losing(storage, 'replace', 1, { then }) });
    expect(await payments.handleEvent(eventOf('A-1-1'))).toMatchObject({ state: 'paid', firstPaid: true });
  });

  test('ends as a conflict where others write each time, after a bounded number of tries', async () => {
    const storage = memoryStorage();
    const { payments } = shop({ storage });
    await payments.start('A-1', orderRequest());
    let writes = 0;
    const never: OrderStorage = {
      ...storage,
      replace: () => {
        writes += 1;
        return Promise.resolve();
      },
    };
    await expect(shop({ storage: never }).payments.cancel('A-1')).rejects.toMatchObject({
      code: 'CONFLICT',
      message: 'others wrote this order again and again: try it again later',
    });
    expect(writes).toBe(12);
  });

  test('refuses an order whose key belongs to another orderId, before anything is sent', async () => {
    const storage = memoryStorage();
    const { payments, sent } = shop({ storage });
    await payments.add('A-1', orderRequest());
    const { row } = await storage.read('A-1');
    if (!row) throw new Error('nothing is stored');
    const data = row.data.replace('"orderId":"A-1"', '"orderId":"A-2"');
    await storage.replace(
      { ...row, key: 'A-1', orderId: 'A-2', reviewAt: null, changedAt: 1, data },
      row.version,
    );
    for (const call of [payments.start('A-1', orderRequest()), payments.get('A-1'), payments.cancel('A-1')])
      await expect(call).rejects.toMatchObject({
        code: 'CONFLICT',
        message: 'another order has the same key',
      });
    expect(sent).toEqual([]);
  });

  test('a query that resolves to a driver’s headers is refused at once, not run again', async () => {
    let statements = 0;
    const query = () => {
      statements += 1;
      return Promise.resolve({ affectedRows: 1 });
    };
    const { client } = shop();
    const payments = createOrderPayments({ client, dialect: 'mysql', onPaid: 'firstPaid', query });
    await expect(payments.get('A-1')).rejects.toThrow('query must resolve to an array of rows');
    await expect(payments.handleEvent(eventOf('A-1-1'), { query })).rejects.toThrow('array of rows');
    expect(statements).toBe(4);
  });
});
