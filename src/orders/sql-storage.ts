import { ConfigurationError } from '../errors/errors.js';
import { isRecord } from '../values/untrusted-values.js';
import { dialects, type Dialect } from './dialects.js';
import { restoreKey } from './restores.js';
import type { OrderRow, OrderStorage, Position, StoredOrder } from './storage.js';

/**
 * Runs one statement, and resolves to the rows of a SELECT. When the promise resolves, the statement is committed,
 * unless it runs in a transaction of the caller.
 */
export type Query = (sql: string, values: (string | number | null)[]) => Promise<unknown>;

type Row = Readonly<Record<string, unknown>>;

function unusable(expected: string): ConfigurationError {
  return new ConfigurationError(
    'query',
    `must resolve to ${expected}: see the adapters in docs/databases.md`,
  );
}

/** Adds a LIMIT without a placeholder. Some versions of mysql2 pass a number as a DOUBLE, which cannot be a LIMIT. */
function limited(sql: string, limit: number): string {
  return `${sql} LIMIT ${Math.trunc(limit)}`;
}

/** Reads a BIGINT. Drivers return a string, a number or a BigInt. */
function integerIn(value: unknown): number {
  const number = Number(value);
  if (value === null || value === undefined || !Number.isSafeInteger(number))
    throw unusable('rows with the columns of the SELECT, in lower case');
  return number;
}

function integerOrNull(value: unknown): number | null {
  return value === null ? null : integerIn(value);
}

/** Reads a text. Some drivers return text of a binary collation as bytes. */
function textIn(value: unknown): string {
  if (typeof value === 'string') return value;
  if (!ArrayBuffer.isView(value)) throw unusable('text as strings');
  return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('utf8');
}

function storedIn({ version, token, due_at: due, review_at: review, data }: Row): StoredOrder | undefined {
  if (version === null || version === undefined) return undefined;
  return {
    version: integerIn(version),
    token: textIn(token),
    dueAt: integerOrNull(due),
    reviewAt: integerOrNull(review),
    data: textIn(data),
  };
}

function positionIn(row: Row): Position {
  return { at: integerIn(row['at_ms']), key: textIn(row['order_key']) };
}

/**
 * The statements of a table. Each placeholder is used once and in order, so that every driver supports the statements.
 * The LIMIT of a list is added when the list is read.
 */
export function statementsOf(dialect: Dialect, table: string) {
  const { clock, orIgnore, lock, isAfter } = dialects[dialect];
  const columns = 'version, token, due_at, review_at, data';
  const page = (column: string) =>
    `SELECT ${column} AS at_ms, order_key, order_id, data FROM ${table} ` +
    `WHERE ${isAfter(column)} ORDER BY ${column}, order_key`;
  return {
    // This statement returns the time of the clock even if the row does not exist.
    read:
      `SELECT clock.now_ms, ${columns}, (SELECT data FROM ${table} WHERE order_key = '${restoreKey}') AS restores ` +
      `FROM (SELECT ${clock} AS now_ms) clock LEFT JOIN ${table} ON order_key = ?`,
    lock: `SELECT ${clock} AS now_ms, ${columns} FROM ${table} WHERE order_key = ?${lock}`,
    insert:
      `INSERT INTO ${table} (order_key, order_id, version, token, due_at, review_at, changed_at, data) ` +
      `VALUES (?, ?, ?, ?, ?, ?, ?, ?) ${orIgnore}`,
    replace:
      `UPDATE ${table} SET version = ?, token = ?, due_at = ?, review_at = ?, changed_at = ?, data = ? ` +
      'WHERE order_key = ? AND version = ?',
    postpone: `UPDATE ${table} SET due_at = ?, review_at = ? WHERE order_key = ? AND version = ?`,
    due:
      `SELECT due_at AS at_ms, order_key FROM ${table} WHERE due_at <= ? AND ${isAfter('due_at')} ` +
      'ORDER BY due_at, order_key',
    inReview: page('review_at'),
    changed: page('changed_at'),
    // `>= 0` means the same as `IS NOT NULL` here. For `IS NOT NULL`, SQLite would read the whole table.
    health:
      `SELECT (SELECT MIN(due_at) FROM ${table}) AS due_ms, (SELECT MIN(review_at) FROM ${table}) AS review_ms, ` +
      `(SELECT COUNT(*) FROM ${table} WHERE review_at >= 0) AS in_review`,
  };
}

/**
 * Creates the storage over the caller's `query`. No statement needs RETURNING, a row count or an error code of a
 * driver.
 *
 * @param isLocking - True if `query` runs in a transaction of the caller. Each row is then locked when it is read,
 *   except on SQLite.
 */
export function sqlStorage(dialect: Dialect, table: string, query: Query, isLocking: boolean): OrderStorage {
  const { lock, afterValues } = dialects[dialect];
  const statements = statementsOf(dialect, table);

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
  const page = async (sql: string, { at, key }: Position, limit: number) => {
    const rows = await select(limited(sql, limit), afterValues(at, key));
    return rows.map((row) => ({
      ...positionIn(row),
      orderId: textIn(row['order_id']),
      data: textIn(row['data']),
    }));
  };

  return {
    async read(orderKey) {
      const [row = {}] = await select(statements.read, [orderKey]);
      // Only a row that exists is locked. For a missing row, MySQL would lock a gap, and block other INSERTs.
      const mustLock = isLocking && lock !== '' && storedIn(row) !== undefined;
      const [locked] = mustLock ? await select(statements.lock, [orderKey]) : [];
      const found = locked ?? row;
      // The row of the restores is not locked. If it were, all checkouts would wait for that one lock.
      const { restores } = row;
      return {
        now: integerIn(found['now_ms']),
        row: storedIn(found),
        restores: restores === null || restores === undefined ? undefined : textIn(restores),
      };
    },
    async insert({ key, orderId, token, dueAt, reviewAt, changedAt, data }) {
      await run(statements.insert, [key, orderId, 1, token, dueAt, reviewAt, changedAt, data]);
    },
    async replace({ key, token, dueAt, reviewAt, changedAt, data }: OrderRow, from) {
      await run(statements.replace, [from + 1, token, dueAt, reviewAt, changedAt, data, key, from]);
    },
    async postpone(key, version, dueAt, reviewAt) {
      await run(statements.postpone, [dueAt, reviewAt, key, version]);
    },
    async due(now, { at, key }, limit) {
      const rows = await select(limited(statements.due, limit), [now, ...afterValues(at, key)]);
      return rows.map(positionIn);
    },
    inReview: (after, limit) => page(statements.inReview, after, limit),
    changed: (after, limit) => page(statements.changed, after, limit),
    async health() {
      const [row = {}] = await select(statements.health, []);
      return {
        oldestDue: integerOrNull(row['due_ms']),
        oldestReview: integerOrNull(row['review_ms']),
        inReview: integerIn(row['in_review']),
      };
    },
  };
}
