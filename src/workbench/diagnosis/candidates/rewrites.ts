import { unicodeEscape } from '../../../values/encodings.js';

// The encodings of text in the libraries of different languages.

export type Rewrite = (text: string) => string;

/**
 * Creates a percent-encoding. Like encodeURIComponent, it keeps letters, digits and -_.!~*'(), but it encodes the marks
 * that match `marks`.
 */
const percent =
  (marks: RegExp): Rewrite =>
  (text) =>
    encodeURIComponent(text.toWellFormed()).replaceAll(
      marks,
      (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
    );
const plus =
  (encode: Rewrite): Rewrite =>
  (text) =>
    encode(text).replaceAll('%20', '+');

export const rawurlencode = percent(/[!'()*]/g);
export const quotePlus = plus(rawurlencode);
export const urlencode = plus(percent(/[!'()*~]/g));
export const formEncoded = plus(percent(/[!'()~]/g));
const dotnet = plus(percent(/['~]/g));

export const percentEncodings: readonly (readonly [form: string, encode: Rewrite])[] = [
  ['quote_plus', quotePlus],
  ['urlencode', urlencode],
  ['URLSearchParams', formEncoded],
  ['encodeURIComponent', percent(/[^\s\S]/g)],
  ['rawurlencode', rawurlencode],
  ['quote', (text) => rawurlencode(text).replaceAll('%2F', '/')],
  [
    'HttpUtility.UrlEncode',
    (text) => dotnet(text).replaceAll(/(?:%[0-9A-F]{2})+/g, (escapes) => escapes.toLowerCase()),
  ],
];

const entities = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#039;' };
const withEntities =
  (characters: RegExp): Rewrite =>
  (text) =>
    text.replaceAll(characters, (character) => entities[character as keyof typeof entities]);

/** The HTML entities, with and without the entities for quotation marks. */
export const htmlEncodings: readonly (readonly [form: string, encode: Rewrite])[] = [
  ['html', withEntities(/[&<>]/g)],
  ['html-quotes', withEntities(/[&<>"']/g)],
];

/** Writes the text of a JSON string with \u escapes for these characters, which can include a quotation mark. */
function escaping(characters: string, digits: 'lower' | 'upper' = 'lower'): Rewrite {
  const pattern = new RegExp(characters.includes('"') ? `\\\\"|[${characters}]` : `[${characters}]`, 'g');
  return (text) =>
    text.replaceAll(pattern, (found) => {
      const escape = unicodeEscape(found.slice(-1));
      return digits === 'lower' ? escape : `\\u${escape.slice(2).toUpperCase()}`;
    });
}

const slashed = (text: string) => text.replaceAll('/', '\\/');
const outside = '\u0080-\uffff';
const separators = '\u2028\u2029';
const inAscii = escaping(outside);

/** The escapes with which libraries write JSON strings. */
export const jsonEscapes = {
  none: String,
  slash: slashed,
  unicode: inAscii,
  php: (text) => slashed(inAscii(text)),
  jackson: escaping(outside, 'upper'),
  go: escaping(`<>&${separators}`),
  gson: escaping(`<>&='${separators}`),
  newtonsoft: escaping('<>&\'"'),
  dotnet: escaping(`"&'+<>\`\u007f${outside}`, 'upper'),
} satisfies Readonly<Record<string, Rewrite>>;
