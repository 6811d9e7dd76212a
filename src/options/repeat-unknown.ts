import { readProperty } from '../values/untrusted-values.js';

// Of the whole process: the sender of a queue may be of another copy of this package.
const key = Symbol.for('installment-payments.repeatUnknown');

/**
 * Declares on a client that it was made with `repeatUnknown: false`: a queue retries in later runs, where the option of the
 * client alone would not reach. As an enumerable property it goes through a Proxy and into a copy, as the methods do.
 */
export function declareRepeatUnknown(
  client: object,
  { repeatUnknown }: { readonly repeatUnknown: boolean },
): void {
  if (!repeatUnknown) Object.assign(client, { [key]: false });
}

/** The option `repeatUnknown` of a client; true for any other object. */
export function repeatUnknownOf(client: object): boolean {
  return readProperty(client, key) !== false;
}
