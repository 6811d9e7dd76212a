import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../helpers/free-port.js';

export interface RunningProxy extends AsyncDisposable {
  readonly url: string;
}

async function accepts(port: number): Promise<boolean> {
  const socket = net.connect(port, '127.0.0.1');
  const isOpen = await Promise.race([
    once(socket, 'connect').then(() => true),
    once(socket, 'error').then(() => false),
  ]).catch(() => false);
  socket.destroy();
  return isOpen;
}

/** Runs a proxy on a free port, until it is disposed of. */
async function runProxy(
  program: string,
  args: (file: string) => readonly string[],
  configuration: (port: number, folder: string) => readonly string[],
): Promise<RunningProxy> {
  const folder = mkdtempSync(join(tmpdir(), 'proxy-'));
  const port = await freePort();
  const file = join(folder, 'proxy.conf');
  writeFileSync(file, [...configuration(port, folder), ''].join('\n'));
  const child = spawn(program, args(file), { stdio: 'ignore' });
  const ended = once(child, 'exit');
  for (let tries = 0; !(await accepts(port)); tries++) {
    if (tries === 200 || child.exitCode !== null) throw new Error(`${program} does not accept connections`);
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

/** HAProxy in front of a server on loopback, with lines of its own configuration. */
export function haproxy(serverPort: number, lines: readonly string[]): Promise<RunningProxy> {
  return runProxy(
    'haproxy',
    (file) => ['-f', file, '-db', '-q'],
    (port) => [
      'defaults',
      '  mode http',
      '  timeout connect 5s',
      '  timeout client 30s',
      '  timeout server 30s',
      'listen proxy',
      `  bind 127.0.0.1:${String(port)}`,
      `  server service 127.0.0.1:${String(serverPort)}`,
      ...lines.map((line) => `  ${line}`),
    ],
  );
}

/** nginx in front of a server on loopback, which it takes for two, with directives of its own. */
export function nginx(serverPort: number, directives: readonly string[]): Promise<RunningProxy> {
  const server = `server 127.0.0.1:${String(serverPort)} max_fails=0;`;
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  return runProxy(
    'nginx',
    (file) => ['-c', file],
    (port, folder) => [
      `daemon off; pid ${folder}/pid; error_log /dev/null; events {}`,
      'http { access_log off;',
      ...temporary.map((name) => `${name}_temp_path ${folder}/${name};`),
      `upstream service { ${server} ${server} }`,
      `server { listen 127.0.0.1:${String(port)}; location / { proxy_pass http://service;`,
      ...directives,
      '} } }',
    ],
  );
}
