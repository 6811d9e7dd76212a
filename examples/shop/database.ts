/** The orders of the shop, in SQLite: what was committed is kept when the process is killed. */
import { createClient, type InStatement } from '@libsql/client';
import { paymentRequestSchema, type PaymentRequestWire } from 'installment-payments';
import * as z from 'zod';
import { attemptMoves, attemptStates, invoiceMoves, invoiceStates } from './states.js';
import type { AttemptState, InvoiceState } from './states.js';

const schema = `
  PRAGMA journal_mode = WAL;
  CREATE TABLE IF NOT EXISTS orders (
    id TEXT PRIMARY KEY,
    request TEXT NOT NULL,
    placedAt INTEGER NOT NULL,
    paidBy TEXT REFERENCES attempts (reference)
  ) STRICT;
  CREATE TABLE IF NOT EXISTS attempts (
    reference TEXT PRIMARY KEY,
    orderId TEXT NOT NULL REFERENCES orders (id),
    number INTEGER NOT NULL,
    state TEXT NOT NULL,
    paymentUrl TEXT,
    expiresAt INTEGER,
    problem TEXT,
    refundedAt INTEGER
  ) STRICT;
  CREATE UNIQUE INDEX IF NOT EXISTS oneOpenAttempt ON attempts (orderId) WHERE state IN ('starting', 'waiting');
  CREATE TABLE IF NOT EXISTS invoices (
    orderId TEXT PRIMARY KEY REFERENCES orders (id),
    state TEXT NOT NULL,
    detail TEXT
  ) STRICT;
`;

const attemptRow = z.object({
  reference: z.string(),
  orderId: z.string(),
  state: attemptStates,
  paymentUrl: z.string().nullable(),
  expiresAt: z.number().nullable(),
  problem: z.string().nullable(),
});
const invoiceRow = z.object({ orderId: z.string(), state: invoiceStates, detail: z.string().nullable() });
const orderRow = z.object({
  id: z.string(),
  /** What is sent to the service, but for the reference. */
  request: z.string().transform((text): unknown => JSON.parse(text)).pipe(paymentRequestSchema), // prettier-ignore
  placedAt: z.number(),
  paidBy: z.string().nullable(),
});

export type Attempt = z.infer<typeof attemptRow>;
export type Invoice = z.infer<typeof invoiceRow>;

export interface Order extends z.infer<typeof orderRow> {
  /** Oldest first. */
  readonly attempts: readonly Attempt[];
  readonly invoice: Invoice | undefined;
}

/** What only a person can decide. */
export interface OpenQuestions {
  readonly attempts: readonly Attempt[];
  readonly refunds: readonly Attempt[];
  readonly invoices: readonly Invoice[];
}

export class ShopDatabase {
  readonly #client;

  private constructor(url: string) {
    this.#client = createClient({ url, timeout: 5000 });
  }

  /** @param url - Such as `file:shop.db`, or `:memory:`. */
  static async open(url: string): Promise<ShopDatabase> {
    const database = new ShopDatabase(url);
    await database.#client.executeMultiple(schema);
    return database;
  }

  close(): void {
    this.#client.close();
  }

