import * as node from 'node:timers';

// Kept when this package is loaded: a test that fakes timers later would otherwise stop a call in its middle. A DOM for tests
// has no setImmediate.
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
