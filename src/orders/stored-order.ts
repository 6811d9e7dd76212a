import { createHash, randomUUID } from 'node:crypto';
import { tryParseJson, readProperty } from '../values/untrusted-values.js';
import { currentFormat, type Order } from './order.js';
import { OrderError } from './order-error.js';
import type { OrderRow, StoredOrder } from './storage.js';

const tokenShape = /^([0-9a-f-]{36})\.([0-9a-f]{16})$/;

function digestOf(data: string): string {
  return createHash('sha256').update(data).digest('hex').slice(0, 16);
}

function unreadable(message: string): OrderError {
  return new OrderError('UNREADABLE_ROW', message);
}

/** Makes an ID for the writes of one command. If the command is decided again, its next write has the same ID. */
export const newWriteId = randomUUID;

/**
 * The data of a row, and the token of its write. The token ends with a digest of the data, so that each later read can
 * check that the data is as it was written.
 */
export function writtenOrder(order: Order, writeId: string): Pick<OrderRow, 'data' | 'token'> {
  const data = JSON.stringify({ ...order, form: currentFormat });
  return { data, token: `${writeId}.${digestOf(data)}` };
}

/** True if the row was written by this command. */
export function isWrittenBy(writeId: string, { token }: StoredOrder): boolean {
  return token.startsWith(writeId);
}

/**
 * Reads the data of a row.
 *
 * @throws OrderError `UNREADABLE_ROW`. An order that cannot be read is not treated as unknown, because it might have a
 * live payment.
 */
export function parseOrder(key: string, data: string): Order {
  const order = tryParseJson(data);
  if (!Array.isArray(readProperty(order, 'payments')))
    throw unreadable(
      `the row with the key ${key} cannot be read: code outside this package has changed its column "data"`,
    );
  const found = readProperty(order, 'form') ?? currentFormat;
  if (typeof found !== 'number' || found > currentFormat)
    throw unreadable(
      `the row with the key ${key} was written by a later version of this package: update this process`,
    );
  return order as Order;
}

/** The account in the data of a row, even if a later version wrote the row; undefined if the data is not JSON. */
export function accountIn(data: string): unknown {
  return readProperty(tryParseJson(data), 'account');
}

/** Reads a row, and checks its digest. @throws OrderError `UNREADABLE_ROW` */
export function readOrderRow(key: string, { token, data }: StoredOrder): Order {
  const [, , digest] = tokenShape.exec(token) ?? [];
  // A token without a digest was set manually, so there is nothing to compare.
  if (digest !== undefined && digest !== digestOf(data))
    throw unreadable(
      `the row with the key ${key} differs from what was written, so nothing is sent for its order: check that the ` +
        'character set of the connection is UTF-8 (utf8mb4 of MySQL) and that no other code changes the column "data"',
    );
  return parseOrder(key, data);
}
