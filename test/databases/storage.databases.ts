import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, inject, test } from 'vitest';
import type { Dialect } from '../../src/orders/dialects.js';
import { schemaOf } from '../../src/orders/order-schema.js';
import { sqlStorage, statementsOf } from '../../src/orders/sql-storage.js';
import { plansOf } from './query-plans.js';
import { storageContract, row } from '../orders/storage.contract.js';
import { connect, dialects, type Connected } from './connect.js';

const folder = mkdtempSync(join(tmpdir(), 'sqlite-'));
const urls: Readonly<Record<Dialect, string>> = {
  postgres: inject('postgresUrl'),
  mysql: inject('mysqlUrl'),
  sqlite: join(folder, 'shop.db'),
};
let tables = 0;

async function newTable({ dialect, query }: Connected): Promise<string> {
  tables += 1;
  const table = `storage_${String(tables)}`;
  for (const statement of schemaOf(dialect, table)) await query(statement, []);
  return table;
}

for (const dialect of dialects) {
  const database = connect(dialect, urls[dialect]);
  afterAll(() => database[Symbol.asyncDispose]());
  storageContract(dialect, async () => sqlStorage(dialect, await newTable(database), database.query, false));

  describe(`${dialect}: statements`, () => {
    test('the schema may run twice, and keeps the rows', async () => {
      const table = await newTable(database);
      const storage = sqlStorage(dialect, table, database.query, false);
      await storage.insert(row('A-1'));
      for (const statement of schemaOf(dialect, table)) await database.query(statement, []);
      expect((await storage.read('A-1')).row?.version).toBe(1);
    });

    test('processes that make the table at the same moment all have it, where each runs a statement that failed once more', async () => {
      const processes = Array.from({ length: 8 }, () => connect(dialect, urls[dialect]));
      for (let round = 0; round < 5; round += 1) {
        tables += 1;
        const table = `storage_${String(tables)}`;
        await Promise.all(
          processes.map(async ({ query }) => {
            for (const statement of schemaOf(dialect, table))
              await query(statement, []).catch(() => query(statement, []));
            await sqlStorage(dialect, table, query, false).insert(row('A-1'));
          }),
        );
        expect((await sqlStorage(dialect, table, database.query, false).read('A-1')).row?.version).toBe(1);
      }
      for (const process of processes) await process[Symbol.asyncDispose]();
    });

    test('each of the longest names of a table has its three indexes', async () => {
      const table = `t${'a'.repeat(40)}`;
      for (const statement of schemaOf(dialect, table)) await database.query(statement, []);
      const list = {
        postgres: `SELECT indexname FROM pg_indexes WHERE tablename = '${table}'`,
        mysql: `SELECT DISTINCT index_name FROM information_schema.statistics WHERE table_name = '${table}'`,
        sqlite: `SELECT name FROM sqlite_master WHERE type = 'index' AND tbl_name = '${table}'`,
      };
      expect(await database.query(list[dialect], [])).toHaveLength(5);
    });

    test('a table in a schema of its own is made with its indexes', async () => {
      const schema = dialect === 'sqlite' ? 'main' : 'shop';
      if (dialect !== 'sqlite') await database.query(`CREATE SCHEMA ${schema}`, []);
      for (const statement of schemaOf(dialect, `${schema}.orders`)) await database.query(statement, []);
      const storage = sqlStorage(dialect, `${schema}.orders`, database.query, false);
      await storage.insert(row('A-1', { dueAt: 1 }));
      expect(await storage.due(2, { at: 0, key: '' }, 10)).toEqual([{ at: 1, key: 'A-1' }]);
    });

    test('integers are read as numbers where the driver gives them as text', async () => {
      const table = await newTable(database);
      const asText = async (sql: string, values: (string | number | null)[]) => {
        const rows = (await database.query(sql, values)) as Record<string, unknown>[];
        if (!sql.startsWith('SELECT')) return rows;
        return rows.map((each) =>
          Object.fromEntries(
            Object.entries(each).map(([name, value]) => [
              name,
              typeof value === 'number' ? String(value) : value,
            ]),
          ),
        );
      };
      const storage = sqlStorage(dialect, table, asText, false);
      await storage.insert(row('A-1', { dueAt: 12, reviewAt: 13 }));
      expect((await storage.read('A-1')).row).toMatchObject({ version: 1, dueAt: 12 });
      expect(await storage.inReview({ at: 0, key: '' }, 5)).toEqual([
        { at: 13, key: 'A-1', orderId: 'id of A-1', data: '{}' },
      ]);
      expect(await storage.health()).toEqual({ oldestDue: 12, oldestReview: 13, inReview: 1 });
    });

    test('every statement reads a range of an index over 20,000 rows, also the last page of rows of the same time', async () => {
      const table = await newTable(database);
      for (let from = 0; from < 20_000; from += 1_000) {
        // Half of them wait for staff since the same time; a tenth is due.
        const rows = Array.from({ length: 1_000 }, (_, at) => from + at).map(
          (index) =>
            `('k${String(index).padStart(6, '0')}', 'id ${index}', 1, 't', ${index % 10 === 0 ? index : 'NULL'}, ${index % 2 === 0 ? 7 : 'NULL'}, ${index}, '{"of":"${'x'.repeat(400)}"}')`,
        );
        await database.query(
          `INSERT INTO ${table} (order_key, order_id, version, token, due_at, review_at, changed_at, data) VALUES ${rows.join(', ')}`,
          [],
        );
      }
      // PostgreSQL reads an index alone once VACUUM has said which pages are visible to all, as its daemon does.
      const analyze = { postgres: 'VACUUM ANALYZE', mysql: 'ANALYZE TABLE', sqlite: 'ANALYZE' };
      await database.query(`${analyze[dialect]} ${table}`, []);
      // The counters of MariaDB are of a connection.
      const plans = await (dialect === 'mysql'
        ? database.transaction((query) => plansOf(dialect, table, query))
        : plansOf(dialect, table, database.query));
      expect(Object.keys(plans)).toHaveLength(Object.keys(statementsOf(dialect, table)).length - 1);
      for (const [name, { rowsRead, text }] of Object.entries(plans)) {
        // The count of what waits for staff is read from the index alone.
        expect(rowsRead, `${name}: ${text}`).toBeLessThanOrEqual(name === 'health' ? 10_100 : 150);
      }
    });
  });
}

afterAll(() => {
  rmSync(folder, { recursive: true });
});
