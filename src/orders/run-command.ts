import { randomUUID } from 'node:crypto';
import { jsonIn } from '../values/untrusted-values.js';
import type { Command, Decision, Policy } from './commands.js';
import type { Order } from './order.js';
import { OrderError } from './order-error.js';
import { pauseBefore } from './reliable-storage.js';
import { decide, dueAt, effectOf } from './rules.js';
import type { Query } from './sql-storage.js';
import type { OrderRow, OrderStorage, StoredOrder } from './storage.js';
import { reviewsOf } from './views.js';

const mostTries = 12;

/** One order in a storage, which is over the caller's transaction where there is one. */
export interface Place {
  readonly storage: OrderStorage;
  readonly key: string;
  /** Unknown where the order was found by a reference. */
  readonly orderId?: string | undefined;
  readonly transaction?: Query | undefined;
}

/** A command, made for the order as it was read. */
export type CommandFor = (
  order: Order | undefined,
) => Promise<{ readonly command: Command; readonly policy: Policy }>;

export interface Done extends Decision {
  /** The end of the effect's claim by the clock of this machine. It was read before the order was. */
  readonly sendBefore: Date;
}

interface Read {
  readonly now: number;
  readonly order: Order | undefined;
  readonly row: StoredOrder | undefined;
  /** The clock of this machine, before the statement. */
  readonly startedAt: number;
}

async function readFrom({ storage, key, orderId }: Place): Promise<Read> {
  const startedAt = Date.now();
  const { now, row } = await storage.read(key);
  const order = row && (jsonIn(row.data) as Order);
  if (order && orderId !== undefined && order.orderId !== orderId)
    throw new OrderError('CONFLICT', 'another order has the same key');
  return { now, order, row, startedAt };
}

export async function readOrder(place: Place): Promise<Order | undefined> {
  const { order } = await readFrom(place);
  return order;
}

/** The row of an order; `dueAt` and `reviewAt` make it be found. */
function rowOf(key: string, order: Order, token: string, now: number, policy: Policy): OrderRow {
  const reviews = reviewsOf(order).map(({ sinceAt }) => sinceAt);
  return {
    key,
    orderId: order.orderId,
    token,
    dueAt: dueAt(order, policy) ?? null,
    reviewAt: reviews.length > 0 ? Math.min(...reviews) : null,
    changedAt: now,
    data: JSON.stringify(order),
  };
}

/**
 * Reads, decides and writes, until nobody else has written in between. It returns once a read has shown the write, so an
 * answer of the database that is lost does no harm: the command is decided again, and its token gives the same answer.
 */
export async function runCommand(place: Place, commandFor: CommandFor): Promise<Done> {
  const { storage, key, transaction } = place;
  const writeToken = randomUUID();
  let read = await readFrom(place);
  for (let tries = 0; tries < mostTries; tries += 1) {
    const { order: found, row: before, now } = read;
    const { command, policy } = await commandFor(found);
    const orderId = place.orderId ?? found?.orderId ?? '';
    const decision = decide(orderId, found, command, now, policy);
    if (!decision.order) return doneWith(decision, read);
    const row = rowOf(key, decision.order, writeToken, now, policy);
    // A row that is due where nothing is to be done, such as after a change of options, would be swept for ever.
    const isDueAsStored = command.type !== 'move' || before?.dueAt === row.dueAt;
    if (decision.order === found && isDueAsStored) return doneWith(decision, read);
    await (before ? storage.replace(row, before.version) : storage.insert(row));
    read = await readFrom(place);
    if (read.row?.token === writeToken && read.order) {
      // Of the stored order: an earlier write of this command may be the one that took effect.
      const effect = 'token' in command ? effectOf(read.order, command.token) : undefined;
      return doneWith({ ...decision, order: read.order, effect }, read);
    }
    if (transaction) break;
    await pauseBefore(tries);
  }
  throw new OrderError(
    'CONFLICT',
    transaction
      ? 'another transaction wrote this order: roll yours back and run it again'
      : 'others wrote this order again and again: try it again later',
  );
}

function doneWith(decision: Decision, { startedAt, now }: Read): Done {
  const endsAt = decision.effect?.claim.endsAt ?? now;
  return { ...decision, sendBefore: new Date(startedAt + (endsAt - now)) };
}
