/** A checkout commits the order, its attempt, and the job that pays it: all of them, or none. */
import type { PaymentRequest } from 'installment-payments';
import { createJob, type NewJob } from 'installment-payments/queue';
import type { Pool, PoolClient } from 'pg';
import { statements } from './attempts.js';
import type { Boss } from './boss.js';

export async function createTables(database: Pool): Promise<void> {
  for (const name of ['orders', 'attempts', 'openAttempt'] as const) await database.query(statements[name]);
  await database.query(`
    CREATE TABLE IF NOT EXISTS payment_jobs (
      id           text PRIMARY KEY,
      reference_id text NOT NULL REFERENCES payment_attempts,
      name         text NOT NULL,
      data         jsonb NOT NULL,
      history      jsonb,                   -- the marker, the outcome of earlier runs, or the answer
      token        uuid,                    -- of the run that owns the job
      runs         int NOT NULL DEFAULT 0,
      locked_until timestamptz,
      added_at     timestamptz NOT NULL DEFAULT now(),
      ended        text                     -- accepted, not_sent, rejected, unknown; null until the job has ended
    )`);
}

/** Adds a job in a transaction. The same job again changes nothing. */
export async function addJob(client: PoolClient, boss: Boss, reference: string, spec: NewJob): Promise<void> {
  const { id, name, data } = createJob(spec);
  const { rowCount } = await client.query(
    'INSERT INTO payment_jobs (id, reference_id, name, data) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING',
    [id, reference, name, JSON.stringify(data)],
  );
  if (rowCount === 1) await boss.enqueue(id, { client });
}

/** Runs statements in a transaction of their own. */
export async function inTransaction<T>(database: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await database.connect();
  try {
    await client.query('BEGIN');
    const result = await work(client);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  } finally {
    client.release();
  }
}

/** The statements of {@link placeOrder}, for a shop whose own tables are in the same transaction. */
export async function placeOrderIn(client: PoolClient, boss: Boss, request: PaymentRequest): Promise<void> {
  const { referenceId } = request;
  await client.query('INSERT INTO orders (id) VALUES ($1) ON CONFLICT DO NOTHING', [referenceId]);
  const reference = `${referenceId}-1`;
  const known = await client.query('SELECT FROM payment_attempts WHERE reference_id = $1', [reference]);
  if (known.rowCount === 1) return;
  const attempt = { ...request, referenceId: reference };
  await client.query(statements.add, [reference, referenceId, JSON.stringify(attempt)]);
  await addJob(client, boss, reference, { operation: 'initiatePayment', request: attempt });
}

export async function placeOrder(database: Pool, boss: Boss, request: PaymentRequest): Promise<void> {
  await inTransaction(database, (client) => placeOrderIn(client, boss, request));
}
