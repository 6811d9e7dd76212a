import { readFile } from 'node:fs/promises';
import { Pool } from 'pg';
import { expect, test } from 'vitest';
import { startPostgres } from './postgres-server.js';

/** The statements of the guide, in order; each ends with a semicolon and is followed by nothing but a line break. */
async function statementsOfGuide(): Promise<readonly string[]> {
  const guide = await readFile('docs/after-the-redirect.md', 'utf8');
  const [, sql = ''] = /```sql\n(.*?)```/s.exec(guide) ?? [];
  return sql.split(/;\n/).filter((statement) => statement.trim() !== '');
}

test('the statements of the guide let one process send an attempt, and money counts whenever it is reported', async () => {
  const statements = await statementsOfGuide();
  expect(statements).toHaveLength(8);
  const [table = '', index = '', insert = '', claim = '', end = '', paid = '', event = '', mark = ''] =
    statements;
  await using server = await startPostgres();
  const pool = new Pool({ connectionString: server.url });
  pool.on('error', () => undefined);
  const changed = async (statement: string, ...values: unknown[]) =>
    (await pool.query(statement, values)).rowCount;
  const add = (reference: string) => changed(insert, reference, 'ORDER-1', '{}');
  const attempts = async () =>
    (await pool.query('SELECT reference_id, state, sends, invoice FROM attempts ORDER BY 1'))
      .rows as unknown[];

  try {
    await pool.query(
      `CREATE TABLE orders (id text PRIMARY KEY, paid_at timestamptz); INSERT INTO orders VALUES ('ORDER-1')`,
    );
    await pool.query(table);
    await pool.query(index);
    expect(await add('ORDER-1-1')).toBe(1);
    await expect(add('ORDER-1-2')).rejects.toMatchObject({ code: '23505' });

    const claims = await Promise.all(Array.from({ length: 5 }, () => changed(claim, 'ORDER-1-1')));
    expect(claims.sort()).toEqual([0, 0, 0, 0, 1]);
    expect(await changed(end, 'ORDER-1-1', 'unknown', null, 1)).toBe(1);
    expect(await changed(claim, 'ORDER-1-1')).toBe(1);
    expect(await changed(event, 'ORDER-1-1', 'expired')).toBe(1);
    expect(await changed(end, 'ORDER-1-1', 'started', 'https://pay.example/1', 2)).toBe(0);

    expect(await add('ORDER-1-2')).toBe(1);
    expect(await changed(claim, 'ORDER-1-2')).toBe(1);
    expect(await changed(end, 'ORDER-1-2', 'new', null, 1)).toBe(1);
    expect(await changed(paid, 'ORDER-1-1')).toBe(1);
    expect(await changed(event, 'ORDER-1-1', 'paid')).toBe(1);
    expect(await changed(paid, 'ORDER-1-1')).toBe(0);
    expect(await changed(event, 'ORDER-1-1', 'paid')).toBe(0);
    expect(await changed(event, 'ORDER-1-1', 'declined')).toBe(0);
    expect(await changed(paid, 'ORDER-9')).toBe(0);
    expect(await changed(event, 'ORDER-9', 'paid')).toBe(0);

    const uploads = await Promise.all([changed(mark), changed(mark)]);
    expect(uploads.sort()).toEqual([0, 1]);
    expect(await changed(claim, 'ORDER-1-2')).toBe(0);
    expect(await changed(event, 'ORDER-1-2', 'expired')).toBe(1);
    expect(await add('ORDER-1-3')).toBe(0);
    expect(await attempts()).toEqual([
      { reference_id: 'ORDER-1-1', state: 'paid', sends: 2, invoice: 'sending' },
      { reference_id: 'ORDER-1-2', state: 'expired', sends: 0, invoice: 'none' },
    ]);
  } finally {
    await pool.end();
  }
});

test('a notification that arrives while the next attempt is added: the order gets no other attempt', async () => {
  const [table = '', index = '', insert = '', , , paid = '', event = ''] = await statementsOfGuide();
  await using server = await startPostgres();
  const pool = new Pool({ connectionString: server.url });
  pool.on('error', () => undefined);
  const add = (reference: string) => pool.query(insert, [reference, 'ORDER-1', '{}']);

  try {
    await pool.query(
      `CREATE TABLE orders (id text PRIMARY KEY, paid_at timestamptz); INSERT INTO orders VALUES ('ORDER-1')`,
    );
    await pool.query(table);
    await pool.query(index);
    await add('ORDER-1-1');
    const notified = await pool.connect();
    await notified.query('BEGIN');
    await notified.query(paid, ['ORDER-1-1']);
    const added = add('ORDER-1-2');
    await notified.query(event, ['ORDER-1-1', 'paid']);
    await notified.query('COMMIT');
    notified.release();

    expect((await added).rowCount).toBe(0);
  } finally {
    await pool.end();
  }
});

test('a process that wakes up after another one has claimed its attempt ends it only with a payment', async () => {
  const [table = '', index = '', insert = '', claim = '', end = ''] = await statementsOfGuide();
  await using server = await startPostgres();
  const pool = new Pool({ connectionString: server.url });
  pool.on('error', () => undefined);
  const run = async (statement: string, ...values: unknown[]) =>
    (await pool.query(statement, values)).rowCount;

  try {
    await pool.query(
      `CREATE TABLE orders (id text PRIMARY KEY, paid_at timestamptz); INSERT INTO orders VALUES ('ORDER-1')`,
    );
    await pool.query(table);
    await pool.query(index);
    await run(insert, 'ORDER-1-1', 'ORDER-1', '{}');
    await run(claim, 'ORDER-1-1');
    await pool.query(`UPDATE attempts SET sent_at = sent_at - interval '3 minutes'`);
    expect(await run(claim, 'ORDER-1-1')).toBe(1);

    for (const state of ['new', 'refused', 'unknown']) {
      expect([state, await run(end, 'ORDER-1-1', state, null, 1)]).toEqual([state, 0]);
    }
    expect(await run(end, 'ORDER-1-1', 'unknown', null, 2)).toBe(1);
    expect(await run(end, 'ORDER-1-1', 'started', 'https://pay.example/1', 1)).toBe(1);
    expect(await run(end, 'ORDER-1-1', 'unknown', null, 2)).toBe(0);
    expect((await pool.query('SELECT state, sends, payment_url FROM attempts')).rows).toEqual([
      { state: 'started', sends: 2, payment_url: 'https://pay.example/1' },
    ]);
  } finally {
    await pool.end();
  }
});
