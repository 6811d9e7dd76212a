import type { Command, Decision, RuleSettings } from './commands.js';
import type { Order } from './order.js';
import { OrderError } from './order-error.js';
import { pauseBefore } from './reliable-storage.js';
import { decide, dueAt, effectOf } from './rules.js';
import type { Query } from './sql-storage.js';
import type { OrderRow, OrderStorage, StoredOrder } from './storage.js';
import { isWrittenBy, newWriteId, readOrderRow, writtenOrder } from './stored-order.js';
import { reviewsOf } from './views.js';

const mostTries = 12;

/** Where one order is: its key, and the storage that reads and writes it, in the caller's transaction where there is one. */
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
) => Promise<{ readonly command: Command; readonly settings: RuleSettings }>;

/** A decision that is in the row. */
export interface StoredDecision extends Decision {
  /**
   * When the effect's claim ends by the clock of this machine. That clock was read before the order was: a slow read makes the
   * claim shorter, never longer.
   */
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
  const order = row && readOrderRow(key, row);
  if (order && orderId !== undefined && order.orderId !== orderId)
    throw new OrderError('CONFLICT', 'another order has the same key');
  return { now, order, row, startedAt };
}

export async function readOrder(place: Place): Promise<Order | undefined> {
  const { order } = await readFrom(place);
  return order;
}

/** The row of an order; `dueAt` and `reviewAt` make it be found. */
function rowOf(key: string, order: Order, writeId: string, now: number, settings: RuleSettings): OrderRow {
  const reviews = reviewsOf(order).map(({ sinceAt }) => sinceAt);
  return {
    key,
    orderId: order.orderId,
    dueAt: dueAt(order, settings) ?? null,
    reviewAt: reviews.length > 0 ? Math.min(...reviews) : null,
    changedAt: now,
    ...writtenOrder(order, writeId),
  };
}

/**
 * Reads, decides and writes, until nobody else has written in between. It returns once a read has shown the write, so a
 * response of the database that is lost does no harm: the command is decided again, and by its `commandId` it decides the same.
 */
export async function runCommand(place: Place, commandFor: CommandFor): Promise<StoredDecision> {
  const { storage, key, transaction } = place;
  const writeId = newWriteId();
  let read = await readFrom(place);
  for (let tries = 0; tries < mostTries; tries += 1) {
    const { order: found, row: before, now } = read;
    const { command, settings } = await commandFor(found);
    const orderId = place.orderId ?? found?.orderId ?? '';
    const decision = decide(orderId, found, command, now, settings);
    if (!decision.order) return stored(decision, read);
    const row = rowOf(key, decision.order, writeId, now, settings);
    // After a change of options nothing may be left to do for a row that is stored as due. It is written with its new time all the
    // same: else every sweep would find it again.
    const isDueAsStored = command.type !== 'doNextDue' || before?.dueAt === row.dueAt;
    if (decision.order === found && isDueAsStored) return stored(decision, read);
    await (before ? storage.replace(row, before.version) : storage.insert(row));
    read = await readFrom(place);
    if (read.row && read.order && isWrittenBy(writeId, read.row)) {
      // The effect as it is stored: an earlier write of this command may be the one that took effect.
      const effect = 'commandId' in command ? effectOf(read.order, command.commandId) : undefined;
      return stored({ ...decision, order: read.order, effect }, read);
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

function stored(decision: Decision, { startedAt, now }: Read): StoredDecision {
  const endsAt = decision.effect?.claim.endsAt ?? now;
  return { ...decision, sendBefore: new Date(startedAt + (endsAt - now)) };
}
