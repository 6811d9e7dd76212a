import { createHash } from 'node:crypto';
import { valueOf } from '../../../values/untrusted-values.js';

export type Rewrite = (text: string) => string;

export function inside(start: string, end = start): Rewrite {
  return (text) => start + text + end;
}
export const before = (added: string): Rewrite => inside(added, '');
export const behind = (added: string): Rewrite => inside('', added);

export function replaced(found: RegExp | string, by: string | Rewrite): Rewrite {
  if (typeof by === 'string') return (text) => text.replaceAll(found, by);
  return (text) => text.replaceAll(found, (each) => by(each));
}
export const without = (found: RegExp | string): Rewrite => replaced(found, '');
export const withoutEnds = without(/^[ \t\r\n\f\v\0]+|[ \t\r\n\f\v\0]+$/g);

export function written(encoding: BufferEncoding): Rewrite {
  return (text) => Buffer.from(text).toString(encoding);
}
export const inLowerCase: Rewrite = (text) => text.toLowerCase();
export const inUpperCase: Rewrite = (text) => text.toUpperCase();
export const inJson: Rewrite = (text) => JSON.stringify(text);

export function normalised(form: 'NFC' | 'NFD' | 'NFKC' | 'NFKD'): Rewrite {
  return (text) => text.normalize(form);
}

export function digestOf(algorithm: string, text: string): Buffer {
  return createHash(algorithm).update(text).digest();
}

/** A hash of the text, in the encodings in which callers take it for a text. */
export function hashed(algorithm: string): Readonly<Record<'hex' | 'upper-case hex' | 'base64', Rewrite>> {
  const hash = (encoding: BufferEncoding) => (text: string) => digestOf(algorithm, text).toString(encoding);
  return {
    hex: hash('hex'),
    'upper-case hex': (text) => inUpperCase(hash('hex')(text)),
    base64: hash('base64'),
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
export function htmlEscaped(entities: string): Rewrite {
  const found = entities.split(' ');
  return replaced(/["'&<>]/g, (character) => found['&<>"\''.indexOf(character)] ?? character);
}

const inTurn =
  (...rewrites: readonly Rewrite[]): Rewrite =>
  (text) =>
    rewrites.reduce((each, rewrite) => rewrite(each), text);

export const component: Rewrite = (text) => encodeURIComponent(text.toWellFormed());
const percent: Rewrite = (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
/** RFC 3986: only letters, digits and -._~ stay. */
const strict = inTurn(component, replaced(/[!'()*]/g, percent));
const plus = replaced('%20', '+');
const dotnet = inTurn(component, replaced(/%[0-9A-F]{2}/g, inLowerCase), plus);
/** Of `application/x-www-form-urlencoded`. */
const form: Rewrite = (text) => new URLSearchParams([['', text]]).toString().slice(1);

export const percentEncodings: readonly (readonly [name: string, encode: Rewrite])[] = [
  ['percent-encoded, with %20 for a space', component],
  ['percent-encoded, with + for a space', form],
  ['percent-encoded by RFC 3986, with %20 for a space (rawurlencode)', strict],
  ['percent-encoded, with + for a space (urlencode, quote_plus)', inTurn(strict, plus)],
  ['percent-encoded, with + for a space (urlencode of PHP)', inTurn(strict, plus, replaced('~', '%7E'))],
  ['percent-encoded except for slashes (quote of Python)', inTurn(strict, replaced('%2F', '/'))],
  ['percent-encoded in lower case (HttpUtility.UrlEncode)', dotnet],
  ['percent-encoded as a whole URI (encodeURI)', (text) => encodeURI(text.toWellFormed())],
];

/** The text that percent-encoding stands for; undefined where it is malformed. */
export function percentDecoded(text: string): string | undefined {
  return valueOf(() => decodeURIComponent(text));
}
