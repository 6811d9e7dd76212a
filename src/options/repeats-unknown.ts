import { readProperty } from '../values/untrusted-values.js';

// Of the whole process: the processor of a queue may be of another copy of this package.
const key = Symbol.for('installment-payments.repeatUnknown');

/**
 * Tells the processor of a queue that a client was made with `repeatUnknown: false`: it repeats in later runs, where the
 * option of the client alone would not reach. As an enumerable property it goes through a Proxy and into a copy, as the
 * methods of a client do.
 */
export function declareRepeats(client: object, repeatUnknown: boolean): void {
  if (!repeatUnknown) Object.defineProperty(client, key, { value: false, enumerable: true });
}

/** False for a client that was made with `repeatUnknown: false`. Any other object does not tell. */
export function repeatsUnknown(client: object): boolean {
  return readProperty(client, key) !== false;
}
