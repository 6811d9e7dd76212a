import { randomBytes } from 'node:crypto';
import { isWorkers } from './workers.js';
import { version } from '../version.js';

/** Clocks, timer and randomness, which tests replace. */
export interface Runtime {
  /** The wall clock, for timestamps only: it may jump. */
  readonly now: () => Date;
  /** Milliseconds on a monotonic clock, for limits and waits. */
  readonly monotonicMs: () => number;
  /** Runs `work` after `ms`; returns a function that cancels it. */
  readonly after: (ms: number, work: () => void) => () => void;
  readonly random: () => number;
  /** A multipart boundary that no file can predict. */
  readonly boundary: () => string;
}

export const systemRuntime: Runtime = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
  after: (ms, work) => {
    const timer = setTimeout(work, ms);
    return () => {
      clearTimeout(timer);
    };
  },
  random: Math.random,
  boundary: () => `----${randomBytes(18).toString('hex')}`,
};

/** The runtime and its version. Bun, Deno and Cloudflare Workers name a version of Node too, so they come first. */
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
