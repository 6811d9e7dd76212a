/** Orders in PostgreSQL, for the queue workers in this folder: an order and its payment are stored in one transaction. */
import pg from 'pg';
import { InstallmentClient } from 'installment-payments';
import { createOrderPayments } from 'installment-payments/orders';
import { clientOptions, paymentRequestOf, sweepEveryMs } from './surroundings.js';

export const databaseUrl = process.env['DATABASE_URL'] ?? 'postgres://127.0.0.1:5432/postgres';
export const pool = new pg.Pool({ connectionString: databaseUrl });

export const payments = createOrderPayments({
  client: new InstallmentClient(clientOptions),
  dialect: 'postgres',
  query: async (sql, values) => (await pool.query<object>(sql, [...values])).rows,
  onPaid: ({ orderId }) => console.log(`ship ${orderId}`),
  repeatAfterMs: sweepEveryMs,
});

/**
 * Creates the tables. In production this is a migration. If two processes create a table at the same time, PostgreSQL
 * can refuse one of the statements, so each statement is tried again once.
 */
export async function createTables(): Promise<void> {
  for (const sql of ['CREATE TABLE IF NOT EXISTS shop_orders (id TEXT PRIMARY KEY)', ...payments.schema])
    await pool.query(sql).catch(() => pool.query(sql));
}

/**
 * Stores an order and its payment in one transaction. The payment is not sent in it, because a rollback would remove the
 * row of a payment that exists at the service.
 *
 * @param also - Further statements of the transaction.
 */
export async function placeOrder(
  orderId: string,
  also: (tx: pg.PoolClient) => Promise<unknown> = () => Promise.resolve(),
): Promise<void> {
  const tx = await pool.connect();
  try {
    await tx.query('BEGIN');
    const inserted = await tx.query('INSERT INTO shop_orders (id) VALUES ($1) ON CONFLICT DO NOTHING', [
      orderId,
    ]);
    // Only with a new order: after a refusal, another `add` would store another payment.
    if (inserted.rowCount === 1)
      await payments.add(orderId, paymentRequestOf(orderId), {
        query: async (sql, values) => (await tx.query<object>(sql, [...values])).rows,
      });
    await also(tx);
    await tx.query('COMMIT');
  } catch (error) {
    await tx.query('ROLLBACK');
    throw error;
  } finally {
    tx.release();
  }
}

/** Sweeps repeatedly until SIGTERM. `stop` then waits for the jobs in progress, before the process exits. */
export function sweepUntilSigterm(stop: () => Promise<unknown>): void {
  const timer = setInterval(() => void payments.sweep().catch(console.error), sweepEveryMs);
  process.once('SIGTERM', () => {
    clearInterval(timer);
    void stop().then(() => process.exit());
  });
}
