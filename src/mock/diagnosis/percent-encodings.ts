/** How languages percent-encode text. */
export interface PercentEncoding {
  readonly name: string;
  readonly encode: (text: string) => string;
}

const component = (text: string) => encodeURIComponent(text.toWellFormed());

function percent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

/** RFC 3986: only letters, digits and -._~ stay. */
const strict = (text: string) => component(text).replaceAll(/[!'()*]/g, percent);
/** Of `application/x-www-form-urlencoded`: a space is a plus sign. */
const form = (text: string) => new URLSearchParams([['', text]]).toString().slice(1);
const lowerCase = (text: string) => text.replaceAll(/%[0-9A-F]{2}/g, (escape) => escape.toLowerCase());

export const percentEncodings: readonly PercentEncoding[] = [
  { name: 'percent-encoded, with %20 for a space', encode: component },
  { name: 'percent-encoded, with + for a space', encode: form },
  { name: 'percent-encoded by RFC 3986, with %20 for a space (rawurlencode)', encode: strict },
  {
    name: 'percent-encoded, with + for a space (urlencode, quote_plus)',
    encode: (text) => strict(text).replaceAll('%20', '+'),
  },
  {
    name: 'percent-encoded, with + for a space (urlencode of PHP)',
    encode: (text) => strict(text).replaceAll('%20', '+').replaceAll('~', '%7E'),
  },
  {
    name: 'percent-encoded except for slashes (quote of Python)',
    encode: (text) => strict(text).replaceAll('%2F', '/'),
  },
  {
    name: 'percent-encoded in lower case (HttpUtility.UrlEncode)',
    encode: (text) => lowerCase(component(text)).replaceAll('%20', '+').replaceAll('%27', "'"),
  },
  { name: 'percent-encoded as a whole URI (encodeURI)', encode: (text) => encodeURI(text.toWellFormed()) },
];

/** The text that percent-encoding stands for; undefined where it is malformed. */
export function percentDecoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
