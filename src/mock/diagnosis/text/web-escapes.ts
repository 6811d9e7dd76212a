import { valueOf } from '../../../protocol/untrusted-values.js';
import type { Rewrite } from './rewrites.js';

const component: Rewrite = (text) => encodeURIComponent(text.toWellFormed());
const percent: Rewrite = (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
/** RFC 3986: only letters, digits and -._~ stay. */
const strict: Rewrite = (text) => component(text).replaceAll(/[!'()*]/g, percent);
const plus: Rewrite = (text) => text.replaceAll('%20', '+');
const dotnet: Rewrite = (text) =>
  plus(component(text).replaceAll(/%[0-9A-F]{2}/g, (each) => each.toLowerCase()));
/** Of `application/x-www-form-urlencoded`. */
const form: Rewrite = (text) => new URLSearchParams([['', text]]).toString().slice(1);

/** How languages percent-encode text. */
export const percentEncodings: readonly (readonly [name: string, encode: Rewrite])[] = [
  ['percent-encoded, with %20 for a space', component],
  ['percent-encoded, with + for a space', form],
  ['percent-encoded by RFC 3986, with %20 for a space (rawurlencode)', strict],
  ['percent-encoded, with + for a space (urlencode, quote_plus)', (text) => plus(strict(text))],
  [
    'percent-encoded, with + for a space (urlencode of PHP)',
    (text) => plus(strict(text)).replaceAll('~', '%7E'),
  ],
  ['percent-encoded except for slashes (quote of Python)', (text) => strict(text).replaceAll('%2F', '/')],
  ['percent-encoded in lower case (HttpUtility.UrlEncode)', (text) => dotnet(text).replaceAll('%27', "'")],
  ['percent-encoded as a whole URI (encodeURI)', (text) => encodeURI(text.toWellFormed())],
];

/** The text that percent-encoding stands for; undefined where it is malformed. */
export function percentDecoded(text: string): string | undefined {
  return valueOf(() => decodeURIComponent(text));
}

/** Escapes for HTML: the characters `& < > " '` as these entities, as far as there is one. */
export function htmlEscaped(entities: string): Rewrite {
  const found = entities.split(' ');
  return (text) =>
    text.replaceAll(/["'&<>]/g, (character) => found['&<>"\''.indexOf(character)] ?? character);
}
