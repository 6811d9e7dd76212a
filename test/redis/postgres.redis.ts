import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Pool } from 'pg';
import { expect, test } from 'vitest';
import { startBoss } from '../../examples/postgres/boss.js';
import {
  createTables,
  inTransaction,
  placeOrder,
  placeOrderIn,
} from '../../examples/postgres/place-order.js';
import { createMockService, DEMO_MERCHANT, samplePaymentRequest } from '../../src/mock/index.js';
import { seed } from '../helpers/seed.js';
import { startPostgres } from './postgres-server.js';
import { seededRandom } from './seeded-random.js';

const orders = 100;
const leastKills = 15;
const claimMs = 1_500;
const root = fileURLToPath(new URL('../..', import.meta.url));

test.each(['replay', 'invalid'] as const)(
  'PostgreSQL alone, whatever dies: nothing is lost, sent twice, falsely rejected, or sent for an order that was rolled back; a repeat is answered by %s',
  { timeout: 180_000 },
  async (repeat) => {
    const random = seededRandom(seed);
    const startedMs = Date.now();
    await using postgres = await startPostgres();
    const mock = createMockService({ world: { repeat }, journalLimit: 5_000 });
    await using service = await mock.listen();
    const database = new Pool({ connectionString: postgres.url });
    database.on('error', () => undefined);
    await createTables(database);
    const boss = await startBoss(postgres.url);

    let kills = 0;
    const done = new AbortController();
    const keepAlive = async () => {
      const isDone = () => done.signal.aborted;
      while (!isDone()) {
        const program = fileURLToPath(new URL('children/postgres-worker.ts', import.meta.url));
        const child = spawn(process.execPath, ['--import', 'tsx', program], {
          cwd: root,
          env: {
            ...process.env,
            DATABASE_URL: postgres.url,
            CLAIM_MS: String(claimMs),
            INSTALLMENT_BASE_URL: service.url,
            INSTALLMENT_CLIENT_ID: DEMO_MERCHANT.clientId,
            INSTALLMENT_SECRET_KEY: DEMO_MERCHANT.secretKey,
            INSTALLMENT_MERCHANT_ID: DEMO_MERCHANT.merchantId,
            INSTALLMENT_STORE_ID: 'STORE-01',
            INSTALLMENT_PLATFORM_ID: 'WEBSHOP',
          },
          stdio: ['ignore', 'pipe', 'ignore'],
        });
        const ended = once(child, 'exit');
        await Promise.race([once(child.stdout, 'data'), ended]);
        const untilMs = kills < leastKills ? 200 + 1_500 * random() : 60_000;
        await wait(untilMs, undefined, { signal: done.signal }).catch(() => undefined);
        child.kill('SIGKILL');
        await ended;
        if (!isDone()) kills += 1;
      }
    };
    const working = Promise.all([keepAlive(), keepAlive(), keepAlive()]);

    const committed: string[] = [];
    for (let number = 1; number <= orders; number += 1) {
      const referenceId = `ORDER-${String(number)}`;
      const request = samplePaymentRequest({ referenceId });
      if (random() < 0.4)
        mock.injectFault('initiatePayment', { delayMs: 300 }, { referenceId: `${referenceId}-1` });
      if (random() < 0.15) {
        const rolledBack = inTransaction(database, async (client) => {
          await placeOrderIn(client, boss, request);
          throw new Error('the shop changed its mind');
        });
        await expect(rolledBack).rejects.toThrow('changed its mind');
        continue;
      }
      committed.push(`${referenceId}-1`);
      await placeOrder(database, boss, request);
      await placeOrder(database, boss, request);
      await wait(100 * random());
    }
    const open = async () =>
      (await database.query<{ n: number }>('SELECT count(*)::int AS n FROM payment_jobs WHERE ended IS NULL'))
        .rows[0]?.n;
    try {
      while ((await open()) !== 0 || kills < leastKills) {
        if (Date.now() - startedMs > 170_000) throw new Error(`${String(await open())} jobs have no end`);
        await wait(100);
      }
    } finally {
      done.abort();
      await working;
    }

    const { rows } = await database.query<{ reference_id: string; state: string }>(
      'SELECT reference_id, state FROM payment_attempts',
    );
    const paid = mock.payments.all().map(({ referenceId }) => referenceId);
    const counts: Record<string, number> = {};
    for (const { state } of rows) counts[state] = (counts[state] ?? 0) + 1;
    console.log(JSON.stringify({ repeat, seed, kills, seconds: (Date.now() - startedMs) / 1000, counts }));
    await boss.stop();
    await database.end();

    expect(rows.map((row) => row.reference_id).sort()).toEqual([...committed].sort());
    expect(paid.filter((reference) => !committed.includes(reference))).toEqual([]);
    expect(new Set(paid).size).toBe(paid.length);
    // A refused repeat proves nothing: its order is looked up, and not refused.
    expect(rows.filter(({ state }) => state !== 'started' && state !== 'look up')).toEqual([]);
    const started = rows.filter(({ state }) => state === 'started').map((row) => row.reference_id);
    expect(started.filter((reference) => !paid.includes(reference))).toEqual([]);
    if (repeat === 'replay') expect(started).toHaveLength(committed.length);
    expect(kills).toBeGreaterThanOrEqual(leastKills);
  },
);
