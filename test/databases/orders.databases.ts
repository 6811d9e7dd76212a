import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, describe, expect, inject, test } from 'vitest';
import {
  retryConflicts,
  type OrderError,
  type OrderPayments,
  type OrderPaymentsOptions,
} from '../../src/entries/orders.js';
import type { Dialect } from '../../src/orders/dialects.js';
import type { Query } from '../../src/orders/sql-storage.js';
import { connect, dialects, type Connected } from './connect.js';
import { servePayments } from './payment-service.js';
import { startPgBouncer } from './pgbouncer-server.js';
import { clientOf, eventOf, orderRequest, paymentsOver } from '../orders/support.js';

const folder = mkdtempSync(join(tmpdir(), 'sqlite-'));
const urls: Readonly<Record<Dialect, string>> = {
  postgres: inject('postgresUrl'),
  mysql: inject('mysqlUrl'),
  sqlite: join(folder, 'shop.db'),
};
const service = await servePayments({ delayMs: 100 });
const client = clientOf(service.url);
let tables = 0;

function newTable(): string {
  tables += 1;
  return `orders_${String(tables)}`;
}

function later<T>(work: (query: Query) => Promise<T>, isAfter: () => boolean) {
  return async (query: Query): Promise<T> => {
    while (!isAfter()) await pause(5);
    return work(query);
  };
}

/** Ships in the transaction of a notification, as the guide shows. */
function deliver(
  database: Connected,
  payments: OrderPayments,
  referenceId: string,
  begin?: readonly string[],
) {
  return database.transaction(async (query) => {
    const result = await payments.handleEvent(eventOf(referenceId), { query });
    if (result.firstPaid) await query(`INSERT INTO shipped (order_id) VALUES ('${result.orderId}')`, []);
    return result;
  }, begin);
}

async function shipments(database: Connected, orderId: string): Promise<number> {
  const rows = await database.query(`SELECT order_id FROM shipped WHERE order_id = '${orderId}'`, []);
  return (rows as unknown[]).length;
}

