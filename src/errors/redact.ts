import { readProperty } from '../protocol/records.js';

/**
 * Redaction of errors that are not ours. The message and properties of a transport's error can contain the signature,
 * the body or credentials, so only a few short words of it are copied.
 */

const nameShape = /^[A-Z][A-Za-z]{0,40}$/;
// With a slash, as in ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE.
const codeShape = /^[A-Za-z][A-Z0-9a-z_/]{0,60}$/;
const syscallShape = /^[a-z]{1,20}$/i;

/** The words of an error that are safe to repeat. */
export interface SafeWords {
  readonly name: string;
  readonly code?: string;
  readonly syscall?: string;
}

function word(source: object, key: string, shape: RegExp): string | undefined {
  const value = readProperty(source, key);
  return typeof value === 'string' && shape.test(value) ? value : undefined;
}

function innerError(error: object): unknown {
  const cause = readProperty(error, 'cause');
  if (typeof cause === 'object' && cause !== null) return cause;
  return readProperty(readProperty(error, 'errors'), 0);
}

/** An error and the errors it wraps, outermost first. A chain in a circle is cut. */
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
export function wordsOf(error: object): SafeWords {
  const code = word(error, 'code', codeShape);
  const syscall = word(error, 'syscall', syscallShape);
  return {
    name: word(error, 'name', nameShape) ?? 'Error',
    ...(code && { code }),
    ...(syscall && { syscall }),
  };
}

/** The words of the innermost error that has a code; of the outermost one if none has. */
export function safeWords(error: unknown): SafeWords {
  const words = errorChain(error).map(wordsOf);
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

const longestMessage = 500;
const anyText = /^/;

/** A text, and its forms in JSON and URLs. */
function formsOf(value: string): string[] {
  const encoded = value.isWellFormed() ? encodeURIComponent(value) : value;
  return [value, JSON.stringify(value).slice(1, -1), encoded, encoded.replaceAll('%20', '+')];
}

/**
 * The rebuilt cause for an error of the caller's code (a hook, a stream, a file). The caller needs its message, so it is
 * kept, without what is known to be sensitive.
 */
export function callerCause(error: unknown, sensitive: readonly string[]): Error {
  const secrets = [...new Set(sensitive.filter((value) => value.length >= 3).flatMap(formsOf))];
  const words = safeWords(error);
  const { code } = words;
  const isQuoted = code !== undefined && secrets.some((secret) => code.includes(secret));
  const shown: SafeWords = isQuoted ? { name: words.name } : words;
  const message = typeof error === 'object' && error !== null ? word(error, 'message', anyText) : error;
  const text = typeof message === 'string' ? message : describe(shown);
  const scrubbed = secrets
    .sort((a, b) => b.length - a.length)
    .reduce((safe, secret) => safe.replaceAll(secret, '[redacted]'), text);
  return rebuildError(shown, scrubbed.slice(0, longestMessage));
}

/** Every text inside a value, a few levels deep. */
export function textsOf(value: unknown, depth = 4): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null || depth === 0 || ArrayBuffer.isView(value)) return [];
  return Object.values(value).flatMap((inner) => textsOf(inner, depth - 1));
}
