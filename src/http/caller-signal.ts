import { setMaxListeners } from 'node:events';
import { valueOf } from '../values/untrusted-values.js';

/** The caller's signal. Its members never throw, whatever object the caller has passed. */
export interface CallerSignal {
  readonly aborted: boolean;
  readonly reason: unknown;
  /** Calls `onAbort` when the signal fires, until the returned function is called. */
  readonly listen: (onAbort: () => void) => () => void;
}

export function callerSignal(signal: AbortSignal): CallerSignal {
  // One signal may end any number of calls. Node would warn of a leak from the eleventh listener on.
  valueOf(() => signal instanceof EventTarget && setMaxListeners(0, signal));
  return {
    get aborted() {
      return valueOf(() => signal.aborted) === true;
    },
    get reason() {
      return valueOf(() => signal.reason as unknown);
    },
    listen: (onAbort) => {
      valueOf(() => signal.addEventListener('abort', onAbort));
      let isHeard = true;
      // It may have fired since it was checked, and does not fire again.
      if (valueOf(() => signal.aborted) === true) {
        queueMicrotask(() => {
          if (isHeard) onAbort();
        });
      }
      return () => {
        isHeard = false;
        valueOf(() => signal.removeEventListener('abort', onAbort));
      };
    },
  };
}
