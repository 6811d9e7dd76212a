/**
 * A process of a shop: it clicks, receives notifications and sweeps, until the parent ends it. After one of its
 * statements it kills or suspends itself, so the result of that statement is the last that it knew. Or it suspends
 * itself between the read of an order and its write.
 */
import { readFileSync, writeSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { createOrderPayments } from '../../src/entries/orders.js';
import type { Dialect } from '../../src/orders/dialects.js';
import type { Query } from '../../src/orders/sql-storage.js';
import { connect } from './connect.js';
import { clientOf, eventOf, orderRequest } from '../orders/support.js';

/** What the parent passes on. */
export interface Task {
  readonly dialect: Dialect;
  readonly databaseUrl: string;
  readonly serviceUrl: string;
  readonly orders: readonly string[];
  /** A file with how far the clock of the test is ahead, in milliseconds. */
  readonly clockFile: string;
  /** The signal, and the statement after which it comes; 0 for none. */
  readonly signal: 'SIGKILL' | 'SIGSTOP';
  readonly after: number;
  /** The UPDATE outside of a transaction before which it comes; 0 for none. */
  readonly beforeUpdate: number;
}

const task = JSON.parse(process.argv[2] ?? '') as Task;
const database = connect(task.dialect, task.databaseUrl);
let [statements, updates] = [0, 0];

/** Stops this process. Its parent is told so, and of what. */
async function stop(line: string): Promise<void> {
  writeSync(1, `${line}\n`);
  process.kill(process.pid, task.signal);
  // A signal to the own process may arrive a moment later.
  await pause(task.signal === 'SIGKILL' ? 1_000 : 20);
}

const stopping =
  (query: Query): Query =>
  async (sql, values) => {
    const result = await query(sql, values);
    statements += 1;
    if (statements === task.after) await stop(task.signal);
    return result;
  };

/**
 * What was read is old when it is written: the parent wakes this process once another has brought the order to its end.
 */
const sleeping =
  (query: Query): Query =>
  async (sql, values) => {
    if (!sql.startsWith('UPDATE')) return query(sql, values);
    updates += 1;
    if (updates !== task.beforeUpdate) return query(sql, values);
    await stop(String(values.at(-2)));
    const result = await query(sql, values);
    writeSync(1, 'written\n');
    return result;
  };

const payments = createOrderPayments({
  client: clientOf(task.serviceUrl, { attemptTimeoutMs: 1_000, totalTimeoutMs: 1_000 }),
  dialect: task.dialect,
  query: sleeping(stopping(database.query)),
  onPaid: async ({ orderId }) => {
    await database.query(`INSERT INTO told (order_id) VALUES ('${orderId}')`, []);
  },
  now: () => new Date(Date.now() + Number(readFileSync(task.clockFile, 'utf8'))),
  claimMs: 400,
  repeatAfterMs: 100,
  mostSends: 1_000,
  waitMs: 20,
});

/** A notification, with the shipment in its transaction. */
async function deliver(referenceId: string, status: string): Promise<void> {
  await database.transaction(async (tx) => {
    const query = stopping(tx);
    const { firstPaid, orderId } = await payments.handleEvent(eventOf(referenceId, status), { query });
    if (firstPaid) await query(`INSERT INTO handed_over (order_id) VALUES ('${orderId}')`, []);
  });
}

async function step(orderId: string): Promise<void> {
  await payments.start(orderId, orderRequest());
  const response = await fetch(`${task.serviceUrl}/notifications?order=${orderId}`);
  for (const [referenceId, status] of (await response.json()) as [string, string][])
    await deliver(referenceId, status);
}

const left = [...task.orders];
while (left.length > 0) {
  const some = left.splice(0, 4);
  // What fails comes again: a conflict, or a database that is busy.
  await Promise.allSettled(some.map(step));
  await payments.sweep({ limit: 20, budgetMs: 300 }).catch(() => undefined);
  if (left.length === 0) {
    const states = await Promise.all(task.orders.map((orderId) => payments.get(orderId)));
    left.push(...states.filter(({ state }) => state !== 'paid').map(({ orderId }) => orderId));
    await pause(20);
  }
}
await payments.sweep({ limit: 1_000 });
await database[Symbol.asyncDispose]();
process.exit();
