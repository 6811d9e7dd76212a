import { spawn, type ChildProcess } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { reasonOf } from '../values/reason-of.js';
import type { RehearsedMerchant } from '../mock/face.js';
import { visible } from './io.js';

const keptOutput = 4000;
const killAfterMs = 2000;
const pollMs = 20;

/** The merchant's command, which is run once in each world. */
export class MerchantCommand {
  #output = '';
  readonly #children: ChildProcess[] = [];
  readonly #endings: Promise<void>[] = [];
  #isKilled = false;

  constructor(
    private readonly program: string,
    private readonly args: readonly string[],
    private readonly env: Readonly<Record<string, string | undefined>>,
  ) {}

  readonly run: RehearsedMerchant = ({ world, signal }) =>
    new Promise<void>((resolve, reject) => {
      this.#output = '';
      // A group of its own, so that what the command has started can be ended with it.
      const child = spawn(this.program, this.args, {
        env: { ...this.env, INSTALLMENT_WORLD: world },
        stdio: ['ignore', 'pipe', 'pipe'],
        detached: true,
      });
      this.#children.push(child);
      signal.addEventListener('abort', () => this.#endings.push(this.#end(child)));
      const keep = (chunk: Buffer) => {
        this.#output = (this.#output + chunk.toString()).slice(-keptOutput);
      };
      child.stdout.on('data', keep);
      child.stderr.on('data', keep);
      child.on('error', (error) => {
        reject(new Error(`the command ${visible(this.program)} could not be started (${reasonOf(error)})`));
      });
      // Not 'close', which waits for everything that the command has started and left behind.
      child.on('exit', (code, signalName) => {
        if (code === 0) resolve();
        else
          reject(
            new Error(
              `the command ${signalName ? `was ended by ${signalName}` : `failed with exit code ${code}`}`,
            ),
          );
      });
    });

  /** The last lines that the command printed in its last run, quoted. */
  get quotedOutput(): string {
    if (this.#output === '') return '';
    const lines = visible(this.#output.trimEnd(), '\n').split('\n').slice(-12);
    return lines.map((line) => `      | ${line}`).join('\n');
  }

  /** Ends a command and what it has started. */
  async #end(child: ChildProcess): Promise<void> {
    signalGroup(child, 'SIGTERM');
    const isAlive = () => !this.#isKilled && signalGroup(child, 0);
    for (let waitedMs = 0; isAlive() && waitedMs < killAfterMs; waitedMs += pollMs) await pause(pollMs);
    signalGroup(child, 'SIGKILL');
  }

  /** Gives a command that was told to end no more time. */
  kill(): void {
    this.#isKilled = true;
  }

  /** Waits for commands that were told to end, and lets go of the output of what any has left behind. */
  async close(): Promise<void> {
    await Promise.all(this.#endings);
    for (const { stdout, stderr } of this.#children) for (const stream of [stdout, stderr]) stream?.destroy();
  }
}

/** Signals a command and what it has started; false if nothing of it is running. 0 only asks. */
function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals | 0): boolean {
  try {
    return pid !== undefined && process.kill(-pid, signal);
  } catch {
    return false;
  }
}
