export type Rewrite = (text: string) => string;

/** Percent-encoding that keeps letters, digits and -_. and, of -_.!~*'(), all but these marks. */
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

export const percentEncodings: readonly (readonly [form: string, name: string, encode: Rewrite])[] = [
  ['quote-plus', 'percent-encoded, with + for a space (quote_plus of Python)', quotePlus],
  ['urlencode', 'percent-encoded, with + for a space (urlencode of PHP)', urlencode],
  ['form', 'percent-encoded, with + for a space (URLEncoder, URLSearchParams)', formEncoded],
  ['component', 'percent-encoded with %20 for a space (encodeURIComponent)', percent(/[^\s\S]/g)],
  ['rawurlencode', 'percent-encoded with %20 for a space (rawurlencode)', rawurlencode],
  [
    'quote',
    'percent-encoded except for slashes (quote of Python)',
    (text) => rawurlencode(text).replaceAll('%2F', '/'),
  ],
  [
    'dotnet',
    'percent-encoded in lower case (HttpUtility.UrlEncode)',
    (text) => dotnet(text).replaceAll(/(?:%[0-9A-F]{2})+/g, (escapes) => escapes.toLowerCase()),
  ],
];

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#039;',
};
const withEntities =
  (characters: RegExp): Rewrite =>
  (text) =>
    text.replaceAll(characters, (character) => entities[character] ?? character);

/** HTML entities, with those for quotation marks and without them. */
export const htmlEncodings: readonly (readonly [form: string, encode: Rewrite])[] = [
  ['html', withEntities(/[&<>]/g)],
  ['html-quotes', withEntities(/[&<>"']/g)],
];
