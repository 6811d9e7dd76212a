import { Pool, type PoolClient } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { statements } from '../../examples/postgres/attempts.js';
import { startPostgres, type PostgresServer } from './postgres-server.js';

type Name = keyof typeof statements;

let server: PostgresServer;
let pool: Pool;
beforeAll(async () => {
  server = await startPostgres();
  pool = new Pool({ connectionString: server.url, max: 40 });
  // Of a connection that PostgreSQL ends before the pool does.
  pool.on('error', () => undefined);
});
afterAll(async () => {
  await pool.end();
  await server[Symbol.asyncDispose]();
});
beforeEach(async () => {
  await pool.query('DROP TABLE IF EXISTS payment_attempts, orders');
  for (const name of ['orders', 'attempts', 'openAttempt'] as const) await pool.query(statements[name]);
  await pool.query(`INSERT INTO orders VALUES ('ORDER-1')`);
});

const run = async (name: Name, ...values: unknown[]) => (await pool.query(statements[name], values)).rowCount;
const add = (reference: string) => run('add', reference, 'ORDER-1', '{"transExpiredTime": 60000}');
const attempts = async () =>
  (await pool.query('SELECT reference_id, state, sends, invoice FROM payment_attempts ORDER BY 1'))
    .rows as unknown[];
/** As after some time. */
const later = (column: string, minutes: number) =>
  pool.query(`UPDATE payment_attempts SET ${column} = ${column} - $1 * interval '1 minute'`, [minutes]);
const pay = async (reference: string) => [
  await run('paid', reference),
  await run('notified', reference, 'paid'),
];

describe('an attempt', () => {
  test('is sent by one process, and paid once, whenever that is reported', async () => {
    expect(await add('ORDER-1-1')).toBe(1);
    await expect(add('ORDER-1-2')).rejects.toMatchObject({ code: '23505' });
    expect(await run('claim', 'ORDER-1-1')).toBe(1);
    expect(await run('end', 'ORDER-1-1', 'unknown', null, 1)).toBe(1);
    expect(await run('claim', 'ORDER-1-1')).toBe(1);
    expect(await run('notified', 'ORDER-1-1', 'expired')).toBe(1);
    expect(await run('end', 'ORDER-1-1', 'started', 'https://pay.example/1', 2)).toBe(0);

    expect(await add('ORDER-1-2')).toBe(1);
    expect(await run('claim', 'ORDER-1-2')).toBe(1);
    expect(await run('end', 'ORDER-1-2', 'new', null, 1)).toBe(1);
    expect(await pay('ORDER-1-1')).toEqual([1, 1]);
    expect(await pay('ORDER-1-1')).toEqual([0, 0]);
    expect(await run('notified', 'ORDER-1-1', 'declined')).toBe(0);
    expect(await pay('ORDER-9')).toEqual([0, 0]);

    expect((await Promise.all([run('invoice'), run('invoice')])).sort()).toEqual([0, 1]);
    expect(await run('claim', 'ORDER-1-2')).toBe(0);
    expect(await run('notified', 'ORDER-1-2', 'expired')).toBe(1);
    expect(await add('ORDER-1-3')).toBe(0);
    expect(await attempts()).toEqual([
      { reference_id: 'ORDER-1-1', state: 'paid', sends: 2, invoice: 'sending' },
      { reference_id: 'ORDER-1-2', state: 'expired', sends: 0, invoice: 'none' },
    ]);
  });

  test('is ended by a process that another one has overtaken only with a payment', async () => {
    await add('ORDER-1-1');
    await run('claim', 'ORDER-1-1');
    await later('sent_at', 3);
    expect(await run('claim', 'ORDER-1-1')).toBe(1);

    for (const state of ['new', 'refused', 'unknown']) {
      expect([state, await run('end', 'ORDER-1-1', state, null, 1)]).toEqual([state, 0]);
    }
    expect(await run('end', 'ORDER-1-1', 'unknown', null, 2)).toBe(1);
    expect(await run('end', 'ORDER-1-1', 'started', 'https://pay.example/1', 1)).toBe(1);
    expect(await run('end', 'ORDER-1-1', 'unknown', null, 2)).toBe(0);
    expect(await attempts()).toMatchObject([{ state: 'started', sends: 2 }]);
  });

  test('is not added while a notification says that an older one was paid', async () => {
    await add('ORDER-1-1');
    const notified = await pool.connect();
    await notified.query('BEGIN');
    await notified.query(statements.paid, ['ORDER-1-1']);
    const added = add('ORDER-1-2');
    await notified.query(statements.notified, ['ORDER-1-1', 'paid']);
    await notified.query('COMMIT');
    notified.release();

    expect(await added).toBe(0);
  });

  test('an attempt that a person looks up is claimed by nobody, and concluded three minutes later at the earliest', async () => {
    await add('ORDER-1-1');
    await run('claim', 'ORDER-1-1');
    expect(await run('conclude', 'ORDER-1-1')).toBe(0);
    expect(await run('lookUp', 'ORDER-1-1')).toBe(1);
    await later('sent_at', 3);
    expect(await run('claim', 'ORDER-1-1')).toBe(0);
    expect(await run('conclude', 'ORDER-1-1')).toBe(0);
    await later('looked_up_at', 4);
    expect(await run('conclude', 'ORDER-1-1')).toBe(1);
    expect(await add('ORDER-1-2')).toBe(1);
  });

  test('whose notification never came makes room for the next one, and its money still counts', async () => {
    await add('ORDER-1-1');
    await run('claim', 'ORDER-1-1');
    await run('end', 'ORDER-1-1', 'started', 'https://pay.example/1', 1);
    expect(await run('overdue')).toBe(0);
    await later('due_at', 12);
    expect(await run('overdue')).toBe(1);
    expect(await add('ORDER-1-2')).toBe(1);
    expect(await pay('ORDER-1-1')).toEqual([1, 1]);
  });
});

