import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { compiledCommand } from '../../helpers/compiled.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));

export interface MockProcess {
  readonly url: string;
  readonly port: number;
  /** Ends the process and waits until it is gone. */
  stop(): Promise<void>;
}

/** Starts the mock of the command line in a separate process. */
export async function startMock(port = 0): Promise<MockProcess> {
  const args = [await compiledCommand('src/workbench/cli/main.ts'), 'mock', '--port', String(port), '--json'];
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const [line] = (await Promise.race([
    once(createInterface(child.stdout), 'line'),
    ended.then(([code]) => Promise.reject(new Error(`the mock ended with code ${String(code)}`))),
  ])) as [string];
  const ready = JSON.parse(line) as { url: string; port: number };
  return {
    ...ready,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
