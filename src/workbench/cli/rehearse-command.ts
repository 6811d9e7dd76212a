import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { reasonOf } from '../../values/reason-of.js';
import { pause } from '../../values/time-limit.js';
import type { RehearsedMerchant } from '../rehearsal/rehearsal-settings.js';
import { printable } from '../../values/texts.js';

const keptCharacters = 4000;
const killAfterMs = 2000;

/** Returns the merchant's command as a function `run`, which a rehearsal calls once in each scenario. */
export function merchantCommand(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
) {
  let output = '';
  const children: ChildProcess[] = [];
  const stoppedCommands: Promise<void>[] = [];
  const run: RehearsedMerchant = async ({ scenario, signal }) => {
    output = '';
    // The command has its own process group, so that all its processes can be ended together.
    const child = spawn(program, args, {
      env: { ...env, INSTALLMENT_SCENARIO: scenario },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    children.push(child);
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => (output = `${output}${chunk}`.slice(-keptCharacters)));
    // The event 'close' would also wait for processes that the command has started and that outlive the command.
    const exited = once(child, 'exit').catch((error: unknown) => {
      throw new Error(`the command ${printable(program)} could not be started (${reasonOf(error)})`);
    });
    signal.addEventListener('abort', () => stoppedCommands.push(stopCommand(child)));
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
    /** Waits until stopped commands have ended, and closes the output streams of processes that outlive a command. */
    async close() {
      await Promise.all(stoppedCommands);
      for (const { stdout, stderr } of children) for (const stream of [stdout, stderr]) stream?.destroy();
    },
  };
}

async function stopCommand(child: ChildProcess): Promise<void> {
  if (!signalGroup(child, 'SIGTERM')) return;
  // Child processes of the command, such as a backend under npm, can end later than the command.
  for (let waitedMs = 0; signalGroup(child, 0) && waitedMs < killAfterMs; waitedMs += 20) await pause(20);
  signalGroup(child, 'SIGKILL');
}

/**
 * Sends a signal to all processes of a command. The signal 0 only checks whether any of the processes still runs.
 * Returns false if all of them have ended.
 */
function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals | 0): boolean {
  try {
    return pid !== undefined && process.kill(-pid, signal);
  } catch {
    return false;
  }
}
