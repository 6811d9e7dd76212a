import { jsonIn } from '../values/untrusted-values.js';
import { toUrl } from '../protocol/urls.js';
import { callerShapes, describe, rebuildError, safeWords, word, type SafeWords } from './safe-words.js';

const longestMessage = 500;
// A search in a longer text would take noticeable time.
const longestRead = 64 * 1024;
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

/** A text in lower case without accents, which makes all spellings equal. */
function folded(text: string): string {
  const base = text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  // A sigma at the end of a word has a form of its own.
  return base.replaceAll('đ', 'd').replaceAll('ς', 'σ');
}

/** The same, with the position that each letter had before. */
function fold(text: string): { readonly folded: string; readonly at: readonly number[] } {
  const at: number[] = [];
  const letters: string[] = [];
  let from = 0;
  for (const character of text) {
    const letter = folded(character);
    at.push(...Array.from({ length: letter.length }, () => from));
    letters.push(letter);
    from += character.length;
  }
  return { folded: letters.join(''), at: [...at, from] };
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
function phonePattern(value: string): string | undefined {
  const digits = /^\+?[\d\s().-]+$/.test(value) ? value.replace(/\D/g, '') : '';
  const subscriber = digits.replace(/^(?:(?:00)?84|0)/, '');
  if (subscriber.length < 7) return undefined;
  const gap = String.raw`[\s().-]*`;
  return `(?:\\+?(?:00)?84${gap}|0${gap})?${subscriber.split('').join(gap)}`;
}

const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');

/** A date DD-MM-YYYY in any order, its month a number or a word, in folded text; its year in two digits only if separated. */
function datePattern(value: string): string | undefined {
  if (!/^\d\d-\d\d-\d{4}$/.test(value)) return undefined;
  const [day = '', month = '', year = ''] = value.split('-');
  // A 5 alone, not the one of 15.
  const [d, number] = [day, month].map((part) => part.replace(/^0(\d)/, String.raw`(?:0$1|(?<!\d)$1(?!\d))`));
  const m = `(?:${number}|${months[Number(month) - 1] ?? number}[a-z]{0,6})`;
  const inOrders = (y: string, gap: string) => [[d, m, y], [m, d, y], [y, m, d]].map((parts) => parts.join(gap)); // prettier-ignore
  const short = inOrders(year.slice(2), '[ ./-]').map((pattern) => String.raw`(?<!\d)${pattern}(?!\d)`);
  const anyGap = String.raw`(?:[^a-z\d]|%2f|st|nd|rd|th|of|t|thg|thang|nam)*`;
  return [...inOrders(year, anyGap), ...short].join('|');
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
 * Gives a text without sensitive texts in any spelling: another case, composed or decomposed, without accents, a phone
 * number or a date in another notation. Undefined if a sensitive text of one or two letters is a word of it: with every
 * "An" or "7" cut out, it could not be read.
 */
function scrubber(sensitive: readonly string[]): (text: string) => string | undefined {
  const long = new Set(sensitive.filter(isLong).flatMap(formsOf));
  const forms = new Set(Array.from(long, folded).filter(Boolean));
  const patterns = sensitive
    .flatMap((value) => [phonePattern(value), datePattern(value)])
    .filter((pattern) => pattern !== undefined)
    .map((pattern) => new RegExp(pattern, 'g'));
  const short = sensitive
    .filter((value) => !isLong(value))
    .flatMap(formsOf)
    .flatMap((form) => wordsIn(form.normalize('NFC')));
  return (text) => {
    const { folded: letters, at } = fold(text);
    const ranges = Array.from(forms).flatMap((form) =>
      Array.from(placesOf(form, letters), ([from, to]): Range => [at[from] ?? 0, at[to] ?? text.length]),
    );
    for (const pattern of patterns) {
      for (const { index, 0: found } of letters.matchAll(pattern)) {
        ranges.push([at[index] ?? 0, at[index + found.length] ?? text.length]);
      }
    }
    const scrubbed = cut(text, ranges);
    const words = new Set(wordsIn(scrubbed.normalize('NFC')));
    return short.some((word) => words.has(word) || words.has(word.toUpperCase())) ? undefined : scrubbed;
  };
}

/** The rebuilt error of the caller's code (a hook, a stream, a file), with its message but without sensitive texts. */
export function callerCause(error: unknown, sensitive: readonly string[]): Error {
  const scrub = scrubber(sensitive);
  const isClean = (value: string) => scrub(value) === value;
  const { name, code, syscall } = safeWords(error, callerShapes);
  const words: SafeWords = {
    name: isClean(name) ? name : 'Error',
    ...(code && isClean(code) && { code }),
    ...(syscall && isClean(syscall) && { syscall }),
  };
  const message = typeof error === 'string' ? error : word(error, 'message', anyText);
  if (message === undefined) return rebuildError(words);
  const leftOut = (why: string) => `${describe(words)}: its message ${why} and is left out`;
  // A cut could end within a sensitive text.
  const isTooLong = message.length > longestRead;
  const shown = isTooLong ? leftOut('is too long') : (scrub(message) ?? leftOut('quotes the request'));
  return rebuildError(words, shown.slice(0, longestMessage));
}

/** The parts of a text that may be quoted alone: the query of a URL, which may have a token, and the fields of JSON. */
function partsOf(value: string): unknown {
  const url = toUrl(value);
  if (url) return [url.search.slice(1), url.hash.slice(1), ...url.searchParams.values()].filter(isLong);
  const parsed = jsonIn(value);
  return typeof parsed === 'object' ? parsed : undefined;
}

const capitalised = /^\p{Lu}[\p{L}\p{M}'’-]*(?: \p{Lu}[\p{L}\p{M}'’-]*){1,4}$/u;

/** The words of a name, any of which may be quoted alone. */
function nameWords(value: unknown, field = ''): string[] {
  const isName =
    typeof value === 'string' && (/name$/i.test(field) || capitalised.test(value.normalize('NFC')));
  return isName ? wordsIn(value) : [];
}

const shortestToken = 8;

/** The values of headers, which may be credentials, whole and in parts: the token after `Bearer`, the password of `Basic`. */
export function credentialsIn(headers: Readonly<Record<string, string>>): string[] {
  return Object.values(headers).flatMap((value) => {
    const [, basic = ''] = /Basic +(\S+)/i.exec(value) ?? [];
    const pair = Buffer.from(basic, 'base64').toString();
    const tokens = value.split(/[\s,;="]/).filter(({ length }) => length >= shortestToken);
    return [value, ...tokens, basic, pair, pair.slice(pair.indexOf(':') + 1)].filter(isLong);
  });
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
