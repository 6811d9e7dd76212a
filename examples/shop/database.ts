/** The orders of the shop, in SQLite: what was committed is kept when the process is killed. */
import { setTimeout as sleep } from 'node:timers/promises';
import { paymentRequestSchema, type CheckedPaymentRequest } from 'installment-payments';
import Database from 'libsql';
import * as z from 'zod';
import { attemptMoves, attemptStates, invoiceMoves, invoiceStates, unconfirmed } from './states.js';
import type { InvoiceState } from './states.js';

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
    startedAt INTEGER NOT NULL,
    askAt INTEGER NOT NULL,
    endsAt INTEGER NOT NULL,
    paymentUrl TEXT,
    problem TEXT,
    refundedAt INTEGER
  ) STRICT;
  CREATE UNIQUE INDEX IF NOT EXISTS oneOpenAttempt ON attempts (orderId)
    WHERE state IN ('starting', 'waiting', 'unknown');
  CREATE TABLE IF NOT EXISTS invoices (
    orderId TEXT PRIMARY KEY REFERENCES orders (id),
    state TEXT NOT NULL,
    claims INTEGER NOT NULL DEFAULT 0,
    claimedAt INTEGER NOT NULL DEFAULT 0,
    detail TEXT
  ) STRICT;
  CREATE TABLE IF NOT EXISTS notices (text TEXT PRIMARY KEY, doneAt INTEGER) STRICT;
