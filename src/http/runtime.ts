import { randomBytes } from 'node:crypto';
import { isWireInstant } from '../protocol/timestamps.js';
import { isWorkers } from './workers.js';
import { version } from '../version.js';
import { systemTimer, type After } from '../values/time-limit.js';
import { monotonicMs } from '../values/timers.js';

/** The clocks, the timer and the randomness. Tests replace them. */
export interface Runtime {
  /** The clock for timestamps, which the caller can replace with the option `now`. */
  readonly now: () => Date;
  /** Milliseconds since 1970 on the clock of the machine, which can jump. */
  readonly wallMs: () => number;
  /** Milliseconds on a monotonic clock, for limits and waits. */
  readonly monotonicMs: () => number;
  readonly after: After;
  readonly random: () => number;
  /** Creates a random multipart boundary, which cannot be guessed, so that no file contains it on purpose. */
  readonly boundary: () => string;
}

/**
 * The time of the machine. If the year of the time does not have four digits (a broken or fake clock), the time is
 * computed from the monotonic clock of the process.
 */
function machineTime(): Date {
  const time = new Date();
  return isWireInstant(time) ? time : new Date(performance.timeOrigin + monotonicMs());
}

/** The time of a call's start, on both clocks. */
export function startOfCall({ monotonicMs: monotonic, wallMs }: Runtime) {
  return { monotonicMs: monotonic(), wallMs: wallMs() };
}

export type CallStart = Readonly<ReturnType<typeof startOfCall>>;

export const systemRuntime: Runtime = {
  now: machineTime,
  wallMs: () => Date.now(),
  monotonicMs,
  after: systemTimer,
  random: Math.random,
  boundary: () => `----${randomBytes(18).toString('hex')}`,
};

/**
 * The name and version of the runtime. Bun, Deno and Workers report a version of Node too, so they are checked first.
 */
export function runtimeName(
  versions: Readonly<Record<string, string | undefined>>,
  inWorkers = isWorkers(),
): string {
  if (inWorkers) return 'cloudflare-workers';
  const name = ['bun', 'deno', 'node'].find((candidate) => versions[candidate] !== undefined) ?? 'unknown';
  return `${name}/${versions[name] ?? '0'}`;
}

/** The User-Agent of every request: this package and the runtime. */
export const userAgent = `installment-payments/${version} ${runtimeName(process.versions)}`;
