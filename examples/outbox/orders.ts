/** The orders of a shop, in PostgreSQL. An order without an end is one that the sweeper looks at. */
import type { PaymentRequest } from 'installment-payments';
import type { JobOutcome } from 'installment-payments/bullmq';
import type { Pool } from 'pg';

/** How the payment of an order was created, or why not. */
export type End = Exclude<JobOutcome, 'pending'>;

export interface StoredOrder {
  readonly reference: string;
  readonly request: PaymentRequest;
}

export async function createTable(database: Pool): Promise<void> {
  await database.query(`
    CREATE TABLE IF NOT EXISTS orders (
      reference   text PRIMARY KEY,
      request     json NOT NULL, -- complete, because a repeat needs the same bytes
      placed_at   timestamptz NOT NULL DEFAULT now(),
      payment_end text,          -- accepted, not_sent, rejected, unknown; null until the payment has ended
      payment_url text
    )`);
  await database.query(
    'CREATE INDEX IF NOT EXISTS open_orders ON orders (placed_at) WHERE payment_end IS NULL',
  );
}

/** Stores an order, and returns it as stored. In a shop, its other tables are in this transaction too. */
export async function storeOrder(
  database: Pool,
  request: PaymentRequest,
): Promise<{ readonly request: PaymentRequest; readonly isNew: boolean; readonly end?: End | null }> {
  const { referenceId } = request;
  const { rowCount } = await database.query(
    'INSERT INTO orders (reference, request) VALUES ($1, $2) ON CONFLICT DO NOTHING',
    [referenceId, JSON.stringify(request)],
  );
  if (rowCount === 1) return { request, isNew: true };
  // One that is there already stays as it is: its payment may exist.
  const { rows } = await database.query<{ request: PaymentRequest; end: End | null }>(
    'SELECT request, payment_end AS end FROM orders WHERE reference = $1',
    [referenceId],
  );
  return { request, ...rows[0], isNew: false };
}

/** Stores how an order's payment ended. What is accepted stays accepted. */
export async function storeEnd(
  database: Pool,
  reference: string,
  end: End,
  paymentUrl?: string,
): Promise<void> {
  await database.query(
    `UPDATE orders SET payment_end = $2, payment_url = coalesce($3, payment_url)
     WHERE reference = $1 AND payment_end IS DISTINCT FROM 'accepted'`,
    [reference, end, paymentUrl],
  );
}

/** Forgets how the payment of an order ended, before it is sent again. What is accepted stays accepted. */
export async function forgetEnd(database: Pool, reference: string): Promise<void> {
  await database.query(
    "UPDATE orders SET payment_end = NULL WHERE reference = $1 AND payment_end <> 'accepted'",
    [reference],
  );
}

/** Orders that were placed some time ago and have no end, the oldest first. */
export async function openOrders(database: Pool, olderThanMs: number): Promise<StoredOrder[]> {
  const { rows } = await database.query<StoredOrder>(
    `SELECT reference, request FROM orders
     WHERE payment_end IS NULL AND placed_at < now() - $1 * interval '1 millisecond'
     ORDER BY placed_at LIMIT 500`,
    [olderThanMs],
  );
  return rows;
}
