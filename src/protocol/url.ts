/** The URL that a text is, by the parser that fetch uses too; undefined for any other text. */
export function toUrl(value: string): URL | undefined {
  // Not URL.canParse: once it is optimised, Node 20 refuses hosts with letters such as "à" (U+0080 to U+00FF).
  try {
    return new URL(value);
  } catch {
    return undefined;
  }
}

// The URL parser drops these silently: the text that would be sent is not the URL that was checked.
const droppedByParser = /^[\p{Cc} ]|[\p{Cc} ]$|[\t\n\r]/u;

/** The URL that a text is exactly, with nothing that a parser would drop. */
export function parseUrl(value: string): URL | undefined {
  return droppedByParser.test(value) ? undefined : toUrl(value);
}
