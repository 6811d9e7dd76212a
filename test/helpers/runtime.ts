import type { Runtime } from '../../src/http/runtime.js';

interface Timer {
  readonly dueMs: number;
  readonly ms: number;
  readonly work: () => void;
}

/** A runtime whose hands the test turns. Nothing in it touches the real clock. */
export interface ManualRuntime extends Runtime {
  /** Moves the monotonic clock and fires what has come due, in order. The wall clock goes along. */
  advance(ms: number): void;
  /** Moves the wall clock alone, as an administrator would. */
  jumpWallClock(ms: number): void;
  /** Milliseconds of the timers that are still set. */
  pending(): number[];
  /** The lengths of the waits that were skipped, in order. */
  readonly skipped: number[];
}

export interface ManualRuntimeOptions {
  /** The wall clock's first moment. */
  readonly startsAt?: string;
  /** Waits up to this long pass at once, the clock going along; longer timers, which are limits, stand. */
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

/** A runtime in which back-off takes no time; the default limits (15 s, 45 s) never run out by themselves. */
export function instantRuntime(options: Omit<ManualRuntimeOptions, 'skipUpToMs'> = {}): ManualRuntime {
  return manualRuntime({ ...options, skipUpToMs: 14_999 });
}

/** Lets everything that is ready run, without waiting for time to pass. */
export async function settle(turns = 20): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
}
