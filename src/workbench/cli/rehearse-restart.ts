import { spawn } from 'node:child_process';
import type { OrderPage } from '../rehearsal/order-page-checks.js';
import { reasonOf } from '../../values/reason-of.js';
import { pause, withTimeLimit } from '../../values/time-limit.js';

const defaultLimitMs = 30_000;
const pollMs = 100;
// One response is not enough, because the old process can respond for a moment after it has received the signal to end.
const neededResponses = 3;

/**
 * Returns a function that restarts the shop with a shell command, and waits until the new process of the shop responds
 * at the order page. If the command has exited, the next responses come from the new process. If the command is itself
 * the new process, such as `node shop.js`, it does not exit. Then, only the responses after the first failed request to
 * the order page are counted.
 */
export function shopRestart(
  command: string,
  env: Readonly<Record<string, string | undefined>>,
  page: OrderPage,
  limitMs = defaultLimitMs,
): (referenceId: string, signal: AbortSignal) => Promise<void> {
  const restart = async (referenceId: string, limit: AbortSignal) => {
    // The process has its own group and no pipes, so that the shop keeps running after the rehearsal.
    const child = spawn(command, { shell: true, env, stdio: 'ignore', detached: true });
    child.unref();
    let exitReason: string | undefined;
    child.on('error', (error) => {
      exitReason = reasonOf(error);
    });
    child.on('exit', (code, endedBy) => {
      exitReason = endedBy ?? (code === 0 ? 'done' : `exit code ${code}`);
    });
    let hasFailed = false;
    let responses = 0;
    while (responses < neededResponses && !limit.aborted) {
      if (exitReason !== undefined && exitReason !== 'done')
        throw new Error(`the command of --restart failed (${exitReason})`);
      const hasResponded = await page(referenceId, limit).then(
        () => true,
        () => false,
      );
      hasFailed ||= !hasResponded;
      responses = hasResponded && (hasFailed || exitReason === 'done') ? responses + 1 : 0;
      await pause(pollMs);
    }
  };
  return async (referenceId, signal) => {
    const result = await withTimeLimit(limitMs, signal, (limit) => restart(referenceId, limit));
    if (result.ended === 'done') return;
    if (result.ended === 'failed') throw result.error;
    throw new Error(`the order page did not respond within ${limitMs / 1000} s after --restart`);
  };
}
