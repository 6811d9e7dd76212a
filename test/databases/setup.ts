import type { TestProject } from 'vitest/node';
import { startMariaDb } from './mariadb-server.js';
import { startPostgres } from './postgres-server.js';

declare module 'vitest' {
  export interface ProvidedContext {
    postgresUrl: string;
    mysqlUrl: string;
  }
}

/** One PostgreSQL and one MariaDB for all files. Each test has a table of its own. */
export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const [postgres, mariaDb] = await Promise.all([startPostgres(), startMariaDb()]);
  provide('postgresUrl', postgres.url);
  provide('mysqlUrl', mariaDb.url);
  return async () => {
    await Promise.all([postgres[Symbol.asyncDispose](), mariaDb[Symbol.asyncDispose]()]);
  };
}
