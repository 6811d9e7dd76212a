// A connection of each driver, with a transaction as its users write one. `db` is what the adapters of the guide take.
import Database from 'libsql';
import mysql from 'mysql2/promise';
import pg from 'pg';

const begun = async (db, run, work) => {
  await run('BEGIN');
  try {
    const result = await work(db);
    await run('COMMIT');
    return result;
  } catch (error) {
    await run('ROLLBACK');
    throw error;
  }
};

export const connections = {
  pg: (url) => {
    const db = new pg.Pool({ connectionString: url });
    const transaction = async (work) => {
      const client = await db.connect();
      try {
        return await begun(client, (sql) => client.query(sql), work);
      } finally {
        client.release();
      }
    };
    return { db, transaction, close: () => db.end() };
  },
  postgres: async (url) => {
    const { default: postgres } = await import('postgres');
    const db = postgres(url, { onnotice: () => undefined });
    return { db, transaction: (work) => db.begin(work), close: () => db.end() };
  },
  'mysql2/promise': (url) => {
    const db = mysql.createPool(url);
    const transaction = async (work) => {
      const connection = await db.getConnection();
      try {
        return await begun(connection, (sql) => connection.query(sql), work);
      } finally {
        connection.release();
      }
    };
    return { db, transaction, close: () => db.end() };
  },
  'better-sqlite3': () => {
    const db = new Database(':memory:');
    return { db, transaction: (work) => begun(db, (sql) => db.exec(sql), work), close: () => db.close() };
  },
  '@prisma/client': async (url) => {
    const { PrismaPg } = await import('@prisma/adapter-pg');
    const { PrismaClient } = await import('@prisma/client');
    const db = new PrismaClient({ adapter: new PrismaPg({ connectionString: url }) });
    return { db, transaction: (work) => db.$transaction(work), close: () => db.$disconnect() };
  },
  'drizzle-orm': async (url) => {
    const { drizzle } = await import('drizzle-orm/node-postgres');
    const pool = new pg.Pool({ connectionString: url });
    const db = drizzle({ client: pool });
    return { db, transaction: (work) => db.transaction(work), close: () => pool.end() };
  },
  knex: async (url) => {
    const { default: knex } = await import('knex');
    const db = knex({ client: 'pg', connection: url });
    return { db, transaction: (work) => db.transaction(work), close: () => db.destroy() };
  },
  typeorm: async (url) => {
    const { DataSource } = await import('typeorm');
    const db = await new DataSource({ type: 'postgres', url }).initialize();
    return { db, transaction: (work) => db.transaction(work), close: () => db.destroy() };
  },
};