describe.each(dialects)('orders over %s', (dialect) => {
  const plain = connect(dialect, urls[dialect]);
  const statements = new Set<string>();
  let count = 0;
  const logged =
    (query: Query): Query =>
    (sql, values) => {
      count += 1;
      statements.add(sql.replaceAll(/\borders_\d+/g, 'T'));
      return query(sql, values);
    };
  const database: Connected = {
    ...plain,
    query: logged(plain.query),
    transaction: (work, begin) => plain.transaction((query) => work(logged(query)), begin),
  };
  const open = async (table = newTable(), options: Partial<OrderPaymentsOptions> = {}) => {
    await database.query('CREATE TABLE IF NOT EXISTS shipped (order_id varchar(200) NOT NULL)', []);
    return paymentsOver(database, { client, table, ...options });
  };
  afterAll(() => plain[Symbol.asyncDispose]());

  test('of forty clicks at once one sends, and each has the link', async () => {
    // Forty connections of a busy machine can take longer than the default.
    const payments = await open(newTable(), { waitMs: 30_000 });
    const views = await Promise.all(
      Array.from({ length: 40 }, () => payments.start(`clicks-${dialect}`, orderRequest())),
    );
    expect(service.arrived.filter((reference) => reference === `clicks-${dialect}-1`)).toHaveLength(1);
    expect(new Set(views.map(({ paymentUrl }) => paymentUrl))).toEqual(
      new Set([`https://pay.example/clicks-${dialect}-1`]),
    );
  });

  test('a click on a new order runs at most seven statements, and a transaction that ships five', async () => {
    const payments = await open();
    const orderId = `counted-${dialect}`;
    count = 0;
    await payments.start(orderId, orderRequest());
    expect(count).toBeLessThanOrEqual(7);
    await database.transaction(async (query) => {
      count = 0;
      await payments.handleEvent(eventOf(`${orderId}-1`), { query });
      expect(count).toBeLessThanOrEqual(5);
    });
  });

  test('an order of 200 items is stored in less than 50 kB', async () => {
    const payments = await open('orders_of_200');
    const item = orderRequest().items[0];
    if (!item) throw new Error('the sample has an item');
    const items = Array.from({ length: 200 }, () => ({ ...item, productName: 'Tủ lạnh hai cánh 300 lít' }));
    await payments.add('long', orderRequest({ items }));
    const [row] = (await database.query("SELECT data FROM orders_of_200 WHERE order_id = 'long'", [])) as {
      data: string;
    }[];
    expect(Buffer.byteLength(row?.data ?? '')).toBeLessThan(50_000);
    expect(Buffer.byteLength(row?.data ?? '')).toBeGreaterThan(20_000);
  });

  test('a transaction that is rolled back leaves no payment', async () => {
    const payments = await open();
    const work = database.transaction(async (query) => {
      await payments.add('A-1', orderRequest(), { query });
      throw new Error('the order is not valid');
    });
    await expect(work).rejects.toThrow('the order is not valid');
    expect(await payments.get('A-1')).toEqual({ orderId: 'A-1', state: 'none' });
    await database.transaction((query) => payments.add('A-1', orderRequest(), { query }));
    expect(await payments.get('A-1')).toMatchObject({ state: 'new' });
  });

  test('of twenty deliveries at once, each with its transaction, one ships', async () => {
    const payments = await open();
    const orderId = `shipped-${dialect}`;
    const { referenceId = '' } = await payments.start(orderId, orderRequest());
    const results = await Promise.all(
      Array.from({ length: 20 }, () => retryConflicts(() => deliver(database, payments, referenceId))),
    );
    expect(results.filter(({ firstPaid }) => firstPaid)).toHaveLength(1);
    expect(await shipments(database, orderId)).toBe(1);
    expect(await payments.get(orderId)).toMatchObject({ state: 'paid' });
  });

  test('a shipment that is rolled back is made by the next delivery', async () => {
    const payments = await open();
    const orderId = `rolled-back-${dialect}`;
    const { referenceId = '' } = await payments.start(orderId, orderRequest());
    const failing = database.transaction(async (query) => {
      expect((await payments.handleEvent(eventOf(referenceId), { query })).firstPaid).toBe(true);
      throw new Error('no stock');
    });
    await expect(failing).rejects.toThrow('no stock');
    expect((await deliver(database, payments, referenceId)).firstPaid).toBe(true);
    expect(await shipments(database, orderId)).toBe(1);
  });

  test('lists for people and for the reconciliation come page by page', async () => {
    const payments = await open();
    for (const orderId of ['A-1', 'A-2']) {
      await payments.add(orderId, orderRequest());
      await payments.lookUp(`${orderId}-1`);
    }
    expect((await payments.forReview()).map(({ orderId, reason }) => [orderId, reason])).toEqual([
      ['A-1', 'look_up'],
      ['A-2', 'look_up'],
    ]);
    expect((await payments.list({ changedSince: new Date(0) })).map(({ orderId }) => orderId)).toEqual([
      'A-1',
      'A-2',
    ]);
    expect(await payments.sweep()).toEqual({ processed: 0, failed: 0 });
    expect(await payments.health()).toMatchObject({ inReview: 2, oldestReview: expect.any(Date) as Date });
  });

  test('a row that cannot be read is postponed with its data as it is, and is for review', async () => {
    const table = newTable();
    const payments = await open(table);
    await payments.add('Đơn 1', orderRequest());
    await database.query(`UPDATE ${table} SET data = '{', due_at = 1`, []);
    expect(await payments.sweep()).toEqual({ processed: 0, failed: 1 });
    expect(await payments.sweep()).toEqual({ processed: 0, failed: 0 });
    expect(await payments.forReview()).toMatchObject([{ orderId: 'Đơn 1', reason: 'unreadable' }]);
    expect(await database.query(`SELECT data, version FROM ${table}`, [])).toMatchObject([
      { data: '{', version: 1 },
    ]);
  });

  test('an invoice is added in the transaction of its notification, which waits for no lock of its own', async () => {
    const payments = await open();
    const orderId = `invoiced-${dialect}`;
    await payments.start(orderId, orderRequest());
    await payments.restored(new Date());
    const invoice = { invoiceNumber: 'INV-1', fileUrl: 'https://shop.example/invoices/1.pdf' };
    await database.transaction(async (query) => {
      const { firstPaid } = await payments.handleEvent(eventOf(`${orderId}-1`), { query });
      expect(firstPaid).toBe(true);
      await payments.addInvoice(orderId, invoice, { query });
      await payments.add(`${orderId}-next`, orderRequest(), { query });
    });
    expect(await payments.get(orderId)).toMatchObject({ state: 'paid' });
    expect(await payments.get(`${orderId}-next`)).toMatchObject({ state: 'new' });
  });

  test('every statement of the storage has run', () => {
    const patterns = {
      table: /^CREATE TABLE IF NOT EXISTS T /,
      ...(dialect !== 'mysql' && { index: /^CREATE INDEX IF NOT EXISTS T_due_at_key ON T / }),
      read: /^SELECT clock.now_ms/,
      ...(dialect !== 'sqlite' && { lock: /^SELECT .* FROM T WHERE order_key/ }),
      insert: /^INSERT INTO T /,
      replace: /^UPDATE T /,
      postpone: /^UPDATE T SET due_at/,
      due: /^SELECT due_at/,
      health: /^SELECT \(SELECT MIN/,
      forReview: /^SELECT review_at/,
      changed: /^SELECT changed_at/,
    };
    const sorted = [...statements].filter((sql) => /\bT\b/.test(sql));
    const ran = Object.entries(patterns).filter(([, pattern]) => sorted.some((sql) => pattern.test(sql)));
    expect(ran.map(([name]) => name)).toEqual(Object.keys(patterns));
  });
});

const servers = dialects.filter((dialect) => dialect !== 'sqlite');

describe.each(servers)('transactions that meet on %s', (dialect) => {
  const database = connect(dialect, urls[dialect]);
  afterAll(() => database[Symbol.asyncDispose]());

  test('two that add different orders wait for nothing of each other', async () => {
    const payments = await paymentsOver(database, { client, table: newTable() });
    const hasAdded = { 'A-1': false, 'B-1': false };
    const place = (orderId: 'A-1' | 'B-1', other: 'A-1' | 'B-1') =>
      database.transaction(async (query) => {
        // Both have looked before either stores.
        await payments.handleEvent(eventOf(`${orderId}-1`), { query }).catch(() => undefined);
        hasAdded[orderId] = true;
        return later(
          (inside) => payments.add(orderId, orderRequest(), { query: inside }),
          () => hasAdded[other],
        )(query);
      });
    const views = await Promise.all([place('A-1', 'B-1'), place('B-1', 'A-1')]);
    expect(views.map(({ state }) => state)).toEqual(['new', 'new']);
  });

  test('the second webhook of an order waits for the transaction of the first, and is no conflict', async () => {
    const payments = await paymentsOver(database, { client, table: newTable() });
    await payments.add('A-1', orderRequest());
    const progress = { hasRead: false };
    const first = database.transaction(async (query) => {
      const result = await payments.handleEvent(eventOf('A-1-1'), { query });
      progress.hasRead = true;
      await pause(300);
      return result;
    });
    while (!progress.hasRead) await pause(5);
    const second = database.transaction((query) => payments.handleEvent(eventOf('A-1-1'), { query }));
    expect((await Promise.all([first, second])).map(({ firstPaid }) => firstPaid)).toEqual([true, false]);
  });

  test('a deadlock is a conflict that says to run the transaction again, and nothing of it is stored', async () => {
    const payments = await paymentsOver(database, { client, table: newTable() });
    for (const orderId of ['A-1', 'B-1']) await payments.add(orderId, orderRequest());
    const holds = { 'A-1': false, 'B-1': false };
    const crossing = (first: 'A-1' | 'B-1', second: 'A-1' | 'B-1') =>
      database.transaction(async (query) => {
        await payments.handleEvent(eventOf(`${first}-1`), { query });
        holds[first] = true;
        await later(
          (inside) => payments.handleEvent(eventOf(`${second}-1`), { query: inside }),
          () => holds[second],
        )(query);
      });
    const results = await Promise.allSettled([crossing('A-1', 'B-1'), crossing('B-1', 'A-1')]);
    const failed = results.filter((result) => result.status === 'rejected');
    expect(failed).toHaveLength(1);
    expect(failed[0]?.reason).toMatchObject({
      name: 'OrderError',
      code: 'CONFLICT',
      message: expect.stringContaining(
        'your transaction conflicts with another transaction: roll your transaction back and run it again, as retryConflicts does',
      ) as string,
    });
    expect((failed[0]?.reason as OrderError).driverError()).toBeInstanceOf(Error);
    expect(await payments.get('A-1')).toMatchObject({ state: 'paid' });
    expect(await payments.get('B-1')).toMatchObject({ state: 'paid' });
  });

  test('under the strictest isolation in use, a transaction that met another is a conflict and succeeds when it is run again', async () => {
    const payments = await paymentsOver(database, { client, table: newTable() });
    const begin =
      dialect === 'postgres'
        ? ['BEGIN ISOLATION LEVEL SERIALIZABLE']
        : ['SET TRANSACTION ISOLATION LEVEL REPEATABLE READ', 'START TRANSACTION'];
    const place = () =>
      database.transaction(async (query) => {
        // The snapshot is from before the other has written.
        await query('SELECT 1 FROM shipped', []);
        await payments.add('other', orderRequest());
        return payments.add('other', orderRequest({ description: 'another basket' }), { query });
      }, begin);
    const error = await place().catch((reason: unknown) => reason);
    expect(error).toMatchObject({ name: 'OrderError', code: 'CONFLICT' });
    expect((error as Error).message).toContain('run it again');
    const view = await database.transaction(
      (query) => payments.add('other', orderRequest({ description: 'another basket' }), { query }),
      begin,
    );
    expect(view).toMatchObject({ state: 'new', differs: true });
  });

  test('under serializable isolation, of ten deliveries at once one ships', async () => {
    const payments = await paymentsOver(database, { client, table: newTable() });
    const orderId = `serializable-${dialect}`;
    const { referenceId = '' } = await payments.start(orderId, orderRequest());
    const begin =
      dialect === 'postgres'
        ? ['BEGIN ISOLATION LEVEL SERIALIZABLE']
        : ['SET TRANSACTION ISOLATION LEVEL SERIALIZABLE', 'START TRANSACTION'];
    const results = await Promise.all(
      Array.from({ length: 10 }, () => retryConflicts(() => deliver(database, payments, referenceId, begin))),
    );
    expect(results.filter(({ firstPaid }) => firstPaid)).toHaveLength(1);
    expect(await shipments(database, orderId)).toBe(1);
  });

  test('after a restore, checkouts in transactions do not wait for the mark of the restore', async () => {
    const payments = await paymentsOver(database, { client, table: newTable() });
    await payments.restored(new Date());
    await database.transaction(async (query) => {
      await payments.add('A-1', orderRequest(), { query });
      await database.transaction((other) => payments.add('B-1', orderRequest(), { query: other }));
    });
    expect(await payments.get('A-1')).toMatchObject({ state: 'new' });
    expect(await payments.get('B-1')).toMatchObject({ state: 'new' });
  });

  test('beside the mark of a restore an order may have any ID, also the key of the mark', async () => {
    const payments = await paymentsOver(database, { client, table: newTable() });
    await payments.restored(new Date());
    expect(await payments.add('*', orderRequest())).toMatchObject({ orderId: '*', state: 'new' });
  });
});

test('behind PgBouncer in transaction mode, clicks, deliveries and sweeps end as without it', async () => {
  await using pgBouncer = await startPgBouncer(urls.postgres);
  await using database = connect('postgres', pgBouncer.url);
  const payments = await paymentsOver(database, { client, table: newTable() });
  const orderIds = Array.from({ length: 20 }, (_, index) => `bounced-${String(index)}`);
  const views = await Promise.all(orderIds.map((orderId) => payments.start(orderId, orderRequest())));
  expect(views.every(({ state }) => state === 'started')).toBe(true);
  const deliveries = await Promise.all(
    orderIds.flatMap((orderId) =>
      Array.from({ length: 3 }, () => retryConflicts(() => deliver(database, payments, `${orderId}-1`))),
    ),
  );
  expect(deliveries.filter(({ firstPaid }) => firstPaid)).toHaveLength(orderIds.length);
  expect(await payments.sweep()).toMatchObject({ failed: 0 });
});

afterAll(async () => {
  await service[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

test('the service saw no second live payment and no other request under a reference', () => {
  expect(service.violations).toEqual([]);
});
