import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

const missing = 'is missing: run sh test/databases/install-databases.sh';

/** The path of a database's program: on the PATH, or where Debian has those of PostgreSQL and MariaDB. */
function programOf(name: string): string {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian) : [];
  const folders = [
    ...(process.env['PATH'] ?? '').split(delimiter),
    ...versions.map((version) => join(debian, version, 'bin')),
    '/usr/sbin',
  ];
  const found = folders.find((folder) => existsSync(join(folder, name)));
  if (found === undefined) throw new Error(`${name} ${missing}`);
  return join(found, name);
}

/** Databases refuse to run as root: the account of their package is used then. */
function accountOf(name: string): { readonly uid?: number; readonly gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const entry = new RegExp(`^${name}:[^:]*:(\\d+):(\\d+):`, 'm').exec(readFileSync('/etc/passwd', 'utf8'));
  if (!entry) throw new Error(`the account ${name} ${missing}`);
  return { uid: Number(entry[1]), gid: Number(entry[2]) };
}

/** A folder of a database's own, and its programs in it. */
export interface DatabaseFolder {
  readonly path: string;
  /** Runs a program to its end. */
  readonly run: (program: string, args: readonly string[]) => Promise<void>;
  /** Starts a program; resolves when its log has the text. Its function stops it and removes the folder. */
  readonly start: (program: string, args: readonly string[], ready: string) => Promise<() => Promise<void>>;
}

/** A new folder that belongs to an account of the system, where the tests run as root. */
export async function databaseFolder(account: string): Promise<DatabaseFolder> {
  const user = accountOf(account);
  const path = await mkdtemp(join(tmpdir(), 'database-'));
  if (user.uid !== undefined && user.gid !== undefined) chownSync(path, user.uid, user.gid);
  const options = { ...user, cwd: path };
  return {
    path,
    run: async (program, args) => {
      await promisify(execFile)(programOf(program), args, options);
    },
    start: async (program, args, ready) => {
      const child = spawn(programOf(program), args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
      const ended = once(child, 'exit');
      await new Promise<void>((resolve, reject) => {
        let log = '';
        child.once('error', reject);
        child.once('exit', () => {
          reject(new Error(`${program} ended: ${log}`));
        });
        for (const stream of [child.stdout, child.stderr])
          stream.setEncoding('utf8').on('data', (text: string) => {
            log += text;
            if (log.includes(ready)) resolve();
          });
      });
      return async () => {
        // Without a wait for its clients.
        child.kill('SIGINT');
        const timer = setTimeout(() => child.kill('SIGKILL'), 3_000);
        await ended;
        clearTimeout(timer);
        await rm(path, { recursive: true });
      };
    },
  };
}
