import { readProperty } from '../values/untrusted-values.js';

// Our own texts repeat a few short words of another error. A message can contain the signature, the body or credentials.

// A code may have a slash (ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE), or two words (Bun's ConnectionRefused).
const shapes = {
  name: /^[A-Z][A-Za-z]{0,40}(?:Error|Exception)$/,
  code: /^(?:[A-Z][A-Z0-9_/]{0,60}|(?:[A-Z][a-z]{1,20}){2,4})$/,
  syscall: /^[a-z]{1,20}$/i,
};

/** The words of an error that are safe to repeat. */
export interface SafeWords {
  readonly name: string;
  readonly code?: string;
  readonly syscall?: string;
}

function word(error: unknown, key: keyof typeof shapes): string | undefined {
  const value = readProperty(error, key);
  return typeof value === 'string' && shapes[key].test(value) ? value : undefined;
}

// Errors nest once or twice. A deeper one, or one that contains itself, is cut off.
const deepest = 8;

function innerError(error: object): unknown {
  const cause = readProperty(error, 'cause');
  if (typeof cause === 'object' && cause !== null) return cause;
  return readProperty(readProperty(error, 'errors'), 0);
}

/** An error and the errors it wraps, outermost first. */
export function errorChain(error: unknown): object[] {
  const chain: object[] = [];
  let link = error;
  while (typeof link === 'object' && link !== null && chain.length < deepest) {
    chain.push(link);
    link = innerError(link);
  }
  return chain;
}

/** The safe words of one error alone. */
export function wordsOf(error: unknown): SafeWords {
  const code = word(error, 'code');
  const syscall = word(error, 'syscall');
  return { name: word(error, 'name') ?? 'Error', ...(code && { code }), ...(syscall && { syscall }) };
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

/** An undocumented status that is safe to show: a word. Anything else could quote customer data. */
export function shownStatus(resultStatus: string): string | undefined {
  return /^[A-Za-z][A-Za-z_-]{0,59}$/.test(resultStatus) ? resultStatus : undefined;
}
