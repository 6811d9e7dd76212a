import type { OrderRow, OrderStorage, Position } from '../../orders/storage.js';

/**
 * A storage for the orders of the demo, in memory. `examples/orders/memory-storage.ts` is a similar storage, which
 * users can copy. No file in `src` imports an example.
 */
export function memoryStorage(): OrderStorage {
  const rows = new Map<string, OrderRow & { version: number }>();
  const listed = (column: 'dueAt' | 'reviewAt' | 'changedAt') =>
    [...rows.values()]
      .flatMap((row) => (row[column] === null ? [] : [{ ...row, at: row[column] }]))
      .sort((a, b) => a.at - b.at || (a.key < b.key ? -1 : 1));
  const page = (column: 'dueAt' | 'reviewAt' | 'changedAt', after: Position, limit: number) =>
    listed(column)
      .filter(({ at, key }) => at > after.at || (at === after.at && key > after.key))
      .slice(0, limit);
  const done = Promise.resolve();
  return {
    read: (key) => Promise.resolve({ now: Date.now(), row: rows.get(key) }),
    insert: (row) => {
      if (!rows.has(row.key)) rows.set(row.key, { ...row, version: 1 });
      return done;
    },
    replace: (row, version) => {
      if (rows.get(row.key)?.version === version) rows.set(row.key, { ...row, version: version + 1 });
      return done;
    },
    postpone: (key, version, dueAt, reviewAt) => {
      const row = rows.get(key);
      if (row?.version === version) rows.set(key, { ...row, dueAt, reviewAt });
      return done;
    },
    due: (now, after, limit) => Promise.resolve(page('dueAt', after, limit).filter(({ at }) => at <= now)),
    inReview: (after, limit) => Promise.resolve(page('reviewAt', after, limit)),
    changed: (after, limit) => Promise.resolve(page('changedAt', after, limit)),
    health: () =>
      Promise.resolve({
        oldestDue: listed('dueAt')[0]?.at ?? null,
        oldestReview: listed('reviewAt')[0]?.at ?? null,
        inReview: listed('reviewAt').length,
      }),
  };
}
