import type { OrderRow, OrderStorage } from 'installment-payments/orders';

export function memoryStorage(): OrderStorage {
  const rows = new Map<string, OrderRow & { version: number }>();
  const page = (column: 'reviewAt' | 'changedAt'): OrderStorage['changed'] => {
    return async (after, limit) =>
      [...rows.values()]
        .flatMap(({ [column]: at, key, data }) => (at === null ? [] : [{ at, key, data }]))
        .filter(({ at, key }) => at > after.at || (at === after.at && key > after.key))
        .sort((a, b) => a.at - b.at || (a.key < b.key ? -1 : 1))
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
    due: async (now, limit) =>
      [...rows.values()]
        .filter(({ dueAt }) => dueAt !== null && dueAt <= now)
        .sort((a, b) => Number(a.dueAt) - Number(b.dueAt))
        .slice(0, limit)
        .map(({ key }) => key),
    inReview: page('reviewAt'),
    changed: page('changedAt'),
  };
}
