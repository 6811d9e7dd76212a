import { freePort } from '../helpers/free-port.js';
import { databaseFolder } from './database-process.js';

/** A Redis of a test's own, on a free port of loopback. */
export async function startRedis(): Promise<AsyncDisposable & { readonly port: number }> {
  const [port, folder] = [await freePort(), await databaseFolder('redis')];
  const settings = {
    port: String(port),
    bind: '127.0.0.1',
    dir: folder.path,
    appendonly: 'yes',
    'maxmemory-policy': 'noeviction',
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
  const stop = await folder.start('redis-server', flags, 'Ready to accept connections');
  return { port, [Symbol.asyncDispose]: stop };
}
