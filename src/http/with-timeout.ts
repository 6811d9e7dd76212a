import type { Runtime } from './runtime.js';

/** How work under a time limit ended. The work's own error is kept apart from ours. */
export type TimedResult<T> =
  | { readonly ended: 'done'; readonly value: T }
  | { readonly ended: 'failed'; readonly error: unknown }
  | { readonly ended: 'timeout' }
  | { readonly ended: 'aborted' };

/** What limits a piece of work. */
export interface TimeLimit {
  readonly ms: number;
  readonly signal: AbortSignal | undefined;
  readonly runtime: Runtime;
}

/**
 * Races work against a time limit and the caller's signal. The race ends at once, even when the work ignores the
 * signal that it is given. What the work does after that is ignored, its rejection included.
 */
export function withTimeout<T>(
  work: (signal: AbortSignal) => Promise<T>,
  { ms, signal, runtime }: TimeLimit,
): Promise<TimedResult<T>> {
  if (signal?.aborted) return Promise.resolve({ ended: 'aborted' });
  if (ms <= 0) return Promise.resolve({ ended: 'timeout' });
  const inner = new AbortController();
  return new Promise((resolve) => {
    const end = (result: TimedResult<T>) => {
      cancelTimer();
      signal?.removeEventListener('abort', onAbort);
      resolve(result);
      // After the race is decided: the work's reaction to being stopped must not look like its own failure.
      if (result.ended === 'timeout' || result.ended === 'aborted') inner.abort();
    };
    const onAbort = () => {
      end({ ended: 'aborted' });
    };
    const cancelTimer = runtime.after(ms, () => {
      end({ ended: 'timeout' });
    });
    signal?.addEventListener('abort', onAbort, { once: true });
    // Started inside an async function, so that work which throws at once is work that failed.
    (async () => work(inner.signal))().then(
      (value) => {
        end({ ended: 'done', value });
      },
      (error: unknown) => {
        end({ ended: 'failed', error });
      },
    );
  });
}

/** Waits, or ends early when the signal fires. */
export function wait({ ms, signal, runtime }: TimeLimit): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      cancelTimer();
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const cancelTimer = runtime.after(ms, end);
    signal?.addEventListener('abort', end, { once: true });
  });
}
