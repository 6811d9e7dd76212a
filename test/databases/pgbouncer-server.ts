import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../helpers/free-port.js';
import { databaseFolder } from './database-process.js';
import type { DatabaseServer } from './postgres-server.js';

/** Starts a PgBouncer in transaction mode before a PostgreSQL. */
export async function startPgBouncer(postgresUrl: string): Promise<DatabaseServer> {
  const [port, folder] = [await freePort(), await databaseFolder('postgres')];
  const { hostname, port: postgresPort } = new URL(postgresUrl);
  const settings = join(folder.path, 'pgbouncer.ini');
  await writeFile(
    settings,
    `[databases]
postgres = host=${hostname} port=${postgresPort} dbname=postgres user=shop
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${String(port)}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 3
`,
  );
  const stop = await folder.start('pgbouncer', [settings], 'process up');
  return { url: `postgres://shop@127.0.0.1:${String(port)}/postgres`, [Symbol.asyncDispose]: stop };
}
