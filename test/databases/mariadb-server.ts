import { join } from 'node:path';
import { freePort } from '../helpers/free-port.js';
import { databaseFolder } from './database-process.js';
import type { DatabaseServer } from './postgres-server.js';

/** Starts a MariaDB on a free port of loopback, with an empty database `shop`. */
export async function startMariaDb(): Promise<DatabaseServer> {
  const [port, folder] = [await freePort(), await databaseFolder('mysql')];
  const data = join(folder.path, 'data');
  await folder.run('mariadb-install-db', [
    '--no-defaults',
    `--datadir=${data}`,
    '--auth-root-authentication-method=normal',
    '--skip-test-db',
    '--skip-name-resolve',
  ]);
  const flags = [
    '--no-defaults',
    `--datadir=${data}`,
    `--socket=${join(folder.path, 'socket')}`,
    `--pid-file=${join(folder.path, 'pid')}`,
    '--bind-address=127.0.0.1',
    `--port=${String(port)}`,
    '--skip-name-resolve',
    '--skip-grant-tables=0',
    '--innodb-flush-log-at-trx-commit=0',
    '--innodb-buffer-pool-size=64M',
  ];
  const stop = await folder.start('mariadbd', flags, 'ready for connections');
  return { url: `mysql://root@127.0.0.1:${String(port)}/mysql`, [Symbol.asyncDispose]: stop };
}
