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

const component: Rewrite = (text) => encodeURIComponent(text.toWellFormed());
/** RFC 3986: only letters, digits and -._~ stay. */
const strict: Rewrite = (text) =>
  component(text).replaceAll(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
export const urlencode: Rewrite = (text) => strict(text).replaceAll('%20', '+');
/** As HttpUtility.UrlEncode of .NET writes it. */
const inLowerCase: Rewrite = (text) =>
  component(text)
    .replaceAll(/%[0-9A-F]{2}/g, (escape) => escape.toLowerCase())
    .replaceAll('%20', '+');

export const percentEncodings: readonly (readonly [name: string, encode: Rewrite, by: string])[] = [
  ['percent-encoded, with + for a space (urlencode)', urlencode, 'php python java go javascript'],
  ['percent-encoded, with %20 for a space', component, 'javascript'],
  ['percent-encoded by RFC 3986, with %20 for a space (rawurlencode)', strict, 'php'],
  ['percent-encoded except for slashes (quote)', (text) => strict(text).replaceAll('%2F', '/'), 'python'],
  ['percent-encoded in lower case (HttpUtility.UrlEncode)', inLowerCase, 'dotnet'],
];
