import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { Dialect } from '../../src/orders/dialects.js';
import { connect, dialects } from './connect.js';
import { servePayments, type Behaviour } from './payment-service.js';
import { seededRandom } from './seeded-random.js';
import { seed } from '../helpers/seed.js';
import { clientOf, paymentsOver } from '../orders/support.js';
import type { Task } from './worker.js';

/** How many orders and stops there are, as a multiple of what `npm run test:databases` has. */
const scale = Number(process.env['DATABASES_SCALE'] ?? 1);
const orderCount = 40 * scale;
const stopCount = 14 * scale;
const sleeperCount = 3 * scale;

const folder = mkdtempSync(join(tmpdir(), 'stopped-'));
// Built once, below the project so that the drivers are found: a process then starts in a moment.
const worker = `test/.stopped-worker-${String(process.pid)}.mjs`;
const urls: Readonly<Record<Dialect, string>> = {
  postgres: inject('postgresUrl'),
  mysql: inject('mysqlUrl'),
  sqlite: join(folder, 'shop.db'),
};

beforeAll(async () => {
  await build({
    entryPoints: ['test/databases/worker.ts'],
    outfile: worker,
    bundle: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    logLevel: 'error',
  });
});
afterAll(() => {
  rmSync(worker, { force: true });
  rmSync(folder, { recursive: true });
});

/** Lets a claim end by the clock of the machine, and then by that of the database and its minute. */
async function passClaims(clockFile: string): Promise<void> {
  await pause(450);
  writeFileSync(clockFile, String(Number(readFileSync(clockFile, 'utf8')) + 61_000));
}

describe.concurrent('processes that are killed and suspended after each statement', () => {
  test.each(dialects)(
    'pay each order once, ship it once and tell of it, on %s',
    { timeout: 240_000 * scale },
    async (dialect) => {
      const random = seededRandom(seed);
      await using service = await servePayments({
        delayMs: 3,
        behave: (): Behaviour =>
          (['answer', 'answer', 'answer', 'lose', 'ignore'] as const)[Math.floor(random() * 5)] ?? 'answer',
        outcome: (referenceId) => (/-[12]$/.test(referenceId) && random() < 0.3 ? 'declined' : 'paid'),
      });
      await using database = connect(dialect, urls[dialect]);
      const payments = await paymentsOver(database, { client: clientOf(service.url) });
      for (const table of ['handed_over', 'told'])
        await database.query(`CREATE TABLE IF NOT EXISTS ${table} (order_id varchar(200) NOT NULL)`, []);

      const clockFile = join(folder, `${dialect}-clock`);
      writeFileSync(clockFile, '0');
      const orders = Array.from({ length: orderCount }, (_, index) => `order-${String(index)}`);
      const alive = new Set<ChildProcess>();
      const start = (stop: Partial<Task>) => {
        // Each process has the orders in another order, so that they meet.
        const shift = Math.floor(random() * orders.length);
        const task: Task = {
          dialect,
          databaseUrl: urls[dialect],
          serviceUrl: service.url,
          orders: [...orders.slice(shift), ...orders.slice(0, shift)],
          clockFile,
          signal: 'SIGKILL',
          after: 0,
          beforeUpdate: 0,
          ...stop,
        };
        const child = fork(worker, [JSON.stringify(task)], { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
        child.disconnect();
        alive.add(child);
        void once(child, 'exit').then(() => alive.delete(child));
        return child;
      };

      const stops = { SIGKILL: 0, SIGSTOP: 0, sleepers: 0 };
      // Two at a time. A statement further in each life, so that each is the last one of some.
      const live = async (parity: number) => {
        for (let after = 1 + parity; after <= stopCount; after += 2) {
          const signal = Math.floor(after / 2) % 3 === 0 ? 'SIGSTOP' : 'SIGKILL';
          const child = start({ signal, after });
          const ended = once(child, 'exit');
          const stopped = once(child.stdout ?? child, 'data');
          await Promise.race([ended, stopped]);
          if (child.exitCode !== null) continue;
          stops[signal] += 1;
          await passClaims(clockFile);
          if (signal === 'SIGSTOP') {
            // Somebody else has taken over when it wakes up.
            await payments.sweep({ limit: 1_000 });
            child.kill('SIGCONT');
            await pause(100);
            child.kill('SIGKILL');
          }
          await ended;
        }
      };
      /** Each sleeps between its read of an order and its write, while another one brings that order to its end. */
      const sleepers = async () => {
        for (let count = 0; count < sleeperCount; count += 1) {
          const child = start({ signal: 'SIGSTOP', beforeUpdate: 1 + (count % 3) });
          const ended = once(child, 'exit');
          const output = child.stdout ?? child;
          const line: unknown[] = await Promise.race([ended.then(() => []), once(output, 'data')]);
          if (line.length === 0) continue;
          const other = start({ orders: [String(line[0]).trim()] });
          const isPaid = once(other, 'exit');
          while (alive.has(other)) await Promise.race([isPaid, passClaims(clockFile)]);
          const written = once(output, 'data');
          child.kill('SIGCONT');
          await written;
          child.kill('SIGKILL');
          await ended;
          stops.sleepers += 1;
        }
      };
      await Promise.all([live(0), live(1), sleepers()]);

      // The rest is done by two that are not stopped.
      const last = [start({}), start({})];
      const isDone = Promise.all(last.map((child) => once(child, 'exit')));
      while (alive.size > 0) await Promise.race([isDone, passClaims(clockFile)]);

      await passClaims(clockFile);

      const rows = (table: string) =>
        database.query(`SELECT order_id FROM ${table} ORDER BY order_id`, []) as Promise<
          { order_id: string }[]
        >;
      expect(service.violations).toEqual([]);
      const views = await Promise.all(orders.map((orderId) => payments.get(orderId)));
      expect(views.filter(({ state }) => state !== 'paid')).toEqual([]);
      const paid = [...service.payments]
        .filter(([, { state }]) => state === 'paid')
        .map(([reference]) => reference);
      expect(views.map(({ referenceId }) => referenceId).sort()).toEqual(paid.sort());
      expect((await rows('handed_over')).map(({ order_id }) => order_id).sort()).toEqual([...orders].sort());
      expect(new Set((await rows('told')).map(({ order_id }) => order_id))).toEqual(new Set(orders));
      expect(await payments.forReview()).toEqual([]);
      expect(stops.SIGKILL).toBeGreaterThan(stopCount / 2);
      expect(stops.SIGSTOP).toBeGreaterThan(stopCount / 7);
      expect(stops.sleepers).toBeGreaterThan(0);
      console.log(
        `${dialect}: ${String(orders.length)} orders, ${String(service.arrived.length)} requests, ${JSON.stringify(stops)}`,
      );
    },
  );
});
