import type { Runtime } from './runtime.js';

/** How work under a time limit ended. */
export type TimedResult<T> =
  | { readonly ended: 'done'; readonly value: T }
  | { readonly ended: 'failed'; readonly error: unknown }
  | { readonly ended: 'timeout' }
  | { readonly ended: 'aborted' };

export interface TimeLimit {
  readonly ms: number;
  readonly signal: AbortSignal | undefined;
  readonly runtime: Runtime;
}

/**
 * Races work against a time limit and the caller's signal. The race ends at once, even if the work ignores its signal;
 * what the work does afterwards is ignored.
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
      // After the race is decided, so that the reaction of the work does not count as its failure.
      if (result.ended === 'timeout' || result.ended === 'aborted') inner.abort();
    };
    const onAbort = () => end({ ended: 'aborted' });
    const cancelTimer = runtime.after(ms, () => end({ ended: 'timeout' }));
    signal?.addEventListener('abort', onAbort);
    // Async, so that work which throws at once is work that failed.
    (async () => work(inner.signal))().then(
      (value) => end({ ended: 'done', value }),
      (error: unknown) => end({ ended: 'failed', error }),
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
    signal?.addEventListener('abort', end);
  });
}
