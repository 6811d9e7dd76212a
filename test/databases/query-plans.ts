import type { Dialect } from '../../src/orders/dialects.js';
import { statementsOf, type Query } from '../../src/orders/sql-storage.js';

/** How a database runs a statement. */
interface Plan {
  readonly text: string;
  /** Rows or index entries that it visits. */
  readonly rowsRead: number;
}

interface PostgresNode {
  readonly 'Node Type': string;
  readonly 'Actual Rows': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: PostgresNode[];
}

/** Values of each statement; its page begins in the middle of rows that have the same time. */
const values: Readonly<Record<string, readonly (string | number)[]>> = {
  read: ['k000100'],
  lock: ['k000100'],
  replace: [2, 't', 1, 1, 1, '{}', 'k000100', 99],
  postpone: [1, 1, 'k000100', 99],
  due: [15_000, 12_000, 'k012000'],
  inReview: [7, 'k012000'],
  changed: [12_000, 'k012000'],
  health: [],
};

/** Where the values of a list have the time of its position, which the statements of MySQL have twice. */
const positionAt: Readonly<Record<string, number>> = { due: 1, inReview: 0, changed: 0 };

function valuesOf(name: string, dialect: Dialect): readonly (string | number)[] {
  const given = values[name] ?? [];
  const at = positionAt[name];
  if (dialect !== 'mysql' || at === undefined) return given;
  return [...given.slice(0, at), ...given.slice(at, at + 1), ...given.slice(at)];
}

function postgresRows({
  'Actual Rows': rows,
  'Rows Removed by Filter': removed = 0,
  Plans = [],
  ...node
}: PostgresNode): number {
  const own = node['Node Type'].includes('Scan') ? rows + removed : 0;
  return own + Plans.reduce((sum, plan) => sum + postgresRows(plan), 0);
}

async function planOf(
  dialect: Dialect,
  query: Query,
  sql: string,
  given: readonly (string | number)[],
): Promise<Plan> {
  let position = 0;
  const statement = sql.replaceAll('?', () => (dialect === 'postgres' ? `$${String((position += 1))}` : '?'));
  const explain = async (prefix: string) =>
    (await query(`${prefix} ${statement}`, [...given])) as Record<string, unknown>[];
  switch (dialect) {
    case 'postgres': {
      const [row = {}] = await explain('EXPLAIN (ANALYZE, FORMAT JSON)');
      const [{ Plan: plan }] = row['QUERY PLAN'] as [{ Plan: PostgresNode }];
      return { text: JSON.stringify(plan), rowsRead: postgresRows(plan) };
    }
    case 'mysql': {
      const handlers = async () => {
        const rows = (await query("SHOW SESSION STATUS LIKE 'Handler_read%'", [])) as { Value: string }[];
        return rows.reduce((sum, { Value }) => sum + Number(Value), 0);
      };
      const text = JSON.stringify(await explain('EXPLAIN FORMAT=JSON'));
      const before = await handlers();
      await query(statement, [...given]);
      return { text, rowsRead: (await handlers()) - before };
    }
    case 'sqlite': {
      const steps = (await explain('EXPLAIN QUERY PLAN')).map(({ detail }) => String(detail));
      // It has no counts: a SCAN visits the whole table.
      const isScan = steps.some((step) => /^SCAN (?!CONSTANT|clock)|TEMP B-TREE/.test(step));
      return { text: steps.join('; '), rowsRead: isScan ? Infinity : 0 };
    }
  }
}

/** How a database runs each statement of a table, except INSERT. */
export async function plansOf(dialect: Dialect, table: string, query: Query): Promise<Record<string, Plan>> {
  const plans: Record<string, Plan> = {};
  for (const [name, sql] of Object.entries(statementsOf(dialect, table)))
    if (name !== 'insert') {
      const statement = sql.includes('ORDER BY') ? `${sql} LIMIT 100` : sql;
      plans[name] = await planOf(dialect, query, statement, valuesOf(name, dialect));
    }
  return plans;
}
