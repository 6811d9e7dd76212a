import { randomBytes } from 'node:crypto';
import { version } from '../version.js';

/** What a call takes from its surroundings: two clocks, a timer and chance. Injected as one, so that tests need not wait. */
export interface Runtime {
  /** The wall clock: timestamps only. It may jump. */
  readonly now: () => Date;
  /** Milliseconds on a clock that only goes forward: limits and waits. */
  readonly monotonicMs: () => number;
  /** Runs `work` after `ms`; the function it returns cancels that. */
  readonly after: (ms: number, work: () => void) => () => void;
  /** From 0 up to, not including, 1. */
  readonly random: () => number;
  /** A multipart boundary, which no file can foresee. */
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

/** The runtime and its version. Bun and Deno pass for Node, so they are asked first. */
function runtimeName(versions: Readonly<Record<string, string | undefined>>): string {
  const name = ['bun', 'deno', 'node'].find((candidate) => versions[candidate] !== undefined) ?? 'unknown';
  return `${name}/${versions[name] ?? '0'}`;
}

/** The User-Agent of every request: this package and the runtime. */
export const userAgent = `installment-payments/${version} ${runtimeName(process.versions)}`;
