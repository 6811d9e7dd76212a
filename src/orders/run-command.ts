import { invalidInput } from '../errors/make-error.js';
import type { Command, Decision, Restore, RuleSettings } from './commands.js';
import type { Order } from './order.js';
import { OrderError } from './order-error.js';
import { pauseBefore } from './reliable-storage.js';
import { dueAt, effectOf } from './due.js';
import { withHistory } from './history.js';
import { restoresIn } from './restores.js';
import { decide } from './rules.js';
import type { Query } from './sql-storage.js';
import type { OrderRow, OrderStorage, StoredOrder } from './storage.js';
import { isWrittenBy, newWriteId, readOrderRow, writtenOrder } from './stored-order.js';
import { reviewsOf } from './reviews.js';

const mostTries = 12;
/** Far below the packet limit of MySQL. */
const mostBytes = 1_000_000;

/**
 * The location of an order: its key, and the storage that reads and writes it, in the caller's transaction if there is
 * one.
 */
export interface OrderLocation {
  readonly storage: OrderStorage;
  readonly key: string;
  /** Undefined if the order is found by a `referenceId`, or by its key in a sweep. */
  readonly orderId?: string | undefined;
  readonly transaction?: Query | undefined;
}

/** Makes the command for the order that was read; undefined to give no command. */
export type CommandFor<Given extends CommandGiven | undefined = CommandGiven> = (
  order: Order | undefined,
  restores: readonly Restore[],
) => Promise<Given>;

interface CommandGiven {
  readonly command: Command;
  readonly settings: Omit<RuleSettings, 'restores'>;
}

/** A decision, after its order was written if it changed. */
export interface StoredDecision extends Decision {
  /**
   * The end of the effect's claim, by the clock of this machine. The clock was read before the order, so a slow read
   * makes the claim shorter and never longer.
   */
  readonly sendBefore: Date;
  /** The order was written. */
  readonly isWritten: boolean;
}

interface Read {
  readonly now: number;
  readonly order: Order | undefined;
  readonly row: StoredOrder | undefined;
  /** The clock of this machine, before the statement. */
  readonly startedAt: number;
  readonly restores: readonly Restore[];
}

async function readFrom({ storage, key, orderId }: OrderLocation): Promise<Read> {
  const startedAt = Date.now();
  const { now, row, restores } = await storage.read(key);
  const order = row && readOrderRow(key, row);
  if (order && orderId !== undefined && order.orderId !== orderId)
    throw new OrderError('CONFLICT', 'another order has the same key');
  return { now, order, row, startedAt, restores: restoresIn(restores) };
}

export async function readOrder(location: OrderLocation): Promise<Order | undefined> {
  const { order } = await readFrom(location);
  return order;
}

/** Makes the row of an order. Lists find it by `dueAt` and `reviewAt`. */
function rowOf(key: string, order: Order, writeId: string, now: number): OrderRow {
  const reviews = reviewsOf(order).map(({ sinceAt }) => sinceAt);
  return {
    key,
    orderId: order.orderId,
    dueAt: dueAt(order) ?? null,
    reviewAt: reviews.length > 0 ? Math.min(...reviews) : null,
    changedAt: now,
    ...writtenOrder(order, writeId),
  };
}

/** @throws ValidationError if a command would make the row too large */
function checkSize({ data }: OrderRow, { type }: Command): void {
  const storesContent = ['start', 'add', 'addInvoice', 'conclude'].includes(type);
  if (!storesContent || Buffer.byteLength(data) <= mostBytes) return;
  const message = `would make the stored order larger than ${mostBytes} bytes: shorten its texts`;
  const operation = type === 'addInvoice' ? 'uploadInvoice' : 'initiatePayment';
  throw invalidInput([{ path: [], message, resultStatus: 'INVALID_REQUEST' }], { operation });
}

/**
 * Reads an order, decides a command and writes the result, until no other process has written in between. It resolves
 * once a read has shown the write, so a lost response of the database does no harm: the command is decided again with
 * the same `commandId`, and so with the same result.
 */
export async function runCommand<Given extends CommandGiven | undefined>(
  location: OrderLocation,
  commandFor: CommandFor<Given>,
): Promise<StoredDecision | (Given extends undefined ? undefined : never)>;
export async function runCommand(
  location: OrderLocation,
  commandFor: CommandFor<CommandGiven | undefined>,
): Promise<StoredDecision | undefined> {
  const { storage, key, transaction } = location;
  const writeId = newWriteId();
  let read = await readFrom(location);
  for (let tries = 0; tries < mostTries; tries += 1) {
    const { order: found, row: before, now } = read;
    const given = await commandFor(found, read.restores);
    if (!given) return undefined;
    const { command } = given;
    const settings: RuleSettings = { ...given.settings, restores: read.restores };
    const orderId = location.orderId ?? found?.orderId ?? '';
    const decision = decide(orderId, found, command, now, settings);
    if (!decision.order) return stored(decision, read, false);
    const row = rowOf(key, withHistory(found, decision.order, command, now, settings), writeId, now);
    // After a change of options, a row that is stored as due may have nothing left to do. It is written anyway, with
    // its new time: otherwise every sweep would find it again.
    const isDueAsStored = command.type !== 'doNextDue' || before?.dueAt === row.dueAt;
    if (decision.order === found && isDueAsStored) return stored(decision, read, false);
    checkSize(row, command);
    await (before ? storage.replace(row, before.version) : storage.insert(row));
    read = await readFrom(location);
    if (read.row && read.order && isWrittenBy(writeId, read.row)) {
      // The stored effect counts: an earlier write of this command can have taken effect.
      const effect = 'commandId' in command ? effectOf(read.order, command.commandId) : undefined;
      return stored({ ...decision, order: read.order, effect }, read, true);
    }
    if (transaction) break;
    await pauseBefore(tries);
  }
  throw new OrderError(
    'CONFLICT',
    transaction
      ? 'another transaction changed this order: roll your transaction back and run it again'
      : 'other processes kept changing this order: try again later',
  );
}

function stored(decision: Decision, { startedAt, now }: Read, isWritten: boolean): StoredDecision {
  const endsAt = decision.effect?.claim.endsAt ?? now;
  return { ...decision, isWritten, sendBefore: new Date(startedAt + (endsAt - now)) };
}