test('two paid attempts of an order have one invoice, and the second one is on the list of what to give back', async () => {
  await add('ORDER-1-1');
  await run('notified', 'ORDER-1-1', 'expired');
  await add('ORDER-1-2');
  expect([await pay('ORDER-1-2'), await pay('ORDER-1-1')]).toEqual([
    [1, 1],
    [0, 1],
  ]);

  expect((await attempts()).map((row) => (row as { invoice: string }).invoice)).toEqual(['none', 'due']);
  expect((await pool.query(statements.overpaid)).rows).toEqual([
    { order_id: 'ORDER-1', reference_id: 'ORDER-1-1' },
  ]);
});

test('an order that the shop cancels is sent no more, and has no invoice but a refund if it is paid after all', async () => {
  await add('ORDER-1-1');
  expect(await run('cancel', 'ORDER-1')).toBe(1);
  expect([await run('claim', 'ORDER-1-1'), await add('ORDER-1-2')]).toEqual([0, 0]);
  expect(await pay('ORDER-1-1')).toEqual([1, 1]);

  expect(await attempts()).toMatchObject([{ state: 'paid', invoice: 'none' }]);
  expect((await pool.query(statements.overpaid)).rowCount).toBe(1);
  expect(await run('cancel', 'ORDER-1')).toBe(0);
});

test('a platform that owns the order is told until it was', async () => {
  await add('ORDER-1-1');
  expect(await run('toTell')).toBe(0);
  await pay('ORDER-1-1');
  expect(await run('toTell')).toBe(1);
  await run('told', 'ORDER-1');
  expect(await run('toTell')).toBe(0);
});

describe.each(['READ COMMITTED', 'REPEATABLE READ', 'SERIALIZABLE'])('under %s', (level) => {
  /** A statement of one of forty processes, which runs it again after a failure to serialise. */
  async function again(client: PoolClient, name: Name, values: readonly unknown[]): Promise<number> {
    for (;;) {
      try {
        return (await client.query(statements[name], [...values])).rowCount ?? 0;
      } catch (error) {
        const { code } = error as { code?: string };
        if (code === '23505') return 0;
        if (code !== '40001') throw error;
      }
    }
  }

  /** How many of forty at once got a row. */
  async function atOnce(name: Name, valuesOf: (index: number) => readonly unknown[]): Promise<number> {
    const rows = await Promise.all(
      Array.from({ length: 40 }, async (_, index) => {
        const client = await pool.connect();
        try {
          await client.query(`SET default_transaction_isolation = '${level.toLowerCase()}'`);
          return await again(client, name, valuesOf(index));
        } finally {
          client.release(true);
        }
      }),
    );
    return rows.reduce((sum, count) => sum + count, 0);
  }

  test('one of forty adds an attempt, claims it, counts its payment and takes its invoice', async () => {
    expect(await atOnce('add', (index) => [`ORDER-1-${String(index)}`, 'ORDER-1', '{}'])).toBe(1);
    const [{ reference_id: reference }] = (await attempts()) as [{ reference_id: string }];
    expect(await atOnce('claim', () => [reference])).toBe(1);
    expect(await atOnce('paid', () => [reference])).toBe(1);
    expect(await atOnce('notified', () => [reference, 'paid'])).toBe(1);
    expect(await atOnce('invoice', () => [])).toBe(1);
  });
});
