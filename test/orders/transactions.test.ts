import { afterAll, describe, expect, test } from 'vitest';
import { createOrderPayments, type Query } from '../../src/entries/orders.js';
import { connectSqlite } from '../databases/sqlite.js';
import { eventOf, orderRequest, shop } from './support.js';

describe('a transaction of the caller', () => {
  const database = connectSqlite(':memory:');
  afterAll(() => database[Symbol.asyncDispose]());
  const { client } = shop();
  let outside = 0;
  const query: Query = (sql, values) => {
    outside += 1;
    return database.query(sql, values);
  };
  const payments = createOrderPayments({ client, dialect: 'sqlite', query, onPaid: 'firstPaid' });
  const invoice = { invoiceNumber: 'INV-1', fileUrl: 'https://shop.example/invoices/1.pdf' };

  // With a connection of its own, each of these would wait for the lock of the transaction, which waits for it.
  test('runs every statement, also that for the restores, so that no statement waits for a lock of the transaction', async () => {
    for (const statement of payments.schema) await database.query(statement, []);
    await payments.start('A-1', orderRequest());
    await payments.restored(new Date());
    const before = outside;
    await database.transaction(async (tx) => {
      const { firstPaid } = await payments.handleEvent(eventOf('A-1-1'), { query: tx });
      expect(firstPaid).toBe(true);
      await payments.addInvoice('A-1', invoice, { query: tx });
      await payments.add('B-1', orderRequest(), { query: tx });
      await payments.conclude('A-1-1', 'exists', { query: tx });
    });
    expect(outside).toBe(before);
    expect(await payments.get('A-1')).toMatchObject({ state: 'paid' });
    expect(await payments.get('B-1')).toMatchObject({ state: 'new' });
  });

  test('reports a conflict at once if another transaction has written the row first', async () => {
    let writes = 0;
    const beaten: Query = (sql, values) => {
      if (!sql.startsWith('INSERT')) return database.query(sql, values);
      writes += 1;
      return Promise.resolve([]);
    };
    await expect(payments.add('C-1', orderRequest(), { query: beaten })).rejects.toMatchObject({
      code: 'CONFLICT',
      message: 'another transaction changed this order: roll your transaction back and run it again',
    });
    expect(writes).toBe(1);
    await payments.start('D-1', orderRequest());
    const beatenUpdate: Query = (sql, values) =>
      sql.startsWith('UPDATE') ? Promise.resolve([]) : database.query(sql, values);
    await expect(payments.handleEvent(eventOf('D-1-1'), { query: beatenUpdate })).rejects.toMatchObject({
      code: 'CONFLICT',
      message: 'another transaction changed this order: roll your transaction back and run it again',
    });
  });

  test('removes a stored payment and its invoice with a rollback', async () => {
    const storedAfter = async (end: 'commit' | 'roll back') => {
      const work = database.transaction(async (tx) => {
        await payments.addInvoice('A-1', { ...invoice, invoiceNumber: 'INV-2' }, { query: tx });
        if (end === 'roll back') throw new Error('no stock');
      });
      await work.catch(() => undefined);
      const [row] = (await database.query(
        "SELECT data FROM installment_orders WHERE order_key = 'A-1'",
        [],
      )) as {
        data: string;
      }[];
      return row?.data.includes('INV-2');
    };
    expect(await storedAfter('roll back')).toBe(false);
    expect(await storedAfter('commit')).toBe(true);
  });
});
