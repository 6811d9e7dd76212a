import { createHash } from 'node:crypto';
import { valueOf } from '../../../values/untrusted-values.js';

export type Rewrite = (text: string) => string;

export function inside(start: string, end = start): Rewrite {
  return (text) => start + text + end;
}
export const before = (added: string): Rewrite => inside(added, '');
export const behind = (added: string): Rewrite => inside('', added);

export function replaced(found: RegExp | string, by: string): Rewrite {
  return (text) => text.replaceAll(found, by);
}
export const without = (found: RegExp | string): Rewrite => replaced(found, '');
export const withoutEnds = without(/^[ \t\r\n\f\v\0]+|[ \t\r\n\f\v\0]+$/g);

export function written(encoding: BufferEncoding): Rewrite {
  return (text) => Buffer.from(text).toString(encoding);
}

export function digestOf(algorithm: string, text: string): Buffer {
  return createHash(algorithm).update(text).digest();
}

/** A hash of the text, in the notations in which callers use it as a text. */
export function hashed(algorithm: string): Readonly<Record<'hex' | 'upper-case hex' | 'base64', Rewrite>> {
  return {
    hex: (text) => digestOf(algorithm, text).toString('hex'),
    'upper-case hex': (text) => digestOf(algorithm, text).toString('hex').toUpperCase(),
    base64: (text) => digestOf(algorithm, text).toString('base64'),
  };
}

const pythonEscapes: Readonly<Record<string, string>> = { '\n': 'n', '\r': 'r', '\t': 't', '\\': '\\' };

/** As repr() of Python writes a text whose special characters are these. */
export function pythonRepr(text: string, special: RegExp): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const escaped = text.replaceAll(special, (each) => {
    if (each === "'" || each === '"') return each === quote ? `\\${each}` : each;
    return `\\${pythonEscapes[each] ?? `x${each.charCodeAt(0).toString(16).padStart(2, '0')}`}`;
  });
  return quote + escaped + quote;
}

/** Escapes for HTML: the characters `& < > " '` as these entities, as far as there is one. */
function htmlEscaped(entities: string): Rewrite {
  const found = entities.split(' ');
  return (text) =>
    text.replaceAll(/["'&<>]/g, (character) => found['&<>"\''.indexOf(character)] ?? character);
}

export const component: Rewrite = (text) => encodeURIComponent(text.toWellFormed());
/** RFC 3986: only letters, digits and -._~ stay. */
const strict: Rewrite = (text) =>
  component(text).replaceAll(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
const plus: Rewrite = (text) => strict(text).replaceAll('%20', '+');
const inLowerCase: Rewrite = (text) =>
  component(text)
    .replaceAll(/%[0-9A-F]{2}/g, (escape) => escape.toLowerCase())
    .replaceAll('%20', '+');
/** Of `application/x-www-form-urlencoded`. */
const form: Rewrite = (text) => new URLSearchParams([['', text]]).toString().slice(1);

/** The usual ones first. */
export const percentEncodings: readonly (readonly [name: string, encode: Rewrite])[] = [
  ['percent-encoded, with + for a space (urlencode)', plus],
  ['percent-encoded, with %20 for a space', component],
  ['percent-encoded by RFC 3986, with %20 for a space (rawurlencode)', strict],
  [
    'percent-encoded, with + for a space and %7E (urlencode of PHP)',
    (text) => plus(text).replaceAll('~', '%7E'),
  ],
  ['percent-encoded, with + for a space, but * as it is (URLSearchParams)', form],
  ['percent-encoded except for slashes (quote of Python)', (text) => strict(text).replaceAll('%2F', '/')],
  ['percent-encoded in lower case (HttpUtility.UrlEncode)', inLowerCase],
  ['percent-encoded as a whole URI (encodeURI)', (text) => encodeURI(text.toWellFormed())],
];

export const htmlEscapes = [
  '&amp; &lt; &gt; &quot;',
  '&amp; &lt; &gt; &quot; &#039;',
  '&amp; &lt; &gt; &quot; &#39;',
  '&amp; &lt; &gt;',
].map((entities) => [`escaped for HTML (${entities})`, htmlEscaped(entities)] as const);

/** The text that percent-encoding stands for; undefined where it is malformed. */
export function percentDecoded(text: string): string | undefined {
  return valueOf(() => decodeURIComponent(text));
}
