export type Rewrite = (text: string) => string;

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

/** Percent-encoding that leaves letters, digits and -_. as they are, and of -_.!~*'() those that are none of these marks. */
const percent =
  (marks: RegExp): Rewrite =>
  (text) => {
    const encoded = encodeURIComponent(text.toWellFormed());
    return encoded.replaceAll(marks, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
  };
const plus =
  (encode: Rewrite): Rewrite =>
  (text) =>
    encode(text).replaceAll('%20', '+');

export const rawurlencode = percent(/[!'()*]/g);
export const quotePlus = plus(rawurlencode);
export const urlencode = plus(percent(/[!'()*~]/g));
export const formEncoded = plus(percent(/[!'()~]/g));
const dotnet = plus(percent(/['~]/g));

export const percentEncodings: readonly (readonly [name: string, encode: Rewrite])[] = [
  ['percent-encoded, with + for a space (quote_plus of Python)', quotePlus],
  ['percent-encoded, with + for a space (urlencode of PHP)', urlencode],
  ['percent-encoded, with + for a space (URLEncoder, URLSearchParams)', formEncoded],
  ['percent-encoded with %20 for a space (encodeURIComponent)', percent(/[^\s\S]/g)],
  ['percent-encoded with %20 for a space (rawurlencode)', rawurlencode],
  [
    'percent-encoded except for slashes (quote of Python)',
    (text) => rawurlencode(text).replaceAll('%2F', '/'),
  ],
  [
    'percent-encoded in lower case (HttpUtility.UrlEncode)',
    (text) => dotnet(text).replaceAll(/(?:%[0-9A-F]{2})+/g, (escapes) => escapes.toLowerCase()),
  ],
];
