import { createPool, type Connection as MySqlConnection, type Pool as MySqlPool } from 'mysql2/promise';
import pg from 'pg';
import type { Dialect } from '../../src/orders/dialects.js';
import type { Query } from '../../src/orders/sql-storage.js';
import { connectSqlite, inTransaction, type Connected } from './sqlite.js';

export type { Connected } from './sqlite.js';

export const dialects: readonly Dialect[] = ['postgres', 'mysql', 'sqlite'];

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

/** Connects to the URL of a server, or to a file of SQLite. */
export function connect(dialect: Dialect, url: string): Connected {
  if (dialect === 'postgres') return connectPostgres(url);
  return dialect === 'mysql' ? connectMySql(url) : connectSqlite(url);
}
