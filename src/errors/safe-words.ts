import { readProperty } from '../values/untrusted-values.js';

// The message and properties of a transport's error can contain the signature, the body or credentials, so only a few short
// words of it are copied.

interface WordShapes {
  readonly name: RegExp;
  readonly code: RegExp;
}

// A secret that is a plain word must not fit. A code may have a slash (ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE), or two words
// (Bun's ConnectionRefused).
const knownShapes: WordShapes = {
  name: /^[A-Z][A-Za-z]{0,40}(?:Error|Exception)$/,
  code: /^(?:[A-Z][A-Z0-9_/]{0,60}|(?:[A-Z][a-z]{1,20}){2,4})$/,
};
/** For the caller's errors, from which sensitive texts are cut. */
export const callerShapes: WordShapes = {
  name: /^[A-Z][A-Za-z]{0,40}$/,
  code: /^[A-Za-z][A-Z0-9a-z_/]{0,60}$/,
};
const syscallShape = /^[a-z]{1,20}$/i;

/** The words of an error that are safe to repeat. */
export interface SafeWords {
  readonly name: string;
  readonly code?: string;
  readonly syscall?: string;
}

export function word(source: unknown, key: string, shape: RegExp): string | undefined {
  const value = readProperty(source, key);
  return typeof value === 'string' && shape.test(value) ? value : undefined;
}

function innerError(error: object): unknown {
  const cause = readProperty(error, 'cause');
  if (typeof cause === 'object' && cause !== null) return cause;
  return readProperty(readProperty(error, 'errors'), 0);
}

/** An error and the errors it wraps, outermost first, at most eight. */
export function errorChain(error: unknown): object[] {
  const chain: object[] = [];
  for (
    let link = error;
    typeof link === 'object' && link !== null && chain.length < 8;
    link = innerError(link)
  ) {
    chain.push(link);
  }
  return chain;
}

/** The safe words of one error alone. */
export function wordsOf(error: unknown, shapes = knownShapes): SafeWords {
  const code = word(error, 'code', shapes.code);
  const syscall = word(error, 'syscall', syscallShape);
  return {
    name: word(error, 'name', shapes.name) ?? 'Error',
    ...(code && { code }),
    ...(syscall && { syscall }),
  };
}

/** The words of the innermost error that has a code; of the outermost one if none has. */
export function safeWords(error: unknown, shapes = knownShapes): SafeWords {
  const words = errorChain(error).map((link) => wordsOf(link, shapes));
  return words.findLast((link) => link.code !== undefined) ?? words[0] ?? { name: 'Error' };
}

/** An error in short: `ECONNRESET (read)`. */
export function describe({ name, code, syscall }: SafeWords): string {
  return `${code ?? name}${syscall ? ` (${syscall})` : ''}`;
}

/** A new error made of words alone. */
export function rebuildError(words: SafeWords, message = describe(words)): Error {
  const rebuilt = new Error(message);
  const hidden = { enumerable: false, configurable: true, writable: true };
  Object.defineProperty(rebuilt, 'name', { value: words.name, ...hidden });
  // The stack of the new error would point at this line.
  Object.defineProperty(rebuilt, 'stack', { value: `${words.name}: ${message}`, ...hidden });
  if (words.code) Object.assign(rebuilt, { code: words.code });
  if (words.syscall) Object.assign(rebuilt, { syscall: words.syscall });
  return rebuilt;
}
