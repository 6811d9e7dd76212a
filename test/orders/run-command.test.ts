import { describe, expect, test } from 'vitest';
import { createOrderPayments, OrderError } from '../../src/entries/orders.js';
import type { OrderRow, OrderStorage } from '../../src/orders/storage.js';
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

  test('rejects after three failures, without the error text of the database, and nothing is sent', async () => {
    const { payments, sent } = shop({ storage: losing(memoryStorage(), 'insert', 99, { isDone: false }) });
    const error = await payments.start('A-1', orderRequest()).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'STORAGE' });
    expect((error as OrderError).message).not.toContain('Lan');
    expect((error as OrderError).driverError()).toMatchObject({
      message: 'connection terminated: customer Lan, 0912345678',
    });
    expect(sent).toEqual([]);
  });

  test('is decided again if its write took effect, its response was lost, and another process wrote afterwards', async () => {
    const storage = memoryStorage();
    const other = shop({ storage });
    const then = () => other.payments.cancel('A-1');
    const { payments, sent } = shop({ storage: losing(storage, 'insert', 1, { then }) });
    expect(await payments.start('A-1', orderRequest())).toMatchObject({ state: 'cancelled' });
    expect(sent.length).toBeLessThanOrEqual(1);
  });

  test('sends its payment even if its response was lost and a webhook wrote the row meanwhile', async () => {
    const storage = memoryStorage();
    const other = shop({ storage });
    const then = () => other.payments.handleEvent(eventOf('A-1-1', 'SETTLED'));
    const { payments, sent } = shop({ storage: losing(storage, 'insert', 1, { then }) });
    expect(await payments.start('A-1', orderRequest())).toMatchObject({ state: 'started' });
    expect(sent).toHaveLength(1);
  });

  test('of a sweep sends its payment even if its response was lost and a webhook wrote the row meanwhile', async () => {
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

  test('sends until the end of the stored claim, not of the claim that a later try would have made', async () => {
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

  test('returns firstPaid if the first response was lost and another process wrote afterwards', async () => {
    const storage = memoryStorage();
    const other = shop({ storage });
    await other.payments.start('A-1', orderRequest());
    const then = () => other.payments.handleEvent(eventOf('A-1-1'));
    const { payments } = shop({ storage: losing(storage, 'replace', 1, { then }) });
    expect(await payments.handleEvent(eventOf('A-1-1'))).toMatchObject({ state: 'paid', firstPaid: true });
  });

  test('rejects with CONFLICT after a bounded number of tries if other processes write each time', async () => {
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
    const startedAt = performance.now();
    await expect(shop({ storage: never }).payments.cancel('A-1')).rejects.toMatchObject({
      code: 'CONFLICT',
      message: 'other processes kept changing this order: try again later',
    });
    expect(writes).toBe(12);
    // It leaves the row to the others for a while between two tries.
    expect(performance.now() - startedAt).toBeGreaterThan(500);
  });

  test('refuses an order whose key belongs to another orderId, before anything is sent', async () => {
    const storage = memoryStorage();
    const { payments, sent } = shop({ storage });
    await payments.add('A-1', orderRequest());
    const { row } = await storage.read('A-1');
    if (!row) throw new Error('nothing is stored');
    const data = row.data.replace('"orderId":"A-1"', '"orderId":"A-2"');
    await storage.replace(
      { ...row, key: 'A-1', orderId: 'A-2', reviewAt: null, changedAt: 1, token: 'by hand', data },
      row.version,
    );
    for (const call of [payments.start('A-1', orderRequest()), payments.get('A-1'), payments.cancel('A-1')])
      await expect(call).rejects.toMatchObject({
        code: 'CONFLICT',
        message: 'the row with the key of this orderId contains a different order',
      });
    expect(sent).toEqual([]);
  });

  test('a query that resolves to the headers of a driver is refused at once, not run again', async () => {
    let statements = 0;
    const query = () => {
      statements += 1;
      return Promise.resolve({ affectedRows: 1 });
    };
    const { client } = shop();
    const payments = createOrderPayments({ client, dialect: 'mysql', onPaid: 'firstPaid', query });
    await expect(payments.get('A-1')).rejects.toThrow('query must resolve to an array of rows');
    await expect(payments.handleEvent(eventOf('A-1-1'), { query })).rejects.toThrow('array of rows');
    expect(statements).toBe(2);
  });
});

describe('the row that a command writes', () => {
  test('contains the time of the storage, so that list({ changedSince }) finds it', async () => {
    const { payments, clock, turn } = shop();
    await payments.add('A-1', orderRequest());
    turn(5);
    await payments.add('A-2', orderRequest());
    const listed = await payments.list({ changedSince: new Date(clock.now) });
    expect(listed.map(({ orderId }) => orderId)).toEqual(['A-2']);
  });

  test('contains the time of its oldest review, so that a new review does not hide how long it has waited', async () => {
    const { payments, clock, turn } = shop();
    await payments.start('A-1', orderRequest());
    const oldestReview = new Date(clock.now);
    await payments.handleEvent(eventOf('A-1-1', 'paid', 1));
    turn(60);
    await payments.cancel('A-1');
    await payments.handleEvent(eventOf('A-1-1'));
    expect(await payments.forReview()).toMatchObject([{ reason: 'mismatch' }, { reason: 'refund' }]);
    expect(await payments.health()).toMatchObject({ oldestReview, inReview: 1 });
  });

  test('is not written if nothing changes, so that list({ changedSince }) does not show the order again', async () => {
    const { payments, storage, turn } = shop();
    await payments.start('A-1', orderRequest());
    await payments.handleEvent(eventOf('A-1-1'));
    const before = (await storage.read('A-1')).row;
    turn(1);
    await payments.handleEvent(eventOf('A-1-1'));
    await payments.start('A-1', orderRequest());
    await payments.cancel('A-1');
    await payments.lookUp('A-1-1');
    await payments.sweep();
    expect((await storage.read('A-1')).row).toEqual(before);
  });

  test('defines the result, also if a first write takes effect late: paidAt is the stored time', async () => {
    const memory = memoryStorage();
    const { payments: before } = shop({ storage: memory });
    await before.start('A-1', orderRequest());
    let late: OrderRow | undefined;
    const replace: typeof memory.replace = async (row, version) => {
      if (late) await memory.replace(late, version);
      else clock.now += 40_000;
      late ??= row;
    };
    const { payments, clock } = shop({ storage: { ...memory, replace } });
    const paidAt = new Date(clock.now);
    expect(await payments.handleEvent(eventOf('A-1-1'))).toMatchObject({ state: 'paid', paidAt });
  });

  test('defines the effect, also if a first write takes effect late: the stored claim is shorter', async () => {
    const memory = memoryStorage();
    let late: OrderRow | undefined;
    const { payments, sent, clock } = shop({
      claimMs: 60_000,
      storage: {
        ...memory,
        insert: async (row) => {
          if (late) await memory.insert(late);
          else clock.now += 40_000;
          late ??= row;
        },
      },
    });
    await payments.start('A-1', orderRequest());
    expect(sent).toHaveLength(1);
    expect(sent[0]?.options?.sendBefore?.getTime()).toBeLessThan(Date.now() + 25_000);
  });
});

/** A storage over a connection whose character set does not have the letters of Vietnamese. */
function narrow(storage: OrderStorage): OrderStorage {
  const narrowed = (row: OrderRow) => ({ ...row, data: row.data.replaceAll(/[^\0-\xff]/g, '?') });
  return {
    ...storage,
    insert: (row) => storage.insert(narrowed(row)),
    replace: (row, version) => storage.replace(narrowed(row), version),
  };
}

describe('a row whose data differs from what was written', () => {
  const customer = { ...orderRequest().customer, firstName: 'Vũ', lastName: 'Nguyễn' };

  test('is not sent by the checkout that wrote it, and the error names the character set of the connection', async () => {
    const { payments, sent } = shop({ storage: narrow(memoryStorage()) });
    await expect(payments.start('A-1', orderRequest({ customer }))).rejects.toMatchObject({
      code: 'UNREADABLE_ROW',
      message: expect.stringContaining(
        'the character set of the connection is UTF-8 (utf8mb4 of MySQL)',
      ) as string,
    });
    expect(sent).toEqual([]);
  });

  test('is not sent by a later sweep either, because it reads the same damaged data', async () => {
    const { payments, sent, turn } = shop({ storage: narrow(memoryStorage()) });
    await payments.start('A-1', orderRequest({ customer })).catch(() => undefined);
    for (let minutes = 0; minutes < 300; minutes += 20) {
      turn(20);
      await payments.sweep();
    }
    await payments.start('A-1', orderRequest({ customer })).catch(() => undefined);
    expect(sent).toEqual([]);
    expect(await payments.forReview()).toMatchObject([{ orderId: 'A-1', reason: 'unreadable' }]);
  });

  test('is read again once the connection has the right character set, if the stored bytes are right', async () => {
    const storage = memoryStorage();
    await shop({ storage }).payments.add('A-1', orderRequest({ customer }));
    const read: OrderStorage['read'] = async (key) => {
      const { now, row } = await storage.read(key);
      return { now, row: row && { ...row, data: Buffer.from(row.data).toString('latin1') } };
    };
    await expect(shop({ storage: { ...storage, read } }).payments.start('A-1')).rejects.toMatchObject({
      code: 'UNREADABLE_ROW',
    });
    expect(await shop({ storage }).payments.start('A-1')).toMatchObject({ state: 'started' });
  });

  test('is read if its token was set manually together with the data', async () => {
    const { payments, storage } = shop();
    await payments.add('A-1', orderRequest());
    const { row } = await storage.read('A-1');
    if (!row) throw new Error('the row is there');
    const corrected = { ...row, key: 'A-1', orderId: 'A-1', changedAt: 1, token: 'by hand' };
    await storage.replace({ ...corrected, data: row.data.replace('"invoices":[]', '"invoices": []') }, 1);
    expect(await payments.start('A-1')).toMatchObject({ state: 'started' });
  });
});

describe('a row of another version of this package', () => {
  async function stored(change: (order: Record<string, unknown>) => object) {
    const made = shop();
    await made.payments.add('A-1', orderRequest());
    const { row } = await made.storage.read('A-1');
    const data = JSON.stringify(change(JSON.parse(row?.data ?? '') as Record<string, unknown>));
    const changed = { key: 'A-1', orderId: 'A-1', token: 't', dueAt: 1, reviewAt: null, changedAt: 1, data };
    await made.storage.replace(changed, 1);
    return { ...made, data };
  }

  test('is read if it contains no form, and keeps members that this version does not know', async () => {
    const { payments, storage } = await stored(({ form: _form, ...order }) => ({ ...order, later: [1] }));
    await payments.cancel('A-1');
    const { row } = await storage.read('A-1');
    expect(JSON.parse(row?.data ?? '')).toMatchObject({ form: 1, later: [1] });
  });
});
