import type { OrderRow, OrderStorage } from 'installment-payments/orders';

/** Stores orders in memory. For production, write the same functions for your database. */
export function memoryStorage(): OrderStorage {
  const rows = new Map<string, OrderRow & { version: number }>();
  const listed = (column: 'dueAt' | 'reviewAt' | 'changedAt') =>
    [...rows.values()]
      .flatMap((row) => (row[column] === null ? [] : [{ ...row, at: row[column] }]))
      .sort((a, b) => a.at - b.at || (a.key < b.key ? -1 : 1));
  const page = (column: 'dueAt' | 'reviewAt' | 'changedAt'): OrderStorage['changed'] => {
    return async (after, limit) =>
      listed(column)
        .filter(({ at, key }) => at > after.at || (at === after.at && key > after.key))
        .slice(0, limit);
  };
  return {
    read: async (key) => ({ now: Date.now(), row: rows.get(key) }),
    insert: async (row) => {
      if (!rows.has(row.key)) rows.set(row.key, { ...row, version: 1 });
    },
    replace: async (row, version) => {
      if (rows.get(row.key)?.version === version) rows.set(row.key, { ...row, version: version + 1 });
    },
    postpone: async (key, version, dueAt, reviewAt) => {
      const row = rows.get(key);
      if (row?.version === version) rows.set(key, { ...row, dueAt, reviewAt });
    },
    due: async (now, after, limit) => (await page('dueAt')(after, limit)).filter(({ at }) => at <= now),
    inReview: page('reviewAt'),
    changed: page('changedAt'),
    health: async () => ({
      oldestDue: listed('dueAt')[0]?.at ?? null,
      oldestReview: listed('reviewAt')[0]?.at ?? null,
      inReview: listed('reviewAt').length,
    }),
  };
}
