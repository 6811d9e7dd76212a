import { orUndefined } from '../values/untrusted-values.js';

/** Parses an absolute URL with the URL parser that `fetch` uses; undefined for any other text. */
export function toUrl(value: string): URL | undefined {
  // URL.canParse is not used: once it is optimised, Node 20 refuses hosts with letters such as "à" (U+0080 to U+00FF).
  return orUndefined(() => new URL(value));
}

// The URL parser drops these characters silently, so the text that is sent would differ from the URL that was checked.
const droppedByParser = /^[\p{Cc} ]|[\p{Cc} ]$|[\t\n\r]/u;

/** Parses an absolute URL; undefined also for a text with characters that the parser would drop. */
export function parseUrl(value: string): URL | undefined {
  return droppedByParser.test(value) ? undefined : toUrl(value);
}

/** The schemes of URLs that run code or contain a whole document. */
export const scriptSchemes = ['javascript:', 'data:', 'vbscript:'];

/** Parses an absolute URL that a browser can follow; undefined for any other text. */
export function parseLink(value: string): URL | undefined {
  const url = parseUrl(value);
  return url && !scriptSchemes.includes(url.protocol) ? url : undefined;
}

/**
 * The problem of the paymentUrl of an approved response, or undefined. Only a missing URL and a script URL are
 * problems. Any other text is passed on, because the payment exists, and an error would hide its link from the caller.
 */
export function paymentUrlProblem({ paymentUrl }: Readonly<Record<string, unknown>>): string | undefined {
  if (typeof paymentUrl !== 'string' || paymentUrl === '')
    return 'the response is APPROVED but has no paymentUrl';
  // White space around the URL is ignored, as in browsers.
  const { protocol = '' } = toUrl(paymentUrl) ?? {};
  return scriptSchemes.includes(protocol)
    ? `the response is APPROVED but its paymentUrl is refused: it is a ${protocol} URL`
    : undefined;
}

/** Matches the loopback host names, which mean this machine. */
export const loopbackHost = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** True for http to a host that is not loopback. */
export function isInsecure(baseUrl: string): boolean {
  const url = toUrl(baseUrl);
  return url?.protocol === 'http:' && !loopbackHost.test(url.hostname);
}

export const httpUrlRule = 'must be an http or https URL without credentials';

/** True for an http or https URL without credentials. */
export function isHttpUrl(url: URL | undefined): url is URL {
  return url !== undefined && /^https?:/.test(url.protocol) && url.username === '' && url.password === '';
}
