import { join } from 'node:path';
import { freePort } from '../helpers/free-port.js';
import { databaseFolder } from './database-process.js';

/** A server of a test's own, with an empty database. */
export interface DatabaseServer extends AsyncDisposable {
  readonly url: string;
}

/** Starts a PostgreSQL on a free port of loopback. It outlives no crash of the machine, which no test makes. */
export async function startPostgres(): Promise<DatabaseServer> {
  const [port, folder] = [await freePort(), await databaseFolder('postgres')];
  const data = join(folder.path, 'data');
  const initialise = ['-D', data, '-U', 'shop', '--auth=trust', '--no-sync', '--encoding=UTF8', '--locale=C'];
  await folder.run('initdb', initialise);
  const settings = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: folder.path,
    fsync: 'off',
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${String(value)}`]);
  const stop = await folder.start('postgres', ['-D', data, ...flags], 'ready to accept connections');
  return { url: `postgres://shop@127.0.0.1:${String(port)}/postgres`, [Symbol.asyncDispose]: stop };
}