  /** All of the statements, or none. */
  async #together(statements: readonly InStatement[]) {
    return this.#client.batch([...statements], 'write');
  }

  /** Stores an order. Once the first attempt to pay it has begun, the same ID again, as by a double click, changes nothing. */
  async place(request: PaymentRequestWire, now: Date): Promise<void> {
    await this.#client.execute({
      sql: `INSERT INTO orders (id, request, placedAt) VALUES (?, ?, ?)
            ON CONFLICT DO UPDATE SET request = excluded.request
            WHERE NOT EXISTS (SELECT 1 FROM attempts WHERE orderId = orders.id)`,
      args: [request.referenceId, JSON.stringify(request), now.getTime()],
    });
  }

  async order(id: string): Promise<Order | undefined> {
    const [orders, attempts, invoices] = await this.#client.batch(
      [
        { sql: 'SELECT * FROM orders WHERE id = ?', args: [id] },
        { sql: 'SELECT * FROM attempts WHERE orderId = ? ORDER BY number', args: [id] },
        { sql: 'SELECT * FROM invoices WHERE orderId = ?', args: [id] },
      ],
      'read',
    );
    const row = orders?.rows[0];
    if (!row) return undefined;
    const [invoice] = z.array(invoiceRow).parse(invoices?.rows);
    return { ...orderRow.parse(row), attempts: z.array(attemptRow).parse(attempts?.rows), invoice };
  }

  /**
   * The attempt with which an order is paid: the open one, or a new one; none for an order that is paid. Of two calls
   * at the same moment, in two processes even, one gets `isNew`.
   */
  async openAttempt(orderId: string, now: Date): Promise<{ attempt: Attempt | undefined; isNew: boolean }> {
    const [, inserted, last] = await this.#together([
      {
        sql: `UPDATE attempts SET state = 'expired' WHERE orderId = ? AND state = 'waiting' AND expiresAt <= ?`,
        args: [orderId, now.getTime()],
      },
      {
        sql: `INSERT INTO attempts (reference, orderId, number, state)
              SELECT id || '-' || next, id, next, 'starting'
              FROM (SELECT id, paidBy, (SELECT count(*) + 1 FROM attempts WHERE orderId = id) AS next FROM orders)
              WHERE id = ? AND paidBy IS NULL
              ON CONFLICT DO NOTHING`,
        args: [orderId],
      },
      {
        sql: `SELECT attempts.* FROM attempts JOIN orders ON orders.id = orderId
              WHERE orderId = ? AND paidBy IS NULL ORDER BY number DESC LIMIT 1`,
        args: [orderId],
      },
    ]);
    return { attempt: attemptRow.optional().parse(last?.rows[0]), isNew: inserted?.rowsAffected === 1 };
  }

  /** The service accepted an attempt. */
  async accept(reference: string, paymentUrl: string, expiresAt: Date): Promise<void> {
    await this.#client.execute({
      sql: `UPDATE attempts SET state = 'waiting', paymentUrl = ?, expiresAt = ?
            WHERE reference = ? AND state IN (SELECT value FROM json_each(?))`,
      args: [paymentUrl, expiresAt.getTime(), reference, JSON.stringify(attemptMoves.waiting)],
    });
  }

  /** An attempt ended. With the first payment of an order, what follows from it is written in the same transaction. */
  async settle(
    reference: string,
    state: Exclude<AttemptState, 'starting' | 'waiting'>,
    problem: string | null = null,
  ): Promise<void> {
    await this.#together([
      {
        sql: `UPDATE attempts SET state = ?, problem = ?
              WHERE reference = ? AND state IN (SELECT value FROM json_each(?))`,
        args: [state, problem, reference, JSON.stringify(attemptMoves[state])],
      },
      {
        sql: `UPDATE orders SET paidBy = ?1
              WHERE paidBy IS NULL AND id = (SELECT orderId FROM attempts WHERE reference = ?1 AND state = 'paid')`,
        args: [reference],
      },
      {
        sql: `INSERT INTO invoices (orderId, state) SELECT id, 'ready' FROM orders WHERE paidBy = ?
              ON CONFLICT DO NOTHING`,
        args: [reference],
      },
    ]);
  }

  /** Moves an invoice, and returns whether it could leave the state that it was in. */
  async moveInvoice(orderId: string, state: InvoiceState, detail: string | null = null): Promise<boolean> {
    const { rowsAffected } = await this.#client.execute({
      sql: `UPDATE invoices SET state = ?, detail = ?
            WHERE orderId = ? AND state IN (SELECT value FROM json_each(?))`,
      args: [state, detail, orderId, JSON.stringify(invoiceMoves[state])],
    });
    return rowsAffected === 1;
  }

  /** Uploads that were under way when the last process ended. Two processes must not upload from one database. */
  async doubtInterruptedUploads(): Promise<void> {
    await this.#client.execute(
      `UPDATE invoices SET state = 'unknown', detail = 'interrupted' WHERE state = 'sending'`,
    );
  }

  async attempt(reference: string): Promise<Attempt | undefined> {
    const sql = 'SELECT * FROM attempts WHERE reference = ?';
    const { rows } = await this.#client.execute({ sql, args: [reference] });
    return attemptRow.optional().parse(rows[0]);
  }

  /** Attempts to pay that the service may know of, or not, and invoices to be uploaded. */
  async unfinished(): Promise<{ attempts: Attempt[]; invoices: Invoice[] }> {
    const [attempts, invoices] = await this.#client.batch(
      [
        `SELECT attempts.* FROM attempts JOIN orders ON orders.id = orderId
         WHERE state = 'starting' AND paidBy IS NULL ORDER BY attempts.rowid`,
        `SELECT * FROM invoices WHERE state = 'ready' ORDER BY rowid`,
      ],
      'read',
    );
    return {
      attempts: z.array(attemptRow).parse(attempts?.rows),
      invoices: z.array(invoiceRow).parse(invoices?.rows),
    };
  }

  async openQuestions(): Promise<OpenQuestions> {
    const [attempts, refunds, invoices] = await this.#client.batch(
      [
        `SELECT * FROM attempts WHERE state IN ('starting', 'waiting') ORDER BY rowid`,
        `SELECT attempts.* FROM attempts JOIN orders ON orders.id = orderId
         WHERE state = 'paid' AND reference <> paidBy AND refundedAt IS NULL ORDER BY attempts.rowid`,
        `SELECT * FROM invoices WHERE state IN ('refused', 'unknown') ORDER BY rowid`,
      ],
      'read',
    );
    return {
      attempts: z.array(attemptRow).parse(attempts?.rows),
      refunds: z.array(attemptRow).parse(refunds?.rows),
      invoices: z.array(invoiceRow).parse(invoices?.rows),
    };
  }

  /** A payment that was not needed was given back. */
  async refunded(reference: string, now: Date): Promise<void> {
    const sql = 'UPDATE attempts SET refundedAt = ? WHERE reference = ? AND refundedAt IS NULL';
    await this.#client.execute({ sql, args: [now.getTime(), reference] });
  }
}
