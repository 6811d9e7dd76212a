/**
 * What may be said of an error that is not ours. A transport's error can carry the signature, the body or the
 * address with credentials in its message and properties, so nothing of it is copied but these few short words.
 */

const nameShape = /^[A-Z][A-Za-z]{0,40}$/;
// With the slash of ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE.
const codeShape = /^[A-Za-z][A-Z0-9a-z_/]{0,60}$/;
const syscallShape = /^[a-z]{1,20}$/i;

/** The words of an error that are safe to repeat. */
export interface SafeWords {
  readonly name: string;
  readonly code?: string;
  readonly syscall?: string;
}

function word(source: object, key: string, shape: RegExp): string | undefined {
  try {
    const value: unknown = Reflect.get(source, key);
    return typeof value === 'string' && shape.test(value) ? value : undefined;
  } catch {
    return undefined; // a getter that throws has nothing to say
  }
}

function innerError(error: object): object | undefined {
  const inner: unknown = Reflect.get(error, 'cause');
  if (typeof inner === 'object' && inner !== null) return inner;
  const errors: unknown = Reflect.get(error, 'errors');
  const first: unknown = Array.isArray(errors) ? errors[0] : undefined;
  return typeof first === 'object' && first !== null ? first : undefined;
}

/** An error and the errors it wraps, outermost first. A hostile chain is cut. */
export function errorChain(error: unknown): object[] {
  const chain: object[] = [];
  let current = typeof error === 'object' && error !== null ? error : undefined;
  while (current && chain.length < 8) {
    chain.push(current);
    try {
      current = innerError(current);
    } catch {
      break;
    }
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

/** The words of the innermost error of a chain that has a code; of the outermost where none has. */
export function safeWords(error: unknown): SafeWords {
  const words = errorChain(error).map(wordsOf);
  return words.findLast((link) => link.code !== undefined) ?? words[0] ?? { name: 'Error' };
}

/** `ECONNRESET (read)`: an error in short. */
export function describe({ name, code, syscall }: SafeWords): string {
  return `${code ?? name}${syscall ? ` (${syscall})` : ''}`;
}

/** A cause made anew from words, with nothing behind it. */
export function rebuildError(words: SafeWords, message = describe(words)): Error {
  const rebuilt = new Error(message);
  const hidden = { enumerable: false, configurable: true, writable: true };
  Object.defineProperty(rebuilt, 'name', { value: words.name, ...hidden });
  // Its own stack would point at this line, which explains nothing.
  Object.defineProperty(rebuilt, 'stack', { value: `${words.name}: ${message}`, ...hidden });
  if (words.code) Object.assign(rebuilt, { code: words.code });
  if (words.syscall) Object.assign(rebuilt, { syscall: words.syscall });
  return rebuilt;
}

const longestMessage = 500;
const anyText = /^/;

/** A text, and the forms in which JSON and URLs hold it. */
function formsOf(value: string): string[] {
  const encoded = value.isWellFormed() ? encodeURIComponent(value) : value;
  return [value, JSON.stringify(value).slice(1, -1), encoded, encoded.replaceAll('%20', '+')];
}

/**
 * The rebuilt cause for an error of the caller's own code (a hook, a stream, a file): its message is kept, because the
 * caller wrote it and needs it, but for what is known to be sensitive.
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

/** Every text inside a value, to scrub messages by. Nesting is followed a few levels only: requests are flat. */
export function textsOf(value: unknown, depth = 4): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null || depth === 0 || ArrayBuffer.isView(value)) return [];
  return Object.values(value).flatMap((inner) => textsOf(inner, depth - 1));
}