`;

/** How long a write waits for another process that writes: 100 times 50 ms. */
const lockedTries = 100;
const lockedPauseMs = 50;

/** Longer than a process may send after its claim, and than a proxy holds a request. */
const concludedAfterMs = 180_000;

/** The shortest time between two calls for one attempt. */
const repeatEachMs = 30_000;

const attemptRow = z.object({
  reference: z.string(),
  orderId: z.string(),
  state: attemptStates,
  /** When its request is sent again, unless it was answered. */
  askAt: z.number(),
  /** When it is over, with the time that a notification may take. */
  endsAt: z.number(),
  paymentUrl: z.string().nullable(),
  problem: z.string().nullable(),
});
const invoiceRow = z.object({ orderId: z.string(), state: invoiceStates, detail: z.string().nullable() });
const noticeRow = z.object({ text: z.string() });
const orderRow = z.object({
  id: z.string(),
  /** The request to the service, without its reference. */
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

/** The attempts about which a person has to decide. */
export interface OpenQuestions {
  readonly attempts: readonly Attempt[];
  readonly refunds: readonly Attempt[];
  readonly invoices: readonly Invoice[];
  /** Notifications that the shop cannot act on. */
  readonly notices: readonly { readonly text: string }[];
}

/** True for an error that says that another process kept the database locked. */
export function isLocked(error: unknown): boolean {
  return error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY');
}

/** How an attempt may end. */
export type EndState = 'failed' | 'declined' | 'expired' | 'paid';

type Value = string | number | null;
type Pause = (milliseconds: number) => Promise<unknown>;

export class ShopDatabase {
  readonly #database;
  readonly #pause;
  /** By their text: each is compiled once. */
  readonly #statements = new Map<string, Database.Statement>();

  private constructor(path: string, pause: Pause) {
    // SQLite's own waiting would block the event loop.
    this.#database = new Database(path, { timeout: 0 });
    this.#pause = pause;
  }

  /**
   * @param path - Such as `shop.db`, or `:memory:`.
   * @param pause - Waits before it is tried again to write to a locked database.
   */
  static async open(path: string, pause: Pause = sleep): Promise<ShopDatabase> {
    const shop = new ShopDatabase(path, pause);
    await shop.#unlocked(() => shop.#database.exec(schema));
    return shop;
  }

  close(): void {
    this.#statements.clear();
    this.#database.close();
  }

  #prepared(sql: string): Database.Statement {
    const statement = this.#statements.get(sql) ?? this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  #rows(sql: string, ...values: Value[]): unknown[] {
    return this.#prepared(sql).all(values);
  }

  #run(sql: string, ...values: Value[]): boolean {
    return this.#prepared(sql).run(values).changes > 0;
  }

  async #unlocked<Result>(work: () => Result): Promise<Result> {
    for (let tries = 1; ; tries++) {
      try {
        return work();
      } catch (error) {
        if (!isLocked(error) || tries === lockedTries) throw error;
        await this.#pause(lockedPauseMs);
      }
    }
  }

  /** All of the statements, or none. It takes the lock at its beginning, so it never waits half-way. */
  #write<Result>(work: () => Result): Promise<Result> {
    return this.#unlocked(() => this.#database.transaction(work).immediate());
  }

  /** Statements that see the same state. */
  #read<Result>(work: () => Result): Promise<Result> {
    return this.#unlocked(() => this.#database.transaction(work).deferred());
  }

  /** Stores an order. Once the first attempt to pay it has begun, the same ID again, as by a double click, changes nothing. */
  async place(request: CheckedPaymentRequest, now: Date): Promise<void> {
    const sql = `INSERT INTO orders (id, request, placedAt) VALUES (?, ?, ?)
                 ON CONFLICT DO UPDATE SET request = excluded.request
                 WHERE NOT EXISTS (SELECT 1 FROM attempts WHERE orderId = orders.id)`;
    await this.#write(() => this.#run(sql, request.referenceId, JSON.stringify(request), now.getTime()));
  }

  order(id: string): Promise<Order | undefined> {
    return this.#read(() => {
      const [row] = this.#rows('SELECT * FROM orders WHERE id = ?', id);
      if (!row) return undefined;
      const attempts = this.#rows('SELECT * FROM attempts WHERE orderId = ? ORDER BY number', id);
      const [invoice] = this.#rows('SELECT * FROM invoices WHERE orderId = ?', id);
      return {
        ...orderRow.parse(row),
        attempts: z.array(attemptRow).parse(attempts),
        invoice: invoiceRow.optional().parse(invoice),
      };
    });
  }

  /**
   * The attempt with which an order is paid: the open one, or a new one; none for an order that is paid. Of two calls
   * at the same moment, in two processes even, one gets `isNew`.
   */
  async openAttempt(orderId: string, now: Date, endsAt: Date) {
    return this.#write(() => {
      this.#endAttempts(now);
      const isNew = this.#run(
        `INSERT INTO attempts (reference, orderId, number, state, startedAt, askAt, endsAt)
         SELECT id || '-' || next, id, next, 'starting', ?1, ?1, ?2
         FROM (SELECT id, paidBy, (SELECT count(*) + 1 FROM attempts WHERE orderId = id) AS next FROM orders)
         WHERE id = ?3 AND paidBy IS NULL
         ON CONFLICT DO NOTHING`,
        now.getTime(),
        endsAt.getTime(),
        orderId,
      );
      const [last] = this.#rows(
        `SELECT attempts.* FROM attempts JOIN orders ON orders.id = orderId
         WHERE orderId = ? AND paidBy IS NULL ORDER BY number DESC LIMIT 1`,
        orderId,
      );
      return { attempt: attemptRow.optional().parse(last), isNew };
    });
  }

  #endAttempts(now: Date): void {
    this.#run(
      `UPDATE attempts SET state = CASE state WHEN 'waiting' THEN 'overdue' ELSE 'unknown' END
       WHERE state IN ('starting', 'waiting') AND endsAt <= ?`,
      now.getTime(),
    );
  }

  /**
   * Ends the attempts whose time is over, and returns those whose requests are to be sent again. Each is left to this
   * process for a while, but for those whose calls are under way in it.
   */
  dueAttempts(now: Date, underWay: readonly string[] = []): Promise<Attempt[]> {
    return this.#write(() => {
      this.#endAttempts(now);
      const due = `state = 'starting' AND askAt <= ? AND reference NOT IN (SELECT value FROM json_each(?))`;
      const values = [now.getTime(), JSON.stringify(underWay)] as const;
      const rows = this.#rows(`SELECT * FROM attempts WHERE ${due} ORDER BY rowid`, ...values);
      this.#run(`UPDATE attempts SET askAt = ? WHERE ${due}`, now.getTime() + repeatEachMs, ...values);
      return z.array(attemptRow).parse(rows);
    });
  }

  /** A request was not answered clearly. It is sent again when the attempt is twice as old, which bounds the number. */
  async askLater(reference: string, now: Date, problem: string): Promise<void> {
    const sql = 'UPDATE attempts SET askAt = ?1 + max(?2, ?1 - startedAt), problem = ?3 WHERE reference = ?4';
    await this.#write(() => this.#run(sql, now.getTime(), repeatEachMs, problem, reference));
  }

  /** The service accepted an attempt. */
  async accept(reference: string, paymentUrl: string, endsAt: Date): Promise<void> {
    await this.#write(() =>
      this.#run(
        `UPDATE attempts SET state = 'waiting', paymentUrl = ?, endsAt = ?, problem = NULL
         WHERE reference = ? AND state IN (SELECT value FROM json_each(?))`,
        paymentUrl,
        endsAt.getTime(),
        reference,
        JSON.stringify(attemptMoves.waiting),
      ),
    );
  }

  /**
   * An attempt ended. With the first payment of an order, what follows from it is written in the same transaction. An
   * attempt that was asked for again does not fail: the refusal of the first request may be due to the second.
   */
  async settle(reference: string, state: EndState, problem: string | null = null): Promise<void> {
    await this.#write(() => {
      this.#run(
        `UPDATE attempts SET state = ?1, problem = ?2
         WHERE reference = ?3 AND state IN (SELECT value FROM json_each(?4))
           AND (?1 <> 'failed' OR askAt = startedAt)`,
        state,
        problem,
        reference,
        JSON.stringify(attemptMoves[state]),
      );
      this.#run(
        `UPDATE orders SET paidBy = ?1
         WHERE paidBy IS NULL AND id = (SELECT orderId FROM attempts WHERE reference = ?1 AND state = 'paid')`,
        reference,
      );
      this.#run(
        `INSERT INTO invoices (orderId, state) SELECT id, 'ready' FROM orders WHERE paidBy = ?
         ON CONFLICT DO NOTHING`,
        reference,
      );
    });
  }

  /** Claims an invoice that is ready. Returns the number of the claim; undefined for one that is not to be sent. */
  claimInvoice(orderId: string, now: Date): Promise<number | undefined> {
    const sql = `UPDATE invoices SET state = 'sending', detail = NULL, claims = claims + 1, claimedAt = ?
                 WHERE orderId = ? AND state = 'ready' RETURNING claims`;
    const claim = z.object({ claims: z.number() }).optional();
    return this.#write(() => claim.parse(this.#rows(sql, now.getTime(), orderId)[0])?.claims);
  }

  /** A person has found that the service has no copy. Returns false while somebody may still be sending it. */
  sendInvoiceAgain(orderId: string, now: Date): Promise<boolean> {
    const sql = `UPDATE invoices SET state = 'ready', detail = 'decided by staff'
                 WHERE orderId = ? AND state IN ('refused', 'unknown') AND claimedAt <= ?`;
    return this.#write(() => this.#run(sql, orderId, now.getTime() - concludedAfterMs));
  }

  /**
   * Moves an invoice, and returns whether it could leave the state that it was in. With the number of a claim: unless
   * somebody has claimed it since.
   */
  moveInvoice(
    orderId: string,
    state: InvoiceState,
    detail: string | null = null,
    claim: number | null = null,
  ): Promise<boolean> {
    const sql = `UPDATE invoices SET state = ?, detail = ?
                 WHERE orderId = ? AND state IN (SELECT value FROM json_each(?)) AND claims = coalesce(?, claims)`;
    const moves = JSON.stringify(invoiceMoves[state]);
    return this.#write(() => this.#run(sql, state, detail, orderId, moves, claim));
  }

  /** Returns the invoices to upload. Uploads that were begun, and not by this process, are in doubt. */
  readyInvoices(underWay: readonly string[]): Promise<Invoice[]> {
    return this.#write(() => {
      this.#run(
        `UPDATE invoices SET state = 'unknown', detail = 'interrupted'
         WHERE state = 'sending' AND orderId NOT IN (SELECT value FROM json_each(?))`,
        JSON.stringify(underWay),
      );
      const ready = this.#rows(`SELECT * FROM invoices WHERE state = 'ready' ORDER BY rowid`);
      return z.array(invoiceRow).parse(ready);
    });
  }

  /** A person looks an attempt up. From now on nobody claims it; whoever has claimed it before may send it for a while. */
  async stopSending(reference: string, now: Date): Promise<void> {
    const sql = `UPDATE attempts SET state = 'unknown', endsAt = min(endsAt, ?) WHERE reference = ? AND state = 'starting'`;
    await this.#write(() => this.#run(sql, now.getTime(), reference));
  }

  /**
   * A person has found that nobody pays an attempt: it was declined, or does not exist. Returns false while somebody may
   * still be sending it.
   */
  conclude(reference: string, now: Date): Promise<boolean> {
    const sql = `UPDATE attempts SET state = 'declined', problem = 'decided by staff'
                 WHERE reference = ? AND (state IN ('waiting', 'overdue') OR state = 'unknown' AND endsAt <= ?)`;
    return this.#write(() => this.#run(sql, reference, now.getTime() - concludedAfterMs));
  }

  async attempt(reference: string): Promise<Attempt | undefined> {
    const [row] = await this.#read(() => this.#rows('SELECT * FROM attempts WHERE reference = ?', reference));
    return attemptRow.optional().parse(row);
  }

  openQuestions(): Promise<OpenQuestions> {
    return this.#read(() => {
      const attempts = this.#rows(
        'SELECT * FROM attempts WHERE state IN (SELECT value FROM json_each(?)) ORDER BY rowid',
        JSON.stringify(unconfirmed),
      );
      const refunds = this.#rows(
        `SELECT attempts.* FROM attempts JOIN orders ON orders.id = orderId
         WHERE state = 'paid' AND reference <> paidBy AND refundedAt IS NULL ORDER BY attempts.rowid`,
      );
      const invoices = this.#rows(
        `SELECT * FROM invoices WHERE state IN ('refused', 'unknown') ORDER BY rowid`,
      );
      const notices = this.#rows('SELECT text FROM notices WHERE doneAt IS NULL ORDER BY rowid');
      return {
        attempts: z.array(attemptRow).parse(attempts),
        refunds: z.array(attemptRow).parse(refunds),
        invoices: z.array(invoiceRow).parse(invoices),
        notices: z.array(noticeRow).parse(notices),
      };
    });
  }

  /** A payment that was not needed was given back. */
  async refunded(reference: string, now: Date): Promise<void> {
    const sql = 'UPDATE attempts SET refundedAt = ? WHERE reference = ? AND refundedAt IS NULL';
    await this.#write(() => this.#run(sql, now.getTime(), reference));
  }

  /** Lists a text for staff, once. */
  async notice(text: string): Promise<void> {
    await this.#write(() => this.#run('INSERT INTO notices (text) VALUES (?) ON CONFLICT DO NOTHING', text));
  }

  async noticed(text: string, now: Date): Promise<void> {
    await this.#write(() => this.#run('UPDATE notices SET doneAt = ? WHERE text = ?', now.getTime(), text));
  }
}
