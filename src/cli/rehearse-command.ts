import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { reasonOf } from '../values/reason-of.js';
import type { RehearsedMerchant } from '../mock/face.js';
import { visible } from './io.js';

const keptOutput = 4000;
const killAfterMs = 2000;

/** The merchant's command, which is run once in each world. */
export class MerchantCommand {
  #output = '';
  readonly #children: ChildProcess[] = [];
  readonly #endings: Promise<void>[] = [];

  constructor(
    private readonly program: string,
    private readonly args: readonly string[],
    private readonly env: Readonly<Record<string, string | undefined>>,
  ) {}

  readonly run: RehearsedMerchant = async ({ world, signal }) => {
    this.#output = '';
    // A group of its own, so that what the command has started can be ended with it.
    const child = spawn(this.program, this.args, {
      env: { ...this.env, INSTALLMENT_WORLD: world },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    this.#children.push(child);
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => (this.#output = `${this.#output}${chunk}`.slice(-keptOutput)));
    }
    // Not 'close', which waits for everything that the command has started and left behind.
    const exited = once(child, 'exit').catch((error: unknown) => {
      throw new Error(`the command ${visible(this.program)} could not be started (${reasonOf(error)})`);
    });
    signal.addEventListener('abort', () => this.#endings.push(endCommand(child, exited)));
    const [code, endedBy] = (await exited) as [code: number | null, endedBy: NodeJS.Signals | null];
    if (code === 0) return;
    throw new Error(`the command ${endedBy ? `was ended by ${endedBy}` : `failed with exit code ${code}`}`);
  };

  /** The last lines that the command printed in its last run, quoted. */
  get quotedOutput(): string {
    if (this.#output === '') return '';
    const lines = visible(this.#output.trimEnd(), '\n').split('\n').slice(-12);
    return lines.map((line) => `      | ${line}`).join('\n');
  }

  /** Waits for commands that were told to end, and lets go of the output of what any has left behind. */
  async close(): Promise<void> {
    await Promise.all(this.#endings);
    for (const { stdout, stderr } of this.#children) for (const stream of [stdout, stderr]) stream?.destroy();
  }
}

/** Ends a command and what it has started. */
async function endCommand(child: ChildProcess, exited: Promise<unknown>): Promise<void> {
  if (!signalGroup(child, 'SIGTERM')) return;
  await Promise.race([exited, pause(killAfterMs, undefined, { ref: false })]);
  signalGroup(child, 'SIGKILL');
}

/** Signals a command and what it has started; false if nothing of it is running. */
function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): boolean {
  try {
    return pid !== undefined && process.kill(-pid, signal);
  } catch {
    return false;
  }
}
