import { setMaxListeners } from 'node:events';
import { clearTimeout, setTimeout } from './timers.js';
import { orUndefined } from './untrusted-values.js';

// `AbortSignal.any` is not used: Node 20.0 does not support it, and later versions of Node 20 can garbage-collect an
// `AbortSignal.timeout` that only such a signal refers to. The time-out then never fires.

/** The longest delay of a timer in milliseconds. With a longer delay, `setTimeout` fires at once. */
export const longestTimerMs = 2 ** 31 - 1;

/** Runs `work` after `ms`. Returns a function that cancels the timer. */
export type After = (ms: number, work: () => void) => () => void;

export const systemTimer: After = (ms, work) => {
  const timer = setTimeout(work, ms);
  return () => {
    clearTimeout(timer);
  };
};

/** The signals that can end work early: the first signal that fires ends the work. */
type Signals = AbortSignal | readonly AbortSignal[] | undefined;

/** The result of work with a time limit. */
export type TimedResult<T> =
  | { readonly ended: 'done'; readonly value: T }
  | { readonly ended: 'failed'; readonly error: unknown }
  | { readonly ended: 'timeout' }
  | { readonly ended: 'aborted' };

/** Calls `onAbort` when the signal fires. The returned function removes the listener. */
function listen(signal: AbortSignal, onAbort: () => void): () => void {
  // A signal can end any number of calls. Without setMaxListeners, Node would warn of a leak from the eleventh listener
  // on.
  orUndefined(() => setMaxListeners(0, signal));
  let isListening = true;
  const onAbortEvent = () => {
    if (isListening) onAbort();
  };
  signal.addEventListener('abort', onAbortEvent);
  // The signal can have fired after the caller checked it, and does not fire again.
  if (signal.aborted) queueMicrotask(onAbortEvent);
  return () => {
    isListening = false;
    // The signal is an object of the caller, and can throw. The call must end nevertheless.
    orUndefined(() => signal.removeEventListener('abort', onAbortEvent));
  };
}

/**
 * Calls `onEnd` at the time limit or when a signal fires. The returned function cancels the timer and the listeners. A
 * limit above `longestTimerMs` sets no timer.
 */
export function watchLimit(
  ms: number,
  signals: Signals,
  onEnd: (reason: 'timeout' | 'aborted') => void,
  after = systemTimer,
): () => void {
  // The listeners are added first, because adding them can throw, and a timer would then keep the process alive.
  const cleanups = [signals ?? []].flat().map((signal) => listen(signal, () => onEnd('aborted')));
  if (ms <= longestTimerMs) cleanups.push(after(ms, () => onEnd('timeout')));
  return () => {
    for (const cleanUp of cleanups) cleanUp();
  };
}

/**
 * Races work against a time limit and signals. The promise resolves at once when the work, the limit or a signal ends
 * the race, even if the work ignores its own signal.
 */
export function withTimeLimit<T>(
  ms: number,
  signals: Signals,
  work: (signal: AbortSignal) => Promise<T>,
  after = systemTimer,
): Promise<TimedResult<T>> {
  if ([signals ?? []].flat().some(({ aborted }) => aborted)) return Promise.resolve({ ended: 'aborted' });
  if (ms <= 0) return Promise.resolve({ ended: 'timeout' });
  const inner = new AbortController();
  return new Promise((resolve) => {
    const end = (result: TimedResult<T>) => {
      unwatch();
      resolve(result);
      // The work is stopped after the result is decided, so that its rejection is ignored.
      if (result.ended === 'timeout' || result.ended === 'aborted') inner.abort();
    };
    const unwatch = watchLimit(ms, signals, (ended) => end({ ended }), after);
    // The function is async, so that a synchronous throw becomes a rejection.
    (async () => work(inner.signal))().then(
      (value) => end({ ended: 'done', value }),
      (error: unknown) => end({ ended: 'failed', error }),
    );
  });
}

/** The value of work that waits for a response. Rejects if the work rejects or is stopped. */
export async function responseWithin<T>(
  ms: number,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const result = await withTimeLimit(ms, signal, work);
  if (result.ended === 'done') return result.value;
  if (result.ended === 'timeout') throw new Error(`no response within ${ms} ms`);
  throw result.ended === 'failed' ? result.error : (signal?.reason as unknown);
}

/** Waits for `ms`, or until a signal fires. */
export function pause(ms: number, signals?: Signals, after = systemTimer): Promise<void> {
  return new Promise((resolve) => {
    const unwatch = watchLimit(
      ms,
      signals,
      () => {
        unwatch();
        resolve();
      },
      after,
    );
  });
}
