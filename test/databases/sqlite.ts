import Database from 'libsql';
import type { Dialect } from '../../src/orders/dialects.js';
import type { Query } from '../../src/orders/sql-storage.js';

/** A database as a shop would reach it. */
export interface Connected extends AsyncDisposable {
  readonly dialect: Dialect;
  /** One statement, committed when it resolves. */
  readonly query: Query;
  /** Runs work in a transaction; rolls it back where the work rejects. `begin` are its first statements. */
  transaction<T>(work: (query: Query) => Promise<T>, begin?: readonly string[]): Promise<T>;
}

/** Runs work between the first statements of a transaction and its end. */
export async function inTransaction<T>(
  query: Query,
  begin: readonly string[],
  work: (query: Query) => Promise<T>,
) {
  for (const statement of begin) await query(statement, []);
  try {
    const result = await work(query);
    await query('COMMIT', []);
    return result;
  } catch (error) {
    await query('ROLLBACK', []).catch(() => undefined);
    throw error;
  }
}

/** Connects to a file of SQLite, or to `:memory:`. */
export function connectSqlite(path: string): Connected {
  const database = new Database(path);
  database.pragma('journal_mode = WAL');
  database.pragma('busy_timeout = 5000');
  const direct: Query = (sql, values) => {
    const statement = database.prepare(sql);
    return Promise.resolve(statement.reader ? statement.all(...values) : statement.run(...values));
  };
  // One connection: what is not of a transaction waits until it has ended.
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = last.then(work);
    last = turn.catch(() => undefined);
    return turn;
  };
  return {
    dialect: 'sqlite',
    query: (sql, values) => inTurn(() => direct(sql, values)),
    transaction: (work, begin = ['BEGIN IMMEDIATE']) => inTurn(() => inTransaction(direct, begin, work)),
    [Symbol.asyncDispose]: () => {
      database.close();
      return Promise.resolve();
    },
  };
}
