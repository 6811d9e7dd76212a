import { orUndefined } from '../values/untrusted-values.js';

/** A text as a URL, by the parser that `fetch` uses; undefined for any other text. */
export function toUrl(value: string): URL | undefined {
  // Not URL.canParse: once it is optimised, Node 20 refuses hosts with letters such as "à" (U+0080 to U+00FF).
  return orUndefined(() => new URL(value));
}

// The URL parser drops these silently, so the text that is sent would not be the URL that was checked.
const droppedByParser = /^[\p{Cc} ]|[\p{Cc} ]$|[\t\n\r]/u;

export function parseUrl(value: string): URL | undefined {
  return droppedByParser.test(value) ? undefined : toUrl(value);
}

/** Schemes of URLs that run as code, or are content. */
export const scriptSchemes = ['javascript:', 'data:', 'vbscript:'];

/** An absolute URL that a browser may follow; undefined for any other text. */
export function parseLink(value: string): URL | undefined {
  const url = parseUrl(value);
  return url && !scriptSchemes.includes(url.protocol) ? url : undefined;
}

/** The problem of the paymentUrl of an approved response, or undefined. */
export function paymentUrlProblem({ paymentUrl }: Readonly<Record<string, unknown>>): string | undefined {
  if (typeof paymentUrl !== 'string' || paymentUrl === '')
    return 'the response is APPROVED but has no paymentUrl';
  // As in browsers, white space around it is ignored.
  const { protocol = '' } = toUrl(paymentUrl) ?? {};
  return scriptSchemes.includes(protocol)
    ? `the response is APPROVED but its paymentUrl is refused: it is a ${protocol} URL`
    : undefined;
}

/** Host names of this machine. */
export const loopbackHost = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** True for http to a host that is not loopback. */
export function isInsecure(baseUrl: string): boolean {
  const url = toUrl(baseUrl);
  return url?.protocol === 'http:' && !loopbackHost.test(url.hostname);
}

export const httpUrlRule = 'must be an http or https URL without credentials';

/** True for an http or https URL that names no user. */
export function isHttpUrl(url: URL | undefined): url is URL {
  return url !== undefined && /^https?:/.test(url.protocol) && url.username === '' && url.password === '';
}
