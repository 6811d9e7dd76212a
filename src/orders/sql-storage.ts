import { ConfigurationError } from '../errors/errors.js';
import { isRecord } from '../values/untrusted-values.js';
import type { OrderRow, OrderStorage, Position, StoredOrder } from './storage.js';

/** The dialects whose statements this package has. */
export type Dialect = 'postgres' | 'mysql' | 'sqlite';

/** Runs one statement; it is committed when the promise resolves, unless it runs in a transaction of the caller. */
export type Query = (sql: string, values: (string | number | null)[]) => Promise<unknown>;

interface DialectWords {
  /** The clock of the database, in milliseconds since 1970. */
  readonly clock: string;
  readonly types: { readonly id: string; readonly key: string; readonly text: string; readonly time: string };
  /** Behind an INSERT: nothing where the row is there. */
  readonly orIgnore: string;
  /** Behind a SELECT in the caller's transaction. */
  readonly lock: string;
}

const dialects: Readonly<Record<Dialect, DialectWords>> = {
  postgres: {
    clock: 'CAST(floor(extract(epoch FROM clock_timestamp()) * 1000) AS bigint)',
    // Sorted by bytes, so that an index that was made under another locale of the system finds its rows.
    types: { id: 'text COLLATE "C"', key: 'text COLLATE "C"', text: 'text', time: 'bigint' },
    orIgnore: 'ON CONFLICT DO NOTHING',
    lock: ' FOR UPDATE',
  },
  mysql: {
    // Without a time zone: a local time comes twice when the clocks go back.
    clock: "TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000",
    types: {
      // Bytes: a text of MySQL is compared without case, and without spaces at its end.
      id: 'varbinary(720)',
      key: 'varchar(64) CHARACTER SET ascii COLLATE ascii_bin',
      text: 'mediumtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin',
      time: 'bigint',
    },
    orIgnore: 'ON DUPLICATE KEY UPDATE version = version',
    lock: ' FOR UPDATE',
  },
  sqlite: {
    clock: "CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)",
    types: { id: 'text', key: 'text', text: 'text', time: 'integer' },
    orIgnore: 'ON CONFLICT DO NOTHING',
    // A transaction that writes has the whole database.
    lock: '',
  },
};

/** The statements that make the table. Running them again changes nothing. */
export function schemaOf(dialect: Dialect, table: string): string[] {
  const { id, key, text, time } = dialects[dialect].types;
  const [name = '', schema] = table.split('.').toReversed();
  const indexed = ['due_at', 'review_at', 'changed_at'];
  const columns = [
    `order_key ${key} NOT NULL PRIMARY KEY`,
    `order_id ${id} NOT NULL UNIQUE`,
    'version integer NOT NULL',
    `token ${key} NOT NULL`,
    `due_at ${time}`,
    `review_at ${time}`,
    `changed_at ${time} NOT NULL`,
    `data ${text} NOT NULL`,
    // MySQL has no CREATE INDEX IF NOT EXISTS.
    ...(dialect === 'mysql' ? indexed.map((column) => `KEY ${name}_${column} (${column})`) : []),
  ];
  const create = `CREATE TABLE IF NOT EXISTS ${table} (\n${columns.map((line) => `  ${line}`).join(',\n')}\n)`;
  if (dialect === 'mysql') return [create];
  // PostgreSQL makes an index in the schema of its table; SQLite wants the schema before the index and nowhere else.
  const [before, on] = dialect === 'sqlite' && schema ? [`${schema}.`, name] : ['', table];
  return [
    create,
    ...indexed.map((column) => `CREATE INDEX IF NOT EXISTS ${before}${name}_${column} ON ${on} (${column})`),
  ];
}

type Row = Readonly<Record<string, unknown>>;

function unusable(problem: string): ConfigurationError {
  return new ConfigurationError('query', `must resolve to ${problem}: see the adapters in the guide`);
}

/** BIGINT comes as a string, a number or a BigInt, as the driver has it. */
function numberOf(value: unknown): number {
  const number = Number(value);
  if (value === null || value === undefined || !Number.isSafeInteger(number))
    throw unusable('rows with the columns of the SELECT, in lower case');
  return number;
}

