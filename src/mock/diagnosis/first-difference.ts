import type { FirstDifference } from './types.js';

const contextCharacters = 24;

/** The first difference of two texts, by bytes of UTF-8, with whole characters as its context. */
export function firstDifference(expected: string, received: string): FirstDifference | undefined {
  if (expected === received) return undefined;
  let index = 0;
  while (index < expected.length && expected[index] === received[index]) index += 1;
  // Not inside a surrogate pair, which is one character of UTF-8.
  if (index > 0 && /[\ud800-\udbff]/.test(expected[index - 1] ?? '')) index -= 1;
  const start = Math.max(0, index - contextCharacters);
  // Copied, so that a few characters do not keep a whole body alive; what is no character becomes a replacement.
  const around = (text: string) => Buffer.from(text.slice(start, index + contextCharacters)).toString();
  return {
    byte: Buffer.byteLength(expected.slice(0, index)),
    expected: around(expected),
    received: around(received),
  };
}
