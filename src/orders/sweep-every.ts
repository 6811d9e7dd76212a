import { ConfigurationError } from '../errors/errors.js';
import { longestTimerMs } from '../values/time-limit.js';
import type { Report } from './report.js';

const timersKey = Symbol.for('installment-payments.sweepEvery');

/**
 * Returns the functions that stop the timers of this process, by the name of the table. The map is stored on
 * globalThis, because a hot reload loads this module again, and the ESM and CommonJS builds are two modules.
 */
function timersOfProcess(): Map<string, () => void> {
  const holder = globalThis as unknown as Record<symbol, Map<string, () => void> | undefined>;
  const timers = holder[timersKey] ?? new Map<string, () => void>();
  holder[timersKey] = timers;
  return timers;
}

/**
 * Runs `sweep` every `ms` milliseconds, with a timer that does not keep the process alive.
 *
 * @returns a function that stops the timer
 */
export function sweepEvery(
  ms: number,
  table: string,
  sweep: () => Promise<unknown>,
  report: Report,
): () => void {
  if (!Number.isInteger(ms) || ms < 1 || ms > longestTimerMs)
    throw new ConfigurationError('ms', `must be a whole number of milliseconds from 1 to ${longestTimerMs}`);
  const timers = timersOfProcess();
  timers.get(table)?.();
  let isStopped = false;
  let timer: NodeJS.Timeout;
  const schedule = (waitMs: number) => {
    timer = setTimeout(() => void run(), waitMs).unref();
  };
  const run = async () => {
    const startedAt = performance.now();
    try {
      await sweep();
    } catch (error) {
      report('error', 'a sweep failed', {}, error);
    }
    if (!isStopped) schedule(Math.max(1, ms - (performance.now() - startedAt)));
  };
  const stop = () => {
    isStopped = true;
    clearTimeout(timer);
    if (timers.get(table) === stop) timers.delete(table);
  };
  timers.set(table, stop);
  schedule(ms);
  return stop;
}
