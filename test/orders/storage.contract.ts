import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { OrderRow, OrderStorage, Position } from '../../src/orders/storage.js';

export function row(key: string, changes: Partial<OrderRow> = {}): OrderRow {
  const orderId = `id of ${key}`;
  return {
    key,
    orderId,
    token: randomUUID(),
    dueAt: null,
    reviewAt: null,
    changedAt: 1,
    data: '{}',
    ...changes,
  };
}

const start: Position = { at: 0, key: '' };

/** All pages of a list. More than it can have are an error, since each page begins behind the one before it. */
async function readAll<Listed extends Position>(
  list: (after: Position, limit: number) => Promise<Listed[]>,
  limit: number,
): Promise<Listed[]> {
  const all: Listed[] = [];
  let after = start;
  for (let pages = 0; pages < 100; pages += 1) {
    const page = await list(after, limit);
    expect(page.length).toBeLessThanOrEqual(limit);
    all.push(...page);
    const last = page.at(-1);
    if (!last) return all;
    after = { at: last.at, key: last.key };
  }
  throw new Error('a page begins at a row of the page before it');
}

const keysOf = (rows: readonly Position[]) => rows.map(({ key }) => key);

/** What orders need of a storage. `open` makes an empty one. */
export function storageContract(name: string, open: () => Promise<OrderStorage> | OrderStorage): void {
  describe(`${name} as a storage of orders`, () => {
    test('reads a row as it was inserted, byte for byte', async () => {
      const storage = await open();
      const inserted = row('A-1', {
        dueAt: 1_764_000_000_123,
        reviewAt: 1_764_000_000_124,
        data: '{"customer":"Nguyễn \\u0000 🧾 \\\\ \' $1 ? :a"}',
      });
      await storage.insert(inserted);
      const { now, row: found } = await storage.read('A-1');
      const { token, dueAt, reviewAt, data } = inserted;
      expect(found).toMatchObject({ token, dueAt, reviewAt, data, version: 1 });
      expect(Math.abs(now - Date.now())).toBeLessThan(2_000);
    });

    test('reads the time, and no row, for an unknown key', async () => {
      const { now, row: found } = await (await open()).read('A-1');
      expect(found).toBeUndefined();
      expect(Math.abs(now - Date.now())).toBeLessThan(2_000);
    });

    test('changes nothing in a second insert of a key, so that two simultaneous checkouts create one payment', async () => {
      const storage = await open();
      const first = row('A-1');
      await storage.insert(first);
      await storage.insert(row('A-1', { data: '{"second":true}' }));
      expect((await storage.read('A-1')).row).toMatchObject({ token: first.token, version: 1, data: '{}' });
    });

    test('replaces a row only if it has the version that was read, so that a process that slept overwrites nothing', async () => {
      const storage = await open();
      await storage.insert(row('A-1'));
      const second = row('A-1', { data: '{"second":true}', dueAt: 5, reviewAt: 6 });
      await storage.replace(second, 1);
      await storage.replace(row('A-1', { data: '{"late":true}' }), 1);
      await storage.replace(row('none'), 1);
      expect((await storage.read('A-1')).row).toMatchObject({
        token: second.token,
        version: 2,
        dueAt: 5,
        reviewAt: 6,
        data: second.data,
      });
      expect((await storage.read('none')).row).toBeUndefined();
    });

    test('lets only one of ten writers of the same version write, so that only one process sends', async () => {
      const storage = await open();
      await storage.insert(row('A-1'));
      const writers = Array.from({ length: 10 }, () => row('A-1'));
      await Promise.all(writers.map((writer) => storage.replace(writer, 1)));
      const { row: found } = await storage.read('A-1');
      expect(found?.version).toBe(2);
      expect(writers.map(({ token }) => token)).toContain(found?.token);
      // Whoever lost and writes once more, as after a lost response, does not win either.
      for (const { token } of writers)
        await storage.replace(row('A-1', { token, data: '{"again":true}' }), 1);
      expect((await storage.read('A-1')).row).toEqual(found);
    });

    test('compares keys byte by byte', async () => {
      const storage = await open();
      const keys = ['abc', 'ABC', 'Abc', 'abc_', 'abc-', 'abc:', 'a'.repeat(60)];
      for (const key of keys) await storage.insert(row(key, { data: JSON.stringify(key) }));
      for (const key of keys) expect((await storage.read(key)).row?.data).toBe(JSON.stringify(key));
    });

    test('stores orderIds that differ only in case, in trailing spaces or in Unicode composition', async () => {
      const storage = await open();
      const orderIds = ['đơn', 'ĐƠN', 'đơn ', 'đơn  ', 'é', 'e\u0301', 'ß', 'ss', '🧾', 'a\tb'];
      for (const [index, orderId] of orderIds.entries())
        await storage.insert(row(`key-${index}`, { orderId }));
      for (const index of orderIds.keys()) expect((await storage.read(`key-${index}`)).row).toBeDefined();
    });

    test('increases the version with each write, so that a write with an earlier version does nothing', async () => {
      const storage = await open();
      await storage.insert(row('A-1'));
      for (const version of [1, 2, 3]) await storage.replace(row('A-1'), version);
      const last = (await storage.read('A-1')).row;
      expect(last?.version).toBe(4);
      for (const version of [1, 2, 3]) await storage.replace(row('A-1', { data: '{"late":true}' }), version);
      expect((await storage.read('A-1')).row).toEqual(last);
    });

    test('postpones a row without writing its data, which can be damaged, and without a new version', async () => {
      const storage = await open();
      const damaged = row('A-1', { dueAt: 1, data: '{"customer":"Lan' });
      await storage.insert(damaged);
      await storage.insert(row('A-2', { dueAt: 2 }));
      await storage.postpone('A-1', 1, 50, 40);
      const { token, data } = damaged;
      expect((await storage.read('A-1')).row).toMatchObject({
        version: 1,
        token,
        data,
        dueAt: 50,
        reviewAt: 40,
      });
      expect((await storage.read('A-2')).row).toMatchObject({ dueAt: 2, reviewAt: null });
      expect(keysOf(await storage.due(49, start, 10))).toEqual(['A-2']);
      expect(keysOf(await storage.inReview(start, 10))).toEqual(['A-1']);
    });

    test('does not postpone a row that was written meanwhile', async () => {
      const storage = await open();
      await storage.insert(row('A-1'));
      await storage.replace(row('A-1', { dueAt: 7 }), 1);
      await storage.postpone('A-1', 1, 50, 40);
      await storage.postpone('none', 1, 50, 40);
      expect((await storage.read('A-1')).row).toMatchObject({ dueAt: 7, reviewAt: null });
      expect((await storage.read('none')).row).toBeUndefined();
    });

    test('lists the rows that are due, the earliest first', async () => {
      const storage = await open();
      for (const [key, dueAt] of [
        ['c', 30],
        ['a', 10],
        ['never', null],
        ['b', 20],
        ['later', 101],
      ] as const)
        await storage.insert(row(key, { dueAt }));
      expect(await storage.due(100, start, 10)).toMatchObject([
        { at: 10, key: 'a' },
        { at: 20, key: 'b' },
        { at: 30, key: 'c' },
      ]);
      expect(keysOf(await storage.due(100, start, 2))).toEqual(['a', 'b']);
      expect(keysOf(await storage.due(100, { at: 10, key: 'a' }, 2))).toEqual(['b', 'c']);
      expect(keysOf(await storage.due(10, start, 10))).toEqual(['a']);
      expect(await storage.due(9, start, 10)).toEqual([]);
    });

    test('removes a row from the lists of due rows and of reviews if its dueAt or reviewAt becomes null', async () => {
      const storage = await open();
      await storage.insert(row('A-1', { dueAt: 1, reviewAt: 1 }));
      await storage.replace(row('A-1'), 1);
      expect(await storage.due(100, start, 10)).toEqual([]);
      expect(await storage.inReview(start, 10)).toEqual([]);
      expect((await storage.read('A-1')).row).toMatchObject({ dueAt: null, reviewAt: null });
    });

    test('lists each row once and in order over several pages, also if many rows have the same time', async () => {
      const storage = await open();
      const keys = Array.from({ length: 23 }, (_, index) => `k-${String(index).padStart(2, '0')}`);
      const same = { dueAt: 5, reviewAt: 7, changedAt: 8 };
      for (const key of keys.toReversed()) await storage.insert(row(key, same));
      await storage.insert(row('first', { dueAt: 4, reviewAt: 6, changedAt: 9 }));
      await storage.insert(row('not-in-review', { changedAt: 10 }));
      const due = await readAll((after, limit) => storage.due(100, after, limit), 5);
      expect(keysOf(due)).toEqual(['first', ...keys]);
      const inReview = await readAll((after, limit) => storage.inReview(after, limit), 5);
      expect(keysOf(inReview)).toEqual(['first', ...keys]);
      const changed = await readAll((after, limit) => storage.changed(after, limit), 5);
      expect(keysOf(changed)).toEqual([...keys, 'first', 'not-in-review']);
    });

    test('orders the keys of the same time byte by byte, so that every machine has the same order', async () => {
      const storage = await open();
      const keys = ['-', '0', 'A', 'B', '_', 'a', 'b'];
      for (const key of keys.toReversed()) await storage.insert(row(key, { reviewAt: 7 }));
      const inReview = await readAll((after, limit) => storage.inReview(after, limit), 2);
      expect(keysOf(inReview)).toEqual(keys);
    });

    test('lists a row with its orderId, time and data', async () => {
      const storage = await open();
      const orderId = 'Đơn 1 🧾 ';
      await storage.insert(row('A-1', { orderId, reviewAt: 7, changedAt: 8, data: '{"đ":1' }));
      expect(await storage.inReview(start, 5)).toMatchObject([
        { key: 'A-1', orderId, at: 7, data: '{"đ":1' },
      ]);
      expect(await storage.changed(start, 5)).toMatchObject([{ key: 'A-1', orderId, at: 8, data: '{"đ":1' }]);
      await storage.replace(row('A-1', { orderId, reviewAt: 9, changedAt: 10 }), 1);
      expect(await storage.changed(start, 5)).toMatchObject([{ at: 10 }]);
      expect(await storage.inReview(start, 5)).toMatchObject([{ at: 9 }]);
    });

    test('reports the oldest times and the number of rows that wait for staff', async () => {
      const storage = await open();
      expect(await storage.health()).toEqual({ oldestDue: null, oldestReview: null, inReview: 0 });
      await storage.insert(row('A-1', { dueAt: 30, reviewAt: 8 }));
      await storage.insert(row('A-2', { dueAt: 20, reviewAt: 9 }));
      await storage.insert(row('A-3'));
      expect(await storage.health()).toEqual({ oldestDue: 20, oldestReview: 8, inReview: 2 });
    });
  });
}
