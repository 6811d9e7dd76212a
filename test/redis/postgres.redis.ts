import { setTimeout as wait } from 'node:timers/promises';
import { Pool } from 'pg';
import { expect, test } from 'vitest';
import { startBoss } from '../../examples/postgres/boss.js';
import {
  createTables,
  inTransaction,
  placeOrder,
  placeOrderIn,
} from '../../examples/postgres/place-order.js';
import { createMockService, samplePaymentRequest } from '../../src/mock/index.js';
import { variablesOf } from '../../examples/postgres/demo-merchant.js';
import { bundled } from '../faults/bundle.js';
import { seed } from '../helpers/seed.js';
import { afterLines, startFleet, until } from './fleet.js';
import { startPostgres } from './postgres-server.js';
import { seededRandom } from './seeded-random.js';

// Beyond the simulation: pg-boss and a merchant's own rows in a real PostgreSQL, which claims and transactions rest on.
const orders = 100;
const leastKills = 15;
const claimMs = 1_500;

test.each(['replay', 'invalid'] as const)(
  'PostgreSQL alone, whatever dies: nothing is lost, sent twice, falsely rejected, or sent for an order that was rolled back; a repeat is answered by %s',
  { timeout: 180_000 },
  async (repeat) => {
    const random = seededRandom(seed);
    const startedMs = Date.now();
    await using postgres = await startPostgres();
    await using worker = await bundled('worker', new URL('../../examples/postgres/', import.meta.url));
    const mock = createMockService({ world: { repeat }, journalLimit: 5_000 });
    await using service = await mock.listen();
    const database = new Pool({ connectionString: postgres.url });
    database.on('error', () => undefined);
    await createTables(database);
    const boss = await startBoss(postgres.url);

    const environment = {
      DATABASE_URL: postgres.url,
      CLAIM_MS: String(claimMs),
      ...variablesOf(service.url),
    };
    const fleet = startFleet(
      3,
      () => worker.start(environment),
      async (child, kills) => {
        await afterLines(child, 1);
        await wait(kills < leastKills ? 200 + 1_000 * random() : 60_000);
      },
    );

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
      const isOver = async () => (await open()) === 0 && fleet.kills >= leastKills;
      await until(isOver, 150_000, async () => ({ open: await open(), kills: fleet.kills }));
    } finally {
      await fleet.stop();
    }
    const { kills } = fleet;

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
