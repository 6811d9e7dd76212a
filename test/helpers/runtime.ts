import type { Runtime } from '../../src/http/runtime.js';

interface Timer {
  readonly dueMs: number;
  readonly ms: number;
  readonly work: () => void;
}

/** A runtime whose clock the test controls. Nothing in it uses the real clock. */
export interface ManualRuntime extends Runtime {
  /** Advances the monotonic clock and the wall clock, and fires the timers that are due, in order. */
  advance(ms: number): void;
  /** Changes only the wall clock, as an administrator would. */
  jumpWallClock(ms: number): void;
  /** The milliseconds of the timers that are still set. */
  pending(): number[];
  /** The durations of the waits that were skipped, in order. */
  readonly skipped: number[];
}

export interface ManualRuntimeOptions {
  /** The first time of the wall clock. */
  readonly startsAt?: string;
  /** Waits up to this duration end at once, and advance the clock. Longer timers are limits, and stay set. */
  readonly skipUpToMs?: number;
  readonly random?: number;
  readonly boundary?: string;
}

export function manualRuntime({
  startsAt = '2026-11-20T03:04:05Z',
  skipUpToMs = 0,
  random = 0,
  boundary = '----boundary',
}: ManualRuntimeOptions = {}): ManualRuntime {
  let monotonicMs = 1_000;
  let wallMs = Date.parse(startsAt);
  const timers = new Set<Timer>();
  const skipped: number[] = [];

  const move = (ms: number) => {
    monotonicMs += ms;
    wallMs += ms;
  };
  const advance = (ms: number) => {
    const untilMs = monotonicMs + ms;
    for (;;) {
      const next = [...timers].filter(({ dueMs }) => dueMs <= untilMs).sort((a, b) => a.dueMs - b.dueMs)[0];
      if (!next) break;
      timers.delete(next);
      move(next.dueMs - monotonicMs);
      next.work();
    }
    move(untilMs - monotonicMs);
  };

  return {
    now: () => new Date(wallMs),
    wallMs: () => wallMs,
    monotonicMs: () => monotonicMs,
    after: (ms, work) => {
      if (ms <= skipUpToMs) {
        skipped.push(ms);
        const skip = setImmediate(() => {
          move(ms);
          work();
        });
        return () => {
          clearImmediate(skip);
        };
      }
      const timer = { dueMs: monotonicMs + ms, ms, work };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    random: () => random,
    boundary: () => boundary,
    advance,
    jumpWallClock: (ms) => {
      wallMs += ms;
    },
    pending: () => [...timers].map(({ ms }) => ms),
    skipped,
  };
}

/** A runtime in which back-off needs no time. The default limits (15 s, 45 s) never expire on their own. */
export function instantRuntime(options: Omit<ManualRuntimeOptions, 'skipUpToMs'> = {}): ManualRuntime {
  return manualRuntime({ ...options, skipUpToMs: 14_999 });
}

/** Runs everything that is ready, without waiting for time to pass. */
export async function settle(turns = 20): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
}
