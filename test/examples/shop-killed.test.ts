import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@libsql/client';
import { expect, test } from 'vitest';
import { ShopDatabase } from '../../examples/shop/database.js';
import { startExample } from './run-example.js';

test(
  'a shop that is killed while it writes has whole orders, and every payment that it stored',
  { timeout: 60_000 },
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'shop-'));
    const url = `file:${join(folder, 'shop.db')}`;
    const stored: string[] = [];
    for (const linesBeforeTheKill of [1, 20, 50, 100]) {
      const child = startExample('test/faults/children/settle-orders.ts', [url]);
      const closed = once(child, 'close');
      let output = '';
      child.stdout?.on('data', (data: Buffer) => {
        output += data.toString();
        if (output.split('\n').length > linesBeforeTheKill) child.kill('SIGKILL');
      });
      expect(await closed).toEqual([null, 'SIGKILL']);
      stored.push(...output.split('\n').slice(0, -1));
    }

    const database = await ShopDatabase.open(url);
    const client = createClient({ url });
    try {
      expect(stored.length).toBeGreaterThan(170);
      for (const id of stored)
        expect(await database.order(id)).toMatchObject({ paidBy: `${id}-1`, invoice: { state: 'ready' } });
      // Of the orders that were under way, each is paid with all that follows, or not at all.
      const { rows } = await client.execute(`
      SELECT orders.id FROM orders
      LEFT JOIN attempts ON attempts.orderId = orders.id LEFT JOIN invoices ON invoices.orderId = orders.id
      WHERE (paidBy IS NOT NULL) <> (coalesce(attempts.state, '') = 'paid')
         OR (paidBy IS NOT NULL) <> (invoices.orderId IS NOT NULL)`);
      expect(rows).toEqual([]);
      expect((await client.execute('PRAGMA integrity_check')).rows).toMatchObject([
        { integrity_check: 'ok' },
      ]);
    } finally {
      client.close();
      database.close();
      await rm(folder, { recursive: true });
    }
  },
);
