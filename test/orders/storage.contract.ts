import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { OrderRow, OrderStorage } from '../../src/orders/storage.js';

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

async function readAll(list: OrderStorage['changed'], limit: number): Promise<string[]> {
  const keys: string[] = [];
  let after = { at: 0, key: '' };
  for (;;) {
    const page = await list(after, limit);
    keys.push(...page.map(({ key }) => key));
    const last = page.at(-1);
    if (!last) return keys;
    after = { at: last.at, key: last.key };
  }
}

/** What orders need of a storage. `open` makes an empty one. */
export function storageContract(name: string, open: () => Promise<OrderStorage> | OrderStorage): void {
  describe(`${name} as a storage of orders`, () => {
    test('a row is read as it was inserted, with version 1 and a clock in milliseconds', async () => {
      const storage = await open();
      const inserted = row('A-1', {
        dueAt: 1_764_000_000_123,
        data: '{"customer":"Nguyễn \\u0000 🧾 \\\\ \' $1 ? :a"}',
      });
      await storage.insert(inserted);
      const { now, row: found } = await storage.read('A-1');
      const { token, dueAt, data } = inserted;
      expect(found).toMatchObject({ token, dueAt, data, version: 1 });
      expect(Math.abs(now - Date.now())).toBeLessThan(2_000);
    });

    test('a row that is not there is read as undefined, with the clock', async () => {
      const { now, row: found } = await (await open()).read('A-1');
      expect(found).toBeUndefined();
      expect(Math.abs(now - Date.now())).toBeLessThan(2_000);
    });

    test('a second insert of a key changes nothing', async () => {
      const storage = await open();
      const first = row('A-1');
      await storage.insert(first);
      await storage.insert(row('A-1', { data: '{"second":true}' }));
      expect((await storage.read('A-1')).row).toMatchObject({ token: first.token, version: 1, data: '{}' });
    });

    test('a write on the version that was read takes its place, and one on an older version does nothing', async () => {
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
        data: second.data,
      });
      expect((await storage.read('none')).row).toBeUndefined();
    });

    test('of ten writers on one version one takes effect', async () => {
      const storage = await open();
      await storage.insert(row('A-1'));
      const writers = Array.from({ length: 10 }, () => row('A-1'));
      await Promise.all(writers.map((writer) => storage.replace(writer, 1)));
      const { row: found } = await storage.read('A-1');
      expect(found?.version).toBe(2);
      expect(writers.map(({ token }) => token)).toContain(found?.token);
    });

    test('keys are compared byte by byte: case and look-alikes are other rows', async () => {
      const storage = await open();
      const keys = ['abc', 'ABC', 'Abc', 'abc_', 'abc-', 'abc:', 'a'.repeat(60)];
      for (const key of keys) await storage.insert(row(key, { data: JSON.stringify(key) }));
      for (const key of keys) expect((await storage.read(key)).row?.data).toBe(JSON.stringify(key));
    });

    test('orderIds that differ in case, in spaces at their end or in composition are kept side by side', async () => {
      const storage = await open();
      const orderIds = ['đơn', 'ĐƠN', 'đơn ', 'đơn  ', 'é', 'e\u0301', 'ß', 'ss', '🧾', 'a\tb'];
      for (const [index, orderId] of orderIds.entries())
        await storage.insert(row(`key-${index}`, { orderId }));
      for (const index of orderIds.keys()) expect((await storage.read(`key-${index}`)).row).toBeDefined();
    });

    test('due rows come earliest first, up to a limit, and only when it is time', async () => {
      const storage = await open();
      for (const [key, dueAt] of [
        ['c', 30],
        ['a', 10],
        ['never', null],
        ['b', 20],
        ['later', 101],
      ] as const)
        await storage.insert(row(key, { dueAt }));
      expect(await storage.due(100, 10)).toEqual(['a', 'b', 'c']);
      expect(await storage.due(100, 2)).toEqual(['a', 'b']);
      expect(await storage.due(5, 10)).toEqual([]);
    });

    test('pages hold each row once and in order, where many have the same time', async () => {
      const storage = await open();
      const keys = Array.from({ length: 23 }, (_, index) => `k-${String(index).padStart(2, '0')}`);
      for (const key of keys.toReversed()) await storage.insert(row(key, { reviewAt: 7, changedAt: 8 }));
      await storage.insert(row('first', { reviewAt: 6, changedAt: 9 }));
      await storage.insert(row('not-in-review', { changedAt: 10 }));
      expect(await readAll(storage.inReview.bind(storage), 5)).toEqual(['first', ...keys]);
      expect(await readAll(storage.changed.bind(storage), 5)).toEqual([...keys, 'first', 'not-in-review']);
    });
  });
}
