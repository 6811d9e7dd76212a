import { isRecord } from '../values/untrusted-values.js';
import type { OrderStorage, OrderRow, Position, StoredOrder } from './storage.js';

/** The dialects whose statements this package has. */
export type Dialect = 'postgres' | 'mysql' | 'sqlite';

/** Runs one statement; it is committed when the promise resolves, unless it runs in a transaction of the caller. */
export type Query = (sql: string, values: (string | number | null)[]) => Promise<unknown>;

interface Words {
  /** The clock of the database, in milliseconds since 1970. */
  readonly clock: string;
  readonly types: { readonly id: string; readonly key: string; readonly text: string; readonly time: string };
  /** Behind an INSERT: nothing where the row is there. */
  readonly orIgnore: string;
  /** Behind a SELECT in the caller's transaction. */
  readonly lock: string;
}

const words: Readonly<Record<Dialect, Words>> = {
  postgres: {
    clock: 'CAST(floor(extract(epoch FROM clock_timestamp()) * 1000) AS bigint)',
    types: { id: 'text', key: 'text', text: 'text', time: 'bigint' },
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
  const { id, key, text, time } = words[dialect].types;
  const name = table.replaceAll('.', '_');
  const columns = [
    `order_key ${key} NOT NULL PRIMARY KEY`,
    `order_id ${id} NOT NULL UNIQUE`,
    'version integer NOT NULL',
    `token ${key} NOT NULL`,
    `due_at ${time}`,
    `review_at ${time}`,
    `changed_at ${time} NOT NULL`,
    `data ${text} NOT NULL`,
  ];
  const indexed = ['due_at', 'review_at', 'changed_at'];
  // MySQL has no CREATE INDEX IF NOT EXISTS.
  const keys = dialect === 'mysql' ? indexed.map((column) => `KEY ${name}_${column} (${column})`) : [];
  const body = [...columns, ...keys].map((line) => `  ${line}`).join(',\n');
  const create = `CREATE TABLE IF NOT EXISTS ${table} (\n${body}\n)`;
  if (dialect === 'mysql') return [create];
  return [
    create,
    ...indexed.map((column) => `CREATE INDEX IF NOT EXISTS ${name}_${column} ON ${table} (${column})`),
  ];
}

/** The rows of a SELECT, whatever a driver wraps them in is the adapter's to unwrap. */
function rowsOf(result: unknown): Record<string, unknown>[] {
  if (Array.isArray(result) && result.every(isRecord)) return result;
  throw new TypeError('query must resolve to an array of rows for a SELECT: see the adapters in the guide');
}

/** BIGINT comes as a string, a number or a BigInt, as the driver has it. */
function numberOf(value: unknown): number {
  const number = Number(value);
  if (value === null || value === undefined || !Number.isSafeInteger(number))
    throw new TypeError('query must resolve to rows with the columns of the SELECT, in lower case');
  return number;
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
  const { clock, orIgnore, lock } = words[dialect];
  const mark = (position: number) => (dialect === 'postgres' ? `$${position}` : '?');
  const marks = (count: number) => Array.from({ length: count }, (_, index) => mark(index + 1));
  const select = async (sql: string, values: (string | number | null)[]) => rowsOf(await query(sql, values));

  const columns = ['order_key', 'order_id', 'version', 'token', 'due_at', 'review_at', 'changed_at', 'data'];
  const [version, token, due, review, changed, data, key, known] = marks(8);
  const statements = {
    // The clock comes with a row that is not there, too.
    read: `SELECT clock.now_ms, o.version, o.token, o.data FROM (SELECT ${clock} AS now_ms) clock LEFT JOIN ${table} o ON o.order_key = ${mark(1)}`,
    lock: `SELECT ${clock} AS now_ms, version, token, data FROM ${table} WHERE order_key = ${mark(1)}${lock}`,
    insert: `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${marks(8).join(', ')}) ${orIgnore}`,
    replace: `UPDATE ${table} SET version = ${version}, token = ${token}, due_at = ${due}, review_at = ${review}, changed_at = ${changed}, data = ${data} WHERE order_key = ${key} AND version = ${known}`,
    due: `SELECT order_key FROM ${table} WHERE due_at <= ${mark(1)} ORDER BY due_at LIMIT ${mark(2)}`,
    page: (column: string) =>
      `SELECT ${column} AS at_ms, order_key, data FROM ${table} WHERE ${column} > ${mark(1)} OR ${column} = ${mark(2)} AND order_key > ${mark(3)} ORDER BY ${column}, order_key LIMIT ${mark(4)}`,
  };

  /** Only a row that is there: MySQL would lock the gap of one that is not. */
  const locked = async (orderKey: string) => {
    const [row] = await select(statements.lock, [orderKey]);
    return row;
  };
  const page = async (column: string, after: Position, limit: number) => {
    const rows = await select(statements.page(column), [after.at, after.at, after.key, limit]);
    return rows.map((row) => ({
      at: numberOf(row['at_ms']),
      key: String(row['order_key']),
      data: String(row['data']),
    }));
  };
  const times = ({ dueAt, reviewAt, changedAt }: OrderRow) => [dueAt, reviewAt, changedAt];

  return {
    async read(orderKey) {
      const [row = {}] = await select(statements.read, [orderKey]);
      const found = isTransaction && lock && row['version'] ? ((await locked(orderKey)) ?? row) : row;
      return { now: numberOf(found['now_ms']), row: storedIn(found) };
    },
    async insert(row) {
      await query(statements.insert, [row.key, row.orderId, 1, row.token, ...times(row), row.data]);
    },
    async replace(row, from) {
      await query(statements.replace, [from + 1, row.token, ...times(row), row.data, row.key, from]);
    },
    async due(now, limit) {
      const rows = await select(statements.due, [now, limit]);
      return rows.map((row) => String(row['order_key']));
    },
    inReview: (after, limit) => page('review_at', after, limit),
    changed: (after, limit) => page('changed_at', after, limit),
  };
}

function storedIn(row: Record<string, unknown>): StoredOrder | undefined {
  const { version, token, data } = row;
  if (version === null || version === undefined) return undefined;
  if (typeof data !== 'string' || typeof token !== 'string')
    throw new TypeError('query must resolve to text as strings: data or token is something else');
  return { version: numberOf(version), token, data };
}
