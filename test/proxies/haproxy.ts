import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../helpers/free-port.js';

async function accepts(port: number): Promise<boolean> {
  const socket = net.connect(port, '127.0.0.1');
  const isOpen = await Promise.race([
    once(socket, 'connect').then(() => true),
    once(socket, 'error').then(() => false),
  ]).catch(() => false);
  socket.destroy();
  return isOpen;
}

/** HAProxy in front of a server on loopback, with lines of its own configuration. */
export async function haproxy(
  serverPort: number,
  lines: readonly string[],
): Promise<AsyncDisposable & { url: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'haproxy-'));
  const port = await freePort();
  const configuration = [
    'defaults',
    '  mode http',
    '  timeout connect 5s',
    '  timeout client 30s',
    '  timeout server 30s',
    ...lines.map((line) => `  ${line}`),
    'listen proxy',
    `  bind 127.0.0.1:${String(port)}`,
    `  server service 127.0.0.1:${String(serverPort)}`,
    '',
  ];
  const file = join(folder, 'haproxy.cfg');
  writeFileSync(file, configuration.join('\n'));
  const child = spawn('haproxy', ['-f', file, '-db', '-q'], { stdio: 'ignore' });
  const ended = once(child, 'exit');
  for (let tries = 0; !(await accepts(port)); tries++) {
    if (tries === 200 || child.exitCode !== null) throw new Error('HAProxy does not accept connections');
    await pause(50);
  }
  return {
    url: `http://127.0.0.1:${String(port)}`,
    async [Symbol.asyncDispose]() {
      child.kill();
      await ended;
      rmSync(folder, { recursive: true });
    },
  };
}
