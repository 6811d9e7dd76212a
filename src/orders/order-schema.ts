import * as z from 'zod/mini';
import { checkOptions } from '../errors/check-options.js';
import { dialectNames, dialects, type Dialect } from './dialects.js';

export const tableRule = z._default(
  z
    .string('must be a string')
    .check(
      z.regex(
        /^[A-Za-z_]\w{0,40}(\.[A-Za-z_]\w{0,40})?$/,
        'must contain only letters, digits and underscores, such as orders, or shop.orders with a schema',
      ),
    ),
  'installment_orders',
);

export const dialectRule = z.enum(dialectNames, "must be 'postgres', 'mysql' or 'sqlite'");

const schemaRules = z.strictObject({ dialect: dialectRule, table: tableRule }, 'must be an object');

/** The statements that create the table. Running them again changes nothing. */
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
    // MySQL does not support CREATE INDEX IF NOT EXISTS, so its indexes are part of the table. MySQL adds the primary
    // key to each index.
    ...(dialect === 'mysql' ? indexed.map((column) => `KEY ${name}_${column} (${column})`) : []),
  ];
  const create = `CREATE TABLE IF NOT EXISTS ${table} (\n${columns.map((line) => `  ${line}`).join(',\n')}\n)`;
  if (dialect === 'mysql') return [create];
  // PostgreSQL creates an index in the schema of its table, so the name of the table contains the schema. SQLite
  // expects the schema before the name of the index, and not before the name of the table.
  const [before, on] = dialect === 'sqlite' && schema ? [`${schema}.`, name] : ['', table];
  return [
    create,
    // Each index contains the key, because pages are ordered by time and key: many rows can have the same time.
    ...indexed.map(
      (column) => `CREATE INDEX IF NOT EXISTS ${before}${name}_${column}_key ON ${on} (${column}, order_key)`,
    ),
  ];
}

/**
 * Returns the CREATE statements of the table of orders, for a migration. No client is needed. Running the statements
 * again changes nothing. `npx installment-payments schema postgres` prints the statements.
 *
 * @param options - `table` is the name of the table, with its schema if it needs one. Default: `installment_orders`.
 * @throws ConfigurationError for an unknown dialect or a wrong name.
 * @example
 * ```ts
 * import { orderSchema } from 'installment-payments/orders';
 * import type { Pool } from 'pg';
 *
 * export async function up(pool: Pool): Promise<void> {
 *   for (const statement of orderSchema('postgres')) await pool.query(statement);
 * }
 * ```
 */
export function orderSchema(
  dialect: Dialect,
  options: { readonly table?: string | undefined } = {},
): string[] {
  const checked = checkOptions(schemaRules, { ...options, dialect });
  return schemaOf(checked.dialect, checked.table);
}
