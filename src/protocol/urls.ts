// The URL parser drops these silently: the text that would be sent is not the URL that was checked.
const droppedByParser = /^[\p{Cc} ]|[\p{Cc} ]$|[\t\n\r]/u;

/** The URL that a text is, by the parser that fetch uses too; undefined for any other text. */
export function parseUrl(value: string): URL | undefined {
  return droppedByParser.test(value) || !URL.canParse(value) ? undefined : new URL(value);
}

/** Schemes whose URL runs as code, or shows content of its own, where it is opened. */
export const scriptSchemes = ['javascript:', 'data:', 'vbscript:'];

/** True for a text that would run as code where it is opened; white space that a browser drops is dropped here too. */
function isScriptUrl(value: string): boolean {
  return URL.canParse(value) && scriptSchemes.includes(new URL(value).protocol);
}

/** The absolute URL that a text is, for a browser to follow; undefined for a relative one and for a script. */
export function parseLink(value: string): URL | undefined {
  return isScriptUrl(value) ? undefined : parseUrl(value);
}

/** Why an approved answer does not lead to a payment; undefined for one that does. */
export function paymentUrlProblem({ paymentUrl }: Readonly<Record<string, unknown>>): string | undefined {
  if (typeof paymentUrl !== 'string' || paymentUrl === '')
    return 'the answer is APPROVED but has no paymentUrl';
  return isScriptUrl(paymentUrl)
    ? `the answer is APPROVED but its paymentUrl is refused: it is a ${new URL(paymentUrl).protocol} URL`
    : undefined;
}
