import * as node from 'node:timers';

// The functions are saved when this package is loaded, because a test that fakes timers later would stop a call in the
// middle. A DOM for tests does not have setImmediate.
export const {
  setTimeout,
  clearTimeout,
  setImmediate = node.setImmediate,
} = globalThis as Partial<typeof globalThis> & Pick<typeof globalThis, 'setTimeout' | 'clearTimeout'>;

const { performance } = globalThis;
const now = performance.now.bind(performance);

/** Milliseconds on a monotonic clock. */
export const monotonicMs = (): number => now();

/** Resolves in the next turn of the event loop. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
