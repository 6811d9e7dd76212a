import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../helpers/free-port.js';

/** A PostgreSQL of a test's own, with an empty database. */
export interface PostgresServer extends AsyncDisposable {
  readonly url: string;
}

/** The folder of its programs: on the PATH, or where Debian has them. */
function programs(): string {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian) : [];
  const folders = [
    ...(process.env['PATH'] ?? '').split(delimiter),
    ...versions.map((version) => join(debian, version, 'bin')),
  ];
  const found = folders.find((folder) => existsSync(join(folder, 'initdb')));
  if (found === undefined) throw new Error('postgres is missing: run bash test/redis/install-postgres.sh');
  return found;
}

/** PostgreSQL refuses to run as root: the account of its package is used then. */
function account(): { readonly uid?: number; readonly gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const entry = /^postgres:[^:]*:(\d+):(\d+):/m.exec(readFileSync('/etc/passwd', 'utf8'));
  if (!entry) throw new Error('the account postgres is missing: run bash test/redis/install-postgres.sh');
  return { uid: Number(entry[1]), gid: Number(entry[2]) };
}

/** Starts a PostgreSQL on a free port of loopback. It outlives no crash of the machine, which no test makes. */
export async function startPostgres(): Promise<PostgresServer> {
  const [bin, port, folder, user] = [
    programs(),
    await freePort(),
    await mkdtemp(join(tmpdir(), 'postgres-')),
    account(),
  ];
  if (user.uid !== undefined && user.gid !== undefined) chownSync(folder, user.uid, user.gid);
  const data = join(folder, 'data');
  const initialise = ['-D', data, '-U', 'shop', '--auth=trust', '--no-sync', '--encoding=UTF8', '--locale=C'];
  await promisify(execFile)(join(bin, 'initdb'), initialise, { ...user, cwd: folder });
  const settings = { listen_addresses: '127.0.0.1', port, unix_socket_directories: folder, fsync: 'off' };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${String(value)}`]);
  const child = spawn(join(bin, 'postgres'), ['-D', data, ...flags], {
    ...user,
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = once(child, 'exit');
  await new Promise<void>((resolve, reject) => {
    let log = '';
    child.once('error', reject);
    child.once('exit', () => {
      reject(new Error(`postgres ended: ${log}`));
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      log += text;
      if (log.includes('ready to accept connections')) resolve();
    });
  });
  return {
    url: `postgres://shop@127.0.0.1:${String(port)}/postgres`,
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGINT');
      await ended;
      await rm(folder, { recursive: true });
    },
  };
}
