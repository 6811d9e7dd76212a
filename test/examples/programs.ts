import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

const environment = { ...process.env, PYTHONUTF8: '1', PYTHONDONTWRITEBYTECODE: '1' };

/** A Python that has Flask: the first in the path, or Debian's. */
export const python =
  ['python3', '/usr/bin/python3'].find(
    (program) => spawnSync(program, ['-c', 'import flask, requests']).status === 0,
  ) ?? 'python3';

/** Runs a program to its end. If the program is missing, the failure names it. */
export async function runProgram(
  [program = '', ...args]: readonly string[],
  env: NodeJS.ProcessEnv = environment,
): Promise<{ code: number | null; output: string }> {
  const child = spawn(program, args, { env: { ...environment, ...env } });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data: Buffer) => (output += data.toString()));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', () => {
      reject(new Error(`${program} is missing: see test/examples/install-interpreters.sh`));
    });
    child.once('close', resolve);
  });
  return { code, output };
}

/**
 * Starts a program that keeps running, in its own process group. @returns a function that ends it with all its child
 * processes
 */
export async function startProgram(
  [program = '', ...args]: readonly string[],
  env: NodeJS.ProcessEnv = {},
  port?: number,
): Promise<() => Promise<void>> {
  const child = spawn(program, args, {
    env: { ...environment, ...env },
    stdio: 'ignore',
    detached: true,
  });
  const exited = once(child, 'exit');
  await Promise.race([once(child, 'spawn'), exited]);
  while (port !== undefined && !(await isListening(port))) {
    if (child.exitCode !== null) throw new Error(`${program} ended before it listened`);
    await pause(50);
  }
  return async () => {
    end(child);
    await exited;
    // Its child processes can end a moment later.
    while (port !== undefined && (await isListening(port))) await pause(20);
  };
}

function end({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // It has already ended.
  }
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
      .once('connect', () => {
        socket.destroy();
        resolve(true);
      })
      .once('error', () => resolve(false));
  });
}
