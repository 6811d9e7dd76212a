import { setMaxListeners } from 'node:events';
import { orUndefined } from '../values/untrusted-values.js';
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

/** Calls `onAbort` when the signal fires, until the returned function is called. */
function listen(signal: AbortSignal, onAbort: () => void): () => void {
  // One signal may end any number of calls. Node would warn of a leak from the eleventh listener on.
  orUndefined(() => setMaxListeners(0, signal));
  let isListening = true;
  const heard = () => {
    if (isListening) onAbort();
  };
  signal.addEventListener('abort', heard);
  // It may have fired since it was checked, and does not fire again.
  if (signal.aborted) queueMicrotask(heard);
  return () => {
    isListening = false;
    // The signal is the caller's object: what it throws must not keep the call from ending.
    orUndefined(() => signal.removeEventListener('abort', heard));
  };
}

/** Calls `end` when the time is over or the caller's signal fires, until the returned function is called. */
export function watch(
  { ms, signal, runtime }: TimeLimit,
  end: (reason: 'timeout' | 'aborted') => void,
): () => void {
  // The listening first: it may throw, and a timer would hold the process.
  const unlisten = signal && listen(signal, () => end('aborted'));
  const cancelTimer = runtime.after(ms, () => end('timeout'));
  return () => {
    cancelTimer();
    unlisten?.();
  };
}

/** Races work against a time limit and the caller's signal. It ends at once, even if the work ignores its signal. */
export function bounded<T>(
  work: (signal: AbortSignal) => Promise<T>,
  limit: TimeLimit,
): Promise<TimedResult<T>> {
  if (limit.signal?.aborted) return Promise.resolve({ ended: 'aborted' });
  if (limit.ms <= 0) return Promise.resolve({ ended: 'timeout' });
  const inner = new AbortController();
  return new Promise((resolve) => {
    const end = (result: TimedResult<T>) => {
      unwatch();
      resolve(result);
      // After the result is decided, so that the rejection of the stopped work does not count.
      if (result.ended === 'timeout' || result.ended === 'aborted') inner.abort();
    };
    const unwatch = watch(limit, (ended) => end({ ended }));
    // Async, so that a synchronous throw is a rejection.
    (async () => work(inner.signal))().then(
      (value) => end({ ended: 'done', value }),
      (error: unknown) => end({ ended: 'failed', error }),
    );
  });
}

/** Waits, or ends early when the signal fires. */
export function wait(limit: TimeLimit): Promise<void> {
  return new Promise((resolve) => {
    const unwatch = watch(limit, () => {
      unwatch();
      resolve();
    });
  });
}
