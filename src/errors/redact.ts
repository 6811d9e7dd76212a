import { readProperty, valueOf } from '../protocol/untrusted-values.js';
import { toUrl } from '../protocol/urls.js';

// The message and properties of a transport's error can contain the signature, the body or credentials, so only a few short
// words of it are copied.

interface WordShapes {
  readonly name: RegExp;
  readonly code: RegExp;
}

// A secret that is a plain word must not fit. A code may have a slash (ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE), or two words
// (Bun's ConnectionRefused).
const knownShapes: WordShapes = {
  name: /^(?:[A-Z][A-Za-z]{0,40})?(?:Error|Exception)$/,
  code: /^(?:[A-Z][A-Z0-9_/]{0,60}|(?:[A-Z][a-z]{1,20}){2,4})$/,
};
// For the caller's errors, from which sensitive texts are cut.
const callerShapes: WordShapes = { name: /^[A-Z][A-Za-z]{0,40}$/, code: /^[A-Za-z][A-Z0-9a-z_/]{0,60}$/ };
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

const longestMessage = 500;
// A shorter text is part of too many words to be cut out of a message.
const shortestCut = 3;
const anyText = /^/;

/** A text, and its forms in JSON and URLs. */
function formsOf(value: string): string[] {
  const encoded = (['NFC', 'NFD'] as const).map((form) =>
    value.isWellFormed() ? encodeURIComponent(value.normalize(form)) : value,
  );
  return [
    value,
    JSON.stringify(value).slice(1, -1),
    ...encoded,
    ...encoded.map((form) => form.replaceAll('%20', '+')),
  ];
}

const isLong = ({ length }: string) => length >= shortestCut;

function wordsIn(value: string): string[] {
  return value.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}

/** A text in lower case without accents, which makes all spellings equal; `at` has the position of each letter before. */
function fold(text: string): { readonly folded: string; readonly at: readonly number[] } {
  const at: number[] = [];
  let folded = '';
  let from = 0;
  for (const character of text) {
    const base = character.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replace('đ', 'd');
    at.push(...Array.from({ length: base.length }, () => from));
    folded += base;
    from += character.length;
  }
  return { folded, at: [...at, from] };
}

type Range = readonly [from: number, to: number];

const shortWord = /^\p{L}{1,4}$/u;
const inWord = /[\p{L}\p{N}]/u;

/** The places of a folded form in a folded text; a short word is found only alone, not inside another. */
function* placesOf(form: string, text: string): Generator<Range> {
  const isAlone = shortWord.test(form)
    ? (from: number, to: number) => !inWord.test(text[from - 1] ?? '') && !inWord.test(text[to] ?? '')
    : () => true;
  for (let from = text.indexOf(form); from !== -1; from = text.indexOf(form, from + 1)) {
    if (isAlone(from, from + form.length)) yield [from, from + form.length];
  }
}

/** A phone number in any notation: with or without +84 or 0, and grouped. */
function phonePattern(value: string): RegExp | undefined {
  const digits = /^\+?[\d\s().-]+$/.test(value) ? value.replace(/\D/g, '') : '';
  const subscriber = digits.replace(/^(?:(?:00)?84|0)/, '');
  if (subscriber.length < 7) return undefined;
  const gap = String.raw`[\s().-]*`;
  return new RegExp(`(?:\\+?(?:00)?84${gap}|0${gap})?${subscriber.split('').join(gap)}`, 'g');
}

function cut(text: string, ranges: readonly Range[]): string {
  let safe = '';
  let end = 0;
  for (const [from, to] of ranges.toSorted(([a], [b]) => a - b)) {
    if (from >= end) safe += `${text.slice(end, from)}[redacted]`;
    end = Math.max(end, to);
  }
  return safe + text.slice(end);
}

/**
 * The text without sensitive texts in any spelling: another case, composed or decomposed, without accents, a phone number
 * in another notation. Undefined if it has a short one as a word: without every "An" or "7" it could not be read.
 */
function scrub(text: string, sensitive: readonly string[]): string | undefined {
  const { folded, at } = fold(text);
  const forms = new Set(
    sensitive
      .filter(isLong)
      .flatMap(formsOf)
      .map((form) => fold(form).folded),
  );
  const ranges = [...forms]
    .filter(Boolean)
    .flatMap((form) =>
      Array.from(placesOf(form, folded), ([from, to]): Range => [at[from] ?? 0, at[to] ?? text.length]),
    );
  for (const pattern of sensitive.map(phonePattern)) {
    for (const { index, 0: found } of pattern ? text.matchAll(pattern) : [])
      ranges.push([index, index + found.length]);
  }
  const scrubbed = cut(text, ranges);
  const words = new Set(wordsIn(scrubbed.normalize('NFC')));
  const short = sensitive
    .filter((value) => !isLong(value))
    .flatMap(formsOf)
    .flatMap((form) => wordsIn(form.normalize('NFC')));
  return short.some((word) => words.has(word) || words.has(word.toUpperCase())) ? undefined : scrubbed;
}

/** The rebuilt error of the caller's code (a hook, a stream, a file), with its message but without sensitive texts. */
export function callerCause(error: unknown, sensitive: readonly string[]): Error {
  const isClean = (value: string) => scrub(value, sensitive) === value;
  const { name, code, syscall } = safeWords(error, callerShapes);
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

/** The parts of a text that may be quoted alone: the query of a URL, which may have a token, and the fields of JSON. */
function partsOf(value: string): unknown {
  const url = /^[a-z][a-z\d+.-]*:/i.test(value) ? toUrl(value) : undefined;
  if (url) return [url.search.slice(1), url.hash.slice(1), ...url.searchParams.values()].filter(isLong);
  const parsed = valueOf((): unknown => JSON.parse(value));
  return typeof parsed === 'object' ? parsed : undefined;
}

const capitalised = /^\p{Lu}[\p{L}\p{M}'’-]*(?: \p{Lu}[\p{L}\p{M}'’-]*){1,4}$/u;

/** The words of a name, any of which may be quoted alone. */
function nameWords(value: unknown, field = ''): string[] {
  const isName =
    typeof value === 'string' && (/name$/i.test(field) || capitalised.test(value.normalize('NFC')));
  return isName ? wordsIn(value) : [];
}

/** The values of headers, except of one or two characters: they may be credentials. */
export function credentialsIn(headers: Readonly<Record<string, string>>): string[] {
  return Object.values(headers).filter(isLong);
}

/** Every text inside a value, and every long number, which messages must not quote. */
export function textsOf(value: unknown): string[] {
  const texts: string[] = [];
  // The loop also visits values that it adds, each once.
  const inside = new Set([value]);
  for (const inner of inside) {
    if (typeof inner === 'string') {
      texts.push(inner, ...nameWords(inner));
      inside.add(partsOf(inner));
    } else if (typeof inner === 'number' && isLong(String(inner))) {
      texts.push(String(inner));
    } else if (typeof inner === 'object' && inner !== null && !ArrayBuffer.isView(inner)) {
      for (const [field, part] of Object.entries(inner) as [string, unknown][]) {
        inside.add(part);
        texts.push(...nameWords(part, field));
      }
    }
  }
  return texts;
}
