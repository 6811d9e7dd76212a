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
/** The maximum size of a stored order, far below the packet limit of MySQL. */
const mostBytes = 1_000_000;

/**
 * The location of an order: its key, and the storage that reads and writes its row. In a transaction of the caller, the
 * storage runs its statements in that transaction.
 */
export interface OrderLocation {
  readonly storage: OrderStorage;
  readonly key: string;
  /** The ID of the order; undefined if the order is found by a `referenceId`, or by its key in a sweep. */
  readonly orderId?: string | undefined;
  readonly transaction?: Query | undefined;
}

/** Prepares the command for the order that was read. If the promise resolves to undefined, no command runs. */
export type PrepareCommand<Prepared extends PreparedCommand | undefined = PreparedCommand> = (
  order: Order | undefined,
  restores: readonly Restore[],
) => Promise<Prepared>;

interface PreparedCommand {
  readonly command: Command;
  readonly settings: Omit<RuleSettings, 'restores'>;
}

/** The result of {@link runCommand}: a decision, or undefined if `prepare` resolved to undefined. */
type CommandResult<Prepared> = StoredDecision | Extract<Prepared, undefined>;

/** A decision whose order is stored. */
export interface StoredDecision extends Decision {
  /**
   * The time at which the claim of the effect ends, by the clock of this machine. This clock was read before the order,
   * so a slow read leaves less time for the effect, never more.
   */
  readonly sendBefore: Date;
  /** True if the row was written. False if there was nothing to write. */
  readonly isWritten: boolean;
}

interface ReadResult {
  /** The time by the clock of the storage. */
  readonly now: number;
  readonly order: Order | undefined;
  readonly row: StoredOrder | undefined;
  /** The time by the clock of this machine, before the order was read. */
  readonly startedAt: number;
  readonly restores: readonly Restore[];
}

async function readFrom({ storage, key, orderId }: OrderLocation): Promise<ReadResult> {
  const startedAt = Date.now();
  const { now, row, restores } = await storage.read(key);
  const order = row && readOrderRow(key, row);
  if (order && orderId !== undefined && order.orderId !== orderId)
    throw new OrderError('CONFLICT', 'the row with the key of this orderId contains a different order');
  return { now, order, row, startedAt, restores: restoresIn(restores) };
}

export async function readOrder(location: OrderLocation): Promise<Order | undefined> {
  const { order } = await readFrom(location);
  return order;
}

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
  // These commands store content of the caller: a request, an upload or a `paymentUrl`. The changes by other commands,
  // such as `callEnded`, are always stored, whatever the size.
  const storesContent = ['start', 'add', 'addInvoice', 'conclude'].includes(type);
  if (!storesContent || Buffer.byteLength(data) <= mostBytes) return;
  const message = `the stored order would be larger than ${mostBytes} bytes: pass shorter texts`;
  const operation = type === 'addInvoice' ? 'uploadInvoice' : 'initiatePayment';
  throw invalidInput([{ path: [], message, resultStatus: 'INVALID_REQUEST' }], { operation });
}

/**
 * Reads an order, decides a command, writes the order, and then reads the row again. If the row contains the ID of this
 * write, the command is done. If not, another process has written the row before or after this write. The command is
 * then decided again, on the order that was just read. `rules.ts` says why a second decision does no harm.
 */
export async function runCommand<Prepared extends PreparedCommand | undefined>(
  location: OrderLocation,
  prepare: PrepareCommand<Prepared>,
): Promise<CommandResult<Prepared>>;
export async function runCommand(
  location: OrderLocation,
  prepare: PrepareCommand<PreparedCommand | undefined>,
): Promise<StoredDecision | undefined> {
  const { storage, key, transaction } = location;
  const writeId = newWriteId();
  let read = await readFrom(location);
  for (let tries = 0; tries < mostTries; tries += 1) {
    const { order: found, row: before, now } = read;
    const prepared = await prepare(found, read.restores);
    if (!prepared) return undefined;
    const { command } = prepared;
    const settings: RuleSettings = { ...prepared.settings, restores: read.restores };
    const orderId = location.orderId ?? found?.orderId ?? '';
    const decision = decide(orderId, found, command, now, settings);
    if (!decision.order) return storedDecision(decision, read, false);
    const row = rowOf(key, withHistory(found, decision.order, command, now, settings), writeId, now);
    // After a change of options, the `dueAt` of a row can have passed although there is nothing to do. The row is then
    // written with a new `dueAt`, so that the next sweeps do not find the row again.
    const hasOldDueAt = command.type === 'claimDue' && before?.dueAt !== row.dueAt;
    if (decision.order === found && !hasOldDueAt) return storedDecision(decision, read, false);
    checkSize(row, command);
    await (before ? storage.replace(row, before.version) : storage.insert(row));
    read = await readFrom(location);
    if (read.row && read.order && isWrittenBy(writeId, read.row)) {
      // The row can contain the write of an earlier try, with another claim than `decision`: such a write can take
      // effect late, and all tries of a command write the same ID. So the effect is read from the row.
      const effect = 'commandId' in command ? effectOf(read.order, command.commandId) : undefined;
      return storedDecision({ ...decision, order: read.order, effect }, read, true);
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

function storedDecision(
  decision: Decision,
  { startedAt, now }: ReadResult,
  isWritten: boolean,
): StoredDecision {
  const endsAt = decision.effect?.claim.endsAt ?? now;
  return { ...decision, isWritten, sendBefore: new Date(startedAt + (endsAt - now)) };
}
