import Database from 'libsql';
import { createPool, type Connection as MySqlConnection, type Pool as MySqlPool } from 'mysql2/promise';
import pg from 'pg';
import type { Dialect, Query } from '../../src/orders/sql-storage.js';

/** A database as a shop would reach it. */
export interface Connected extends AsyncDisposable {
  readonly dialect: Dialect;
  /** One statement, committed when it resolves. */
  readonly query: Query;
  /** Runs work in a transaction; rolls it back where the work rejects. `begin` are its first statements. */
  transaction<T>(work: (query: Query) => Promise<T>, begin?: readonly string[]): Promise<T>;
}

export const dialects: readonly Dialect[] = ['postgres', 'mysql', 'sqlite'];

async function inTransaction<T>(query: Query, begin: readonly string[], work: (query: Query) => Promise<T>) {
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

function connectPostgres(url: string): Connected {
  const pool = new pg.Pool({ connectionString: url, max: 20 });
  // A connection that is lost while nobody uses it.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  const over =
    (client: pg.Pool | pg.PoolClient): Query =>
    async (sql, values) =>
      (await client.query<Record<string, unknown>>(sql, values)).rows;
  return {
    dialect: 'postgres',
    query: over(pool),
    transaction: async (work, begin = ['BEGIN']) => {
      const client = await pool.connect();
      let isBroken = true;
      try {
        const result = await inTransaction(over(client), begin, work);
        isBroken = false;
        return result;
      } finally {
        client.release(isBroken);
      }
    },
    [Symbol.asyncDispose]: () => pool.end(),
  };
}

function connectMySql(url: string): Connected {
  const pool = createPool({ uri: url, connectionLimit: 20 });
  const over =
    (client: MySqlPool | MySqlConnection): Query =>
    async (sql, values) =>
      (await client.query(sql, values))[0];
  return {
    dialect: 'mysql',
    query: over(pool),
    transaction: async (work, begin = ['START TRANSACTION']) => {
      const connection = await pool.getConnection();
      let isBroken = true;
      try {
        const result = await inTransaction(over(connection), begin, work);
        isBroken = false;
        return result;
      } finally {
        if (isBroken) connection.destroy();
        else connection.release();
      }
    },
    [Symbol.asyncDispose]: () => pool.end(),
  };
}

function connectSqlite(path: string): Connected {
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

/** Connects to the URL of a server, or to a file of SQLite. */
export function connect(dialect: Dialect, url: string): Connected {
  if (dialect === 'postgres') return connectPostgres(url);
  return dialect === 'mysql' ? connectMySql(url) : connectSqlite(url);
}
