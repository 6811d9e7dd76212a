import { spawn } from 'node:child_process';
import type { OrderPage } from '../rehearsal/order-page-checks.js';
import { reasonOf } from '../../values/reason-of.js';
import { pause, withTimeLimit } from '../../values/time-limit.js';

const longestMs = 30_000;
const pollMs = 100;
// The old process can still respond for a moment after it got the signal to end.
const answersInARow = 3;

/**
 * Restarts the shop with a shell command, and resolves once the order page responds again. If the command does not
 * end, because it is the shop itself, the page must first stop responding.
 */
export function shopRestart(
  command: string,
  env: Readonly<Record<string, string | undefined>>,
  page: OrderPage,
  limitMs = longestMs,
): (referenceId: string, signal: AbortSignal) => Promise<void> {
  const restart = async (referenceId: string, limit: AbortSignal) => {
    // The process has its own group and no pipes, so that the shop keeps running after the rehearsal.
    const child = spawn(command, { shell: true, env, stdio: 'ignore', detached: true });
    child.unref();
    let ending: string | undefined;
    child.on('error', (error) => {
      ending = reasonOf(error);
    });
    child.on('exit', (code, endedBy) => {
      ending = endedBy ?? (code === 0 ? 'done' : `exit code ${code}`);
    });
    let wasGone = false;
    let answers = 0;
    while (answers < answersInARow && !limit.aborted) {
      if (ending !== undefined && ending !== 'done')
        throw new Error(`the command of --restart failed (${ending})`);
      const isThere = await page(referenceId, limit).then(
        () => true,
        () => false,
      );
      wasGone ||= !isThere;
      answers = isThere && (wasGone || ending === 'done') ? answers + 1 : 0;
      await pause(pollMs);
    }
  };
  return async (referenceId, signal) => {
    const result = await withTimeLimit(limitMs, signal, (limit) => restart(referenceId, limit));
    if (result.ended === 'done') return;
    if (result.ended === 'failed') throw result.error;
    throw new Error(`the order page did not respond within ${limitMs / 1000} s of --restart`);
  };
}
