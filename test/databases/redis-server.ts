import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from '../helpers/free-port.js';

/** A Redis of a test's own. */
export interface RedisServer extends AsyncDisposable {
  readonly port: number;
  /** Stops it and starts it again after `ms`, with what it had written to its log. */
  readonly restart: (ms?: number) => Promise<void>;
  /** Suspends its process (SIGSTOP), lets it go on (SIGCONT), or ends it as a broken machine does (SIGKILL). */
  readonly signal: (signal: 'SIGSTOP' | 'SIGCONT' | 'SIGKILL') => void;
}

/** Starts a Redis on a free port of loopback, with the settings that the guide asks for, and others. */
export async function startRedis(more: Readonly<Record<string, string>> = {}): Promise<RedisServer> {
  const port = await freePort();
  const folder = await mkdtemp(join(tmpdir(), 'redis-'));
  const settings = {
    port: String(port),
    bind: '127.0.0.1',
    dir: folder,
    appendonly: 'yes',
    appendfsync: 'everysec',
    save: '',
    'maxmemory-policy': 'noeviction',
    // A replica would be made to wait five seconds for others.
    'repl-diskless-sync-delay': '0',
    ...more,
  };
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);

  let child: ChildProcess | undefined;
  const start = async () => {
    const started = spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'inherit'] });
    child = started;
    const ended = once(started, 'exit');
    await new Promise<void>((resolve, reject) => {
      let log = '';
      started.once('error', () => {
        reject(new Error('redis-server is missing: run sh test/databases/install-databases.sh'));
      });
      started.once('exit', () => {
        reject(new Error(`redis-server ended: ${log}`));
      });
      started.stdout.setEncoding('utf8').on('data', (text: string) => {
        log += text;
        if (log.includes('Ready to accept connections')) resolve();
      });
    });
    return async () => {
      started.kill('SIGCONT');
      started.kill('SIGTERM');
      await ended;
    };
  };

  let stop = await start();
  return {
    port,
    restart: async (ms = 0) => {
      await stop();
      await wait(ms);
      stop = await start();
    },
    signal: (signal) => void child?.kill(signal),
    [Symbol.asyncDispose]: async () => {
      await stop();
      await rm(folder, { recursive: true });
    },
  };
}
