import { readProperty, valueOf } from '../protocol/records.js';
import { toUrl } from '../protocol/urls.js';

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

function word(source: unknown, key: string, shape: RegExp): string | undefined {
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
export function wordsOf(error: unknown): SafeWords {
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
// A shorter text is part of too many words to be cut out of a message.
const shortestCut = 3;
const anyText = /^/;

/** A text, and its forms in JSON and URLs. */
function formsOf(value: string): string[] {
  const encoded = value.isWellFormed() ? encodeURIComponent(value) : value;
  return [value, JSON.stringify(value).slice(1, -1), encoded, encoded.replaceAll('%20', '+')];
}

const isLong = ({ length }: string) => length >= shortestCut;

function wordsIn(value: string): string[] {
  return value.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}

/**
 * The text without what is sensitive; undefined if it has one of the short texts as a word, because cutting out every
 * "An" or "7" would leave nothing that can be read.
 */
function scrub(text: string, sensitive: readonly string[]): string | undefined {
  const forms = [...new Set(sensitive.flatMap(formsOf))].sort((a, b) => b.length - a.length);
  const scrubbed = forms.filter(isLong).reduce((safe, form) => safe.replaceAll(form, '[redacted]'), text);
  const words = new Set(wordsIn(scrubbed));
  const short = forms.filter((form) => !isLong(form)).flatMap(wordsIn);
  return short.some((word) => words.has(word)) ? undefined : scrubbed;
}

/**
 * The rebuilt cause for an error of the caller's code (a hook, a stream, a file). The caller needs its message, so it is
 * kept, without what is known to be sensitive.
 */
export function callerCause(error: unknown, sensitive: readonly string[]): Error {
  const isClean = (value: string) => scrub(value, sensitive) === value;
  const { name, code, syscall } = safeWords(error);
  const words: SafeWords = {
    name: isClean(name) ? name : 'Error',
    ...(code && isClean(code) && { code }),
    ...(syscall && isClean(syscall) && { syscall }),
  };
  const message = typeof error === 'string' ? error : word(error, 'message', anyText);
  const text = message === undefined ? describe(words) : scrub(message, sensitive);
  const shown = text ?? `${describe(words)}: its message quotes the request and is left out`;
  return rebuildError(words, shown.slice(0, longestMessage));
}

/** What a text is made of that may be quoted alone: the query of a URL, the fields of JSON. */
function partsOf(value: string): unknown {
  const url = /^https?:/i.test(value) ? toUrl(value) : undefined;
  if (url) return [url.search.slice(1), ...url.searchParams.values()].filter(isLong);
  const parsed = valueOf((): unknown => JSON.parse(value));
  return typeof parsed === 'object' ? parsed : undefined;
}

/** The values of headers that may be credentials: not those of one or two characters. */
export function credentialsIn(headers: Readonly<Record<string, string>>): string[] {
  return Object.values(headers).filter(isLong);
}

/** Every text inside a value, and every long number, to scrub messages by. */
export function textsOf(value: unknown): string[] {
  const texts: string[] = [];
  // The loop reaches what it adds, each object once.
  const inside = new Set([value]);
  for (const inner of inside) {
    if (typeof inner === 'string') {
      texts.push(inner);
      inside.add(partsOf(inner));
    } else if (typeof inner === 'number' && isLong(String(inner))) {
      texts.push(String(inner));
    } else if (typeof inner === 'object' && inner !== null && !ArrayBuffer.isView(inner)) {
      for (const part of Object.values(inner) as unknown[]) inside.add(part);
    }
  }
  return texts;
}
