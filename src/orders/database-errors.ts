import { readProperty } from '../values/untrusted-values.js';

/** The parts of a driver's error that cannot contain the values of a statement. */
export interface DriverFacts {
  /** The name of the driver's error, such as `PostgresError`. */
  readonly name: string;
  /** The driver's code, such as `ER_DUP_ENTRY`, `SQLITE_BUSY`, `P2034` or `ECONNRESET`. */
  readonly code?: string;
  /** The database's number of the error, such as 1213. */
  readonly errno?: number;
  /** The SQLSTATE, such as `40001`. */
  readonly sqlState?: string;
}

const safeName = /^(?:error|[A-Z][A-Za-z0-9]{0,60}(?:Error|Exception))$/;
const safeCode = /^[A-Z][A-Z0-9_]{1,60}$/;
// The SQLSTATEs of the standard, PostgreSQL and MySQL. The codes of Prisma, such as P2034, do not match.
const sqlStateShape = /^(?:[0-9][0-9A-Z]|F0|HV|HY|IM|P0|XA|XX)[0-9A-Z]{3}$/;
const mostErrors = 12;

/** The properties in which ORMs store the error of their driver. The last two are used by Prisma. */
const wrapperProperties = ['cause', 'driverError', 'original', 'nativeError', 'driverAdapterError', 'meta'];

/** An error and the errors that it wraps, the outermost first. */
function errorChain(error: unknown): unknown[] {
  const errors = new Set([error]);
  for (const link of errors)
    for (const key of wrapperProperties) {
      // `driverError` of an OrderError is a function, which is left out.
      const inner = readProperty(link, key);
      if (typeof inner === 'object' && inner !== null && errors.size < mostErrors) errors.add(inner);
    }
  return [...errors];
}

function matching(value: unknown, shape: RegExp): string | undefined {
  return typeof value === 'string' && shape.test(value) ? value : undefined;
}

function factsOf(link: unknown): DriverFacts {
  const code = readProperty(link, 'code') ?? readProperty(link, 'originalCode');
  // node:sqlite calls the number `errcode`.
  const errno = readProperty(link, 'errno') ?? readProperty(link, 'errcode');
  const sqlState = matching(readProperty(link, 'sqlState'), sqlStateShape) ?? matching(code, sqlStateShape);
  const driverCode = matching(code, safeCode);
  return {
    name: matching(readProperty(link, 'name'), safeName) ?? 'Error',
    ...(driverCode !== undefined && driverCode !== sqlState && { code: driverCode }),
    ...(typeof errno === 'number' && Math.abs(errno) < 100_000 && { errno }),
    ...(sqlState !== undefined && { sqlState }),
  };
}

/** Returns the facts of the innermost error with a code or a number. If there is none, returns the facts of `error`. */
export function driverFacts(error: unknown): DriverFacts {
  const all = errorChain(error).map(factsOf);
  const index = Math.max(
    0,
    all.findLastIndex((facts) => Object.keys(facts).length > 1),
  );
  // The facts can be in a plain object without a name. The closest error that wraps this object then gives the name.
  const named = all.slice(0, index + 1).findLast(({ name }) => name !== 'Error');
  return { ...all[index], name: named?.name ?? 'Error' };
}

/** The SQLSTATEs of a transaction that can succeed if it is run again. */
const conflictStates = ['40001', '40P01', '55P03'];
const conflictNumbers: readonly unknown[] = [
  1020, // MariaDB: the record has changed since the snapshot of the transaction.
  1205, // Lock timeout.
  1213, // Deadlock.
  3572, // MySQL: NOWAIT.
];
const conflictCodes = [
  'ER_CHECKREAD',
  'ER_LOCK_DEADLOCK',
  'ER_LOCK_NOWAIT',
  'ER_LOCK_WAIT_TIMEOUT',
  'P2034', // Prisma
];
/** SQLITE_BUSY and SQLITE_LOCKED. An extended code contains one of these numbers in its lowest byte. */
const busyNumbers = [5, 6];

function isConflictItself(link: unknown): boolean {
  const { name, code = '', errno = 0, sqlState = '' } = factsOf(link);
  return (
    conflictStates.includes(sqlState) ||
    conflictCodes.includes(code) ||
    (name === 'OrderError' && code === 'CONFLICT') ||
    conflictNumbers.includes(errno) ||
    /^SQLITE_(?:BUSY|LOCKED)/.test(code) ||
    (code === 'ERR_SQLITE_ERROR' && busyNumbers.includes(errno & 0xff)) ||
    // Prisma reports the conflict of a driver adapter in the property `kind`.
    (name === 'Error' && readProperty(link, 'kind') === 'TransactionWriteConflict')
  );
}

/** Returns true for a deadlock, a serialization failure, a lock timeout and a busy database. */
export function isConflict(error: unknown): boolean {
  return errorChain(error).some(isConflictItself);
}

/**
 * The codes of a transaction that is over. `25P01`: there is no transaction. `25P02`: a statement of the transaction
 * has failed. `P2028`: Prisma has closed the transaction.
 */
const transactionOverCodes = ['25P01', '25P02', 'P2028'];
const transactionOverNames =
  /^(?:QueryRunner(?:Provider)?AlreadyReleased|TransactionNotStarted|TransactionAlreadyClosed)Error$/;

/** Returns true if the transaction had been committed, rolled back or aborted before its statement failed. */
export function isTransactionOver(error: unknown): boolean {
  return errorChain(error).some((link) => {
    const { name, code = '', sqlState = '' } = factsOf(link);
    const message = readProperty(link, 'message');
    return (
      transactionOverCodes.includes(code) ||
      transactionOverCodes.includes(sqlState) ||
      transactionOverNames.test(name) ||
      // Knex reports this without a code.
      (typeof message === 'string' && message.includes('Transaction query already complete'))
    );
  });
}