function textOf(value: unknown): string {
  if (typeof value !== 'string') throw unusable('text as strings');
  return value;
}

function storedIn({ version, token, due_at: due, data }: Row): StoredOrder | undefined {
  if (version === null || version === undefined) return undefined;
  return {
    version: numberOf(version),
    token: textOf(token),
    dueAt: due === null ? null : Number(due),
    data: textOf(data),
  };
}

/**
 * The six statements over the caller's `query`. None needs RETURNING, a row count or an error code of a driver, and each has
 * its values once and in order, so that any driver's placeholders can be put in.
 *
 * @param isTransaction - Whether `query` runs in a transaction of the caller, in which a row is locked when it is read.
 */
export function sqlStorage(
  dialect: Dialect,
  table: string,
  query: Query,
  isTransaction: boolean,
): OrderStorage {
  const { clock, orIgnore, lock } = dialects[dialect];
  const statements = {
    // The clock comes with a row that is not there, too.
    read: `SELECT clock.now_ms, o.version, o.token, o.due_at, o.data FROM (SELECT ${clock} AS now_ms) clock LEFT JOIN ${table} o ON o.order_key = ?`,
    lock: `SELECT ${clock} AS now_ms, version, token, due_at, data FROM ${table} WHERE order_key = ?${lock}`,
    insert: `INSERT INTO ${table} (order_key, order_id, version, token, due_at, review_at, changed_at, data) VALUES (?, ?, ?, ?, ?, ?, ?, ?) ${orIgnore}`,
    replace: `UPDATE ${table} SET version = ?, token = ?, due_at = ?, review_at = ?, changed_at = ?, data = ? WHERE order_key = ? AND version = ?`,
    due: `SELECT order_key FROM ${table} WHERE due_at <= ? ORDER BY due_at LIMIT ?`,
    page: (column: string) =>
      `SELECT ${column} AS at_ms, order_key, data FROM ${table} WHERE ${column} > ? OR ${column} = ? AND order_key > ? ORDER BY ${column}, order_key LIMIT ?`,
  };

  const run = (sql: string, values: (string | number | null)[]) => {
    let position = 0;
    const placeholder = () => (dialect === 'postgres' ? `$${(position += 1)}` : '?');
    return query(sql.replaceAll('?', placeholder), values);
  };
  const select = async (sql: string, values: (string | number | null)[]): Promise<Row[]> => {
    const result = await run(sql, values);
    if (!Array.isArray(result) || !result.every(isRecord)) throw unusable('an array of rows for a SELECT');
    return result;
  };
  const page = async (column: string, after: Position, limit: number) => {
    const rows = await select(statements.page(column), [after.at, after.at, after.key, limit]);
    return rows.map((row) => ({
      at: numberOf(row['at_ms']),
      key: textOf(row['order_key']),
      data: textOf(row['data']),
    }));
  };

  return {
    async read(orderKey) {
      const [row = {}] = await select(statements.read, [orderKey]);
      // Only a row that is there: MySQL would lock the gap of one that is not.
      const isLocked = isTransaction && lock !== '' && storedIn(row) !== undefined;
      const [found = row] = isLocked ? await select(statements.lock, [orderKey]) : [];
      return { now: numberOf(found['now_ms']), row: storedIn(found) };
    },
    async insert({ key, orderId, token, dueAt, reviewAt, changedAt, data }) {
      await run(statements.insert, [key, orderId, 1, token, dueAt, reviewAt, changedAt, data]);
    },
    async replace({ key, token, dueAt, reviewAt, changedAt, data }: OrderRow, from) {
      await run(statements.replace, [from + 1, token, dueAt, reviewAt, changedAt, data, key, from]);
    },
    async due(now, limit) {
      const rows = await select(statements.due, [now, limit]);
      return rows.map((row) => textOf(row['order_key']));
    },
    inReview: (after, limit) => page('review_at', after, limit),
    changed: (after, limit) => page('changed_at', after, limit),
  };
}
