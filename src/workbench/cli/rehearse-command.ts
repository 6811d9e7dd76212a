import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { reasonOf } from '../../values/reason-of.js';
import { pause } from '../../values/time-limit.js';
import type { RehearsedMerchant } from '../rehearsal/rehearsal-settings.js';
import { printable } from '../../values/texts.js';

const keptOutput = 4000;
const killAfterMs = 2000;

/** Runs the merchant's command, once in each scenario. */
export function merchantCommand(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
) {
  let output = '';
  const children: ChildProcess[] = [];
  const endings: Promise<void>[] = [];
  const run: RehearsedMerchant = async ({ scenario, signal }) => {
    output = '';
    // In its own process group, so that all processes of the command can be ended together.
    const child = spawn(program, args, {
      env: { ...env, INSTALLMENT_SCENARIO: scenario },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    children.push(child);
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => (output = `${output}${chunk}`.slice(-keptOutput)));
    // 'close' would also wait for the processes that the command has left behind.
    const exited = once(child, 'exit').catch((error: unknown) => {
      throw new Error(`the command ${printable(program)} could not be started (${reasonOf(error)})`);
    });
    signal.addEventListener('abort', () => endings.push(endCommand(child)));
    const [code, endedBy] = (await exited) as [code: number | null, endedBy: NodeJS.Signals | null];
    if (code === 0) return;
    throw new Error(`the command ${endedBy ? `was ended by ${endedBy}` : `failed with exit code ${code}`}`);
  };
  return {
    run,
    /** The last lines of the command's output in its last run, quoted. */
    quotedOutput: () => {
      const lines = printable(output.trimEnd(), '\n').split('\n').slice(-12);
      return output === '' ? [] : lines.map((line) => `      | ${line}`);
    },
    /** Waits for commands that are being ended, and closes the output of processes that they have left behind. */
    async close() {
      await Promise.all(endings);
      for (const { stdout, stderr } of children) for (const stream of [stdout, stderr]) stream?.destroy();
    },
  };
}

async function endCommand(child: ChildProcess): Promise<void> {
  if (!signalGroup(child, 'SIGTERM')) return;
  // Child processes of the command, such as a backend under npm, can end later than the command.
  for (let waitedMs = 0; signalGroup(child, 0) && waitedMs < killAfterMs; waitedMs += 20) await pause(20);
  signalGroup(child, 'SIGKILL');
}

/** Sends a signal to the processes of a command; false if none is running. 0 sends no signal. */
function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals | 0): boolean {
  try {
    return pid !== undefined && process.kill(-pid, signal);
  } catch {
    return false;
  }
}
