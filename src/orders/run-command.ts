import { randomUUID } from 'node:crypto';
import { jsonIn } from '../values/untrusted-values.js';
import type { Command, Decision, Policy } from './commands.js';
import type { Order } from './order.js';
import { OrderError } from './order-error.js';
import { decide, dueAt } from './rules.js';
import type { OrderStorage, StoredOrder } from './storage.js';
import { reviewsOf } from './views.js';

const mostTries = 12;
const mostFailures = 3;

/** A command, made for the order as it was read. */
export type CommandFor = (
  order: Order | undefined,
) => Promise<{ readonly command: Command; readonly policy: Policy }>;

export interface Done extends Decision {
  /** The end of the effect's claim by the clock of this machine. It was read before the order was. */
  readonly sendBefore: Date;
}

function orderIn(row: StoredOrder | undefined): Order | undefined {
  return row && (jsonIn(row.data) as Order);
}

/** An orderId that nobody has: its row holds the mark of a restore. */
export const markKey = '';

async function pause(tries: number): Promise<void> {
  const ms = Math.min(400, 5 * 2 ** tries) * (0.5 + Math.random());
  await new Promise((resolve) => setTimeout(resolve, ms));
}

interface Read {
  readonly now: number;
  readonly order: Order | undefined;
  readonly row: StoredOrder | undefined;
  /** The clock of this machine, before the statement. */
  readonly startedAt: number;
}

/** One order in a storage; `isTransaction` where it is the caller's. */
export interface Place {
  readonly storage: OrderStorage;
  readonly key: string;
  readonly orderId?: string | undefined;
  readonly isTransaction: boolean;
}

async function readFrom({ storage, key, orderId }: Place): Promise<Read> {
  const startedAt = Date.now();
  const { now, row } = await storage.read(key);
  const order = orderIn(row);
  if (order && orderId !== undefined && order.orderId !== orderId)
    throw new OrderError('CONFLICT', 'another order has the same key');
  return { now, order, row, startedAt };
}

export async function readOrder(place: Place): Promise<Order | undefined> {
  const { order } = await readFrom(place);
  return order;
}

/**
 * Reads, decides and writes, until nobody else has written in between. It returns once a read has shown the write, so an
 * answer of the database that is lost does no harm: the command is decided again, and its token gives the same answer.
 */
export async function runCommand(place: Place, commandFor: CommandFor): Promise<Done> {
  const { storage, key, isTransaction } = place;
  const writeToken = randomUUID();
  const attempt = async <T>(work: () => Promise<T>): Promise<T> => {
    for (let failures = 1; ; failures += 1) {
      try {
        return await work();
      } catch (cause) {
        if (cause instanceof OrderError) throw cause;
        if (isTransaction)
          throw new OrderError(
            'CONFLICT',
            'the database refused a statement in your transaction: roll it back and run it again',
            { cause },
          );
        if (failures >= mostFailures) throw cause;
        await pause(failures + 3);
      }
    }
  };
  let read = await attempt(() => readFrom(place));
  for (let tries = 0; tries < mostTries; tries += 1) {
    const { command, policy } = await commandFor(read.order);
    const orderId = place.orderId ?? read.order?.orderId ?? '';
    const decision = decide(orderId, read.order, command, read.now, policy);
    const { order } = decision;
    if (!order || order === read.order) return doneWith(decision, read);
    const row = {
      key,
      orderId,
      token: writeToken,
      dueAt: dueAt(order, policy) ?? null,
      reviewAt: reviewsOf(order).reduce<number | null>(
        (first, { sinceAt }) => Math.min(first ?? sinceAt, sinceAt),
        null,
      ),
      changedAt: read.now,
      data: JSON.stringify(order),
    };
    const { row: before } = read;
    read = await attempt(async () => {
      await (before ? storage.replace(row, before.version) : storage.insert(row));
      return readFrom(place);
    });
    // Decided on the stored order: an earlier write of this command may be the one that took effect.
    if (read.row?.token === writeToken) {
      const { effect } = decision.effect ? decide(orderId, read.order, command, read.now, policy) : {};
      return doneWith({ ...decision, order: read.order, effect }, read);
    }
    if (isTransaction) break;
    await pause(tries);
  }
  throw new OrderError(
    'CONFLICT',
    isTransaction
      ? 'another transaction wrote this order: roll yours back and run it again'
      : 'others wrote this order again and again: try it again later',
  );
}

function doneWith(decision: Decision, { startedAt, now }: Read): Done {
  const endsAt = decision.effect?.claim.endsAt ?? now;
  return { ...decision, sendBefore: new Date(startedAt + (endsAt - now)) };
}
