import { afterAll, describe, expect, test } from 'vitest';
import type { Dialect } from '../../src/orders/dialects.js';
import { statementsOf, sqlStorage, type Query } from '../../src/orders/sql-storage.js';
import { schemaOf } from '../../src/orders/order-schema.js';
import { connectSqlite } from '../databases/sqlite.js';
import { storageContract, row } from './storage.contract.js';

const database = connectSqlite(':memory:');
afterAll(() => database[Symbol.asyncDispose]());
let tables = 0;

async function newTable(): Promise<string> {
  tables += 1;
  const table = `storage_${String(tables)}`;
  for (const statement of schemaOf('sqlite', table)) await database.query(statement, []);
  return table;
}

storageContract('SQLite', async () => sqlStorage('sqlite', await newTable(), database.query, false));

describe('the statements of SQLite', () => {
  test('read a range of an index, also for the last page of a long list', async () => {
    const table = await newTable();
    const storage = sqlStorage('sqlite', table, database.query, false);
    for (let index = 0; index < 200; index += 1)
      await storage.insert(row(`A-${String(index)}`, { dueAt: index, reviewAt: index, changedAt: index }));
    await database.query('ANALYZE', []);
    for (const [name, sql] of Object.entries(statementsOf('sqlite', table))) {
      const values = Array.from({ length: sql.split('?').length - 1 }, () => 1);
      const plan = (await database.query(`EXPLAIN QUERY PLAN ${sql}`, values)) as { detail: string }[];
      const steps = plan.map(({ detail }) => detail).join('; ');
      expect(`${name}: ${steps}`).not.toMatch(/SCAN (?!CONSTANT|clock|\(?subquery)|TEMP B-TREE/i);
      if (name !== 'insert') expect(steps).toMatch(/USING (COVERING )?INDEX/);
    }
  });
});

describe('a row that is read', () => {
  const found = { now_ms: 1, version: 1, token: 't', due_at: null, review_at: null, data: '{}' };
  const statementsFor = async (dialect: Dialect, rows: object[], isLocking: boolean) => {
    const ran: string[] = [];
    const query: Query = (sql) => {
      ran.push(sql);
      return Promise.resolve(rows);
    };
    await sqlStorage(dialect, 'orders', query, isLocking).read('A-1');
    return ran;
  };

  test.each(['postgres', 'mysql'] as const)(
    'is locked in a transaction of %s, so that a second webhook waits instead of failing',
    async (dialect) => {
      const ran = await statementsFor(dialect, [found], true);
      expect(ran).toHaveLength(2);
      expect(ran[1]).toMatch(/ FOR UPDATE$/);
      expect(await statementsFor(dialect, [found], false)).toHaveLength(1);
    },
  );

  test.each(['postgres', 'mysql'] as const)(
    'is not locked if it does not exist, because %s can lock the gap for other orders',
    async (dialect) => {
      const nothing = { now_ms: 1, version: null, token: null, due_at: null, review_at: null, data: null };
      expect(await statementsFor(dialect, [nothing], true)).toHaveLength(1);
    },
  );
});

describe('a list', () => {
  test('contains its limit in the statement, because mysql2 can pass a DOUBLE, which MySQL refuses there', async () => {
    const ran: [sql: string, values: unknown[]][] = [];
    const query: Query = (...statement) => {
      ran.push(statement);
      return Promise.resolve([]);
    };
    const storage = sqlStorage('mysql', 'orders', query, false);
    await storage.due(9, { at: 1, key: 'A-1' }, 50);
    await storage.inReview({ at: 1, key: 'A-1' }, 50);
    expect(ran.map(([sql]) => /LIMIT .*/.exec(sql)?.[0])).toEqual(['LIMIT 50', 'LIMIT 50']);
    expect(ran.map(([, values]) => values)).toEqual([
      [9, 1, 1, 'A-1'],
      [1, 1, 'A-1'],
    ]);
  });
});

describe('the values of a statement', () => {
  test.each([
    ['postgres', 'WHERE order_key = $7 AND version = $8'],
    ['mysql', 'WHERE order_key = ? AND version = ?'],
  ] as const)('of %s have the placeholders of its drivers, in their order', async (dialect, end) => {
    const ran: [sql: string, values: unknown[]][] = [];
    const query: Query = (...statement) => Promise.resolve(ran.push(statement));
    const storage = sqlStorage(dialect, 'orders', query, false);
    const written = row('A-1', { token: 't', dueAt: 5, reviewAt: 6, changedAt: 7 });
    await storage.replace(written, 3);
    await storage.postpone('A-1', 3, 8, 9);
    expect(ran[0]?.[0].endsWith(end)).toBe(true);
    expect(ran.map(([, values]) => values)).toEqual([
      [4, 't', 5, 6, 7, '{}', 'A-1', 3],
      [8, 9, 'A-1', 3],
    ]);
  });
});

describe('a driver', () => {
  const read = (result: unknown) =>
    sqlStorage('postgres', 'orders', () => Promise.resolve(result), false).read('A-1');
  const found = { now_ms: 1, version: 1, token: 't', due_at: null, review_at: null, data: '{}' };

  test('that returns integers as strings or BigInts is supported', async () => {
    const result = [{ ...found, now_ms: '1764000000123', version: 2n, due_at: '5', review_at: 6n }];
    expect(await read(result)).toEqual({
      now: 1_764_000_000_123,
      row: { version: 2, token: 't', dueAt: 5, reviewAt: 6, data: '{}' },
      restores: undefined,
    });
    const withRestores = [{ ...found, restores: Buffer.from('{"restores":[]}') }];
    expect(await read(withRestores)).toMatchObject({ restores: '{"restores":[]}' });
  });

  test.each([
    ['the rows and the fields of a driver', [[found], [{ name: 'now_ms' }]], 'an array of rows for a SELECT'],
    ['its own result', { rows: [found] }, 'an array of rows for a SELECT'],
    ['nothing', undefined, 'an array of rows for a SELECT'],
    ['rows of null', [null], 'an array of rows for a SELECT'],
    ['no row', [], 'rows with the columns of the SELECT, in lower case'],
    ['columns in capitals', [{ NOW_MS: 1 }], 'rows with the columns of the SELECT, in lower case'],
    ['no time', [{ ...found, now_ms: null }], 'rows with the columns of the SELECT, in lower case'],
    ['a fraction', [{ ...found, version: 1.5 }], 'rows with the columns of the SELECT, in lower case'],
    ['a text that is no number', [{ ...found, due_at: 'x' }], 'rows with the columns of the SELECT'],
    ['data as an object', [{ ...found, data: {} }], 'text as strings'],
  ])('that resolves to %s is refused, and the error names the problem', async (_what, result, problem) => {
    await expect(read(result)).rejects.toMatchObject({
      code: 'CONFIGURATION',
      message: expect.stringContaining(`query must resolve to ${problem}`) as string,
    });
    await expect(read(result)).rejects.toThrow('see the adapters in docs/databases.md');
  });

  const asBytes: Query = async (sql, values) => {
    const rows = await database.query(sql, values);
    if (!Array.isArray(rows)) return rows;
    const inBytes = (value: unknown) =>
      typeof value === 'string' ? Uint8Array.from(Buffer.from(value)) : value;
    return (rows as Record<string, unknown>[]).map((each) =>
      Object.fromEntries(Object.entries(each).map(([name, value]) => [name, inBytes(value)])),
    );
  };

  test('that returns text as bytes is supported: they are read as UTF-8', async () => {
    const storage = sqlStorage('sqlite', await newTable(), asBytes, false);
    const inserted = row('A-1', { orderId: 'Đơn 1', reviewAt: 1, data: '{"customer":"Vũ Nguyễn 🧾"}' });
    await storage.insert(inserted);
    const { token, data, orderId } = inserted;
    expect((await storage.read('A-1')).row).toMatchObject({ token, data });
    expect(await storage.inReview({ at: 0, key: '' }, 5)).toEqual([{ at: 1, key: 'A-1', orderId, data }]);
  });
});
