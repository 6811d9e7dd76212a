import * as node from 'node:timers';

// The functions are saved when this package is loaded, so that a running call goes on if a test fakes the timers later.
// A simulated browser, such as jsdom, lacks setImmediate, so Node's function is used there.
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
