import { unicodeEscape } from '../../../values/encodings.js';
import type { FixName, Row } from '../row.js';
import { compact, writeTree, type Layout, type Tree } from './json-tree.js';
import type { Text, Write } from './candidates.js';
import type { Rewrite } from './rewrites.js';

// How the languages write the same data: spacing and escapes.

const lines = (indent: string): Layout => ({ indent, colon: ': ' });
const jackson: Layout = { indent: '  ', colon: ' : ', inlineArrays: true };
const onWindows = (layout: Layout): Layout => ({ ...layout, newline: '\r\n' });

const layouts: readonly Layout[] = [
  compact,
  { comma: ', ', colon: ': ' },
  { colon: ': ' },
  lines('  '),
  lines('    '),
  lines('\t'),
  lines(' '),
  jackson,
  onWindows(lines('  ')),
  onWindows(jackson),
];

/** The layout of a text, with any indentation. */
export function layoutOf(text: string, tree: Tree): Layout | undefined {
  const [, newline, indent] = /^[[{](\r?\n)([ \t]+)/.exec(text) ?? [];
  return [...layouts, { ...lines(indent ?? ''), newline }].find((each) => writeTree(tree, each) === text);
}

function describe({ indent, newline, comma, colon, inlineArrays }: Layout): string {
  const spaces = [...(comma ? ['comma'] : []), ...(colon ? ['colon'] : [])].join(' and ');
  if (indent === undefined) return spaces ? `with a space after each ${spaces}` : 'without white space';
  const unit = indent.startsWith('\t') ? 'tab' : 'space';
  return [
    `indented by ${indent.length} ${unit}${indent.length > 1 ? 's' : ''}`,
    ...(inlineArrays ? ['with " : " and arrays on one line (Jackson)'] : []),
    ...(newline === '\r\n' ? ['with CR LF'] : []),
  ].join(', ');
}

function layoutFix({ indent, colon }: Layout): FixName {
  if (indent !== undefined) return 'body-pretty-printed';
  return colon === undefined ? 'body-reserialised' : 'body-pretty-printed.spaces';
}

/** @param inLayout - gives JSON in a layout */
export function layoutRows(
  sent: Layout | undefined,
  isForm: boolean,
  inLayout: (layout: Layout) => Write,
): Row<Write>[] {
  const other = isForm ? 'a form' : `written ${sent ? describe(sent) : 'otherwise'}`;
  const others = layouts.filter((layout) => layout !== sent);
  return others.map((layout) => ({
    fix: layoutFix(layout),
    says: `The signed body is JSON written ${describe(layout)}; the body that was sent is ${other}.`,
    change: () => inLayout(layout),
  }));
}

/** JSON without the escapes that it can do without. */
function unescaped(text: string): string {
  return text.replaceAll(/\\(?:u([0-9a-f]{4})|[\\/])/gi, (escape, digits?: string) => {
    if (digits === undefined) return escape === '\\/' ? '/' : escape;
    const character = String.fromCharCode(parseInt(digits, 16));
    return /["\\\p{Cc}]/u.test(character) ? JSON.stringify(character).slice(1, -1) : character;
  });
}

/** Writes these characters, given as parts of a character class, as \u escapes with such digits. */
function escaped(lower: string, upper = ''): Rewrite {
  const isUpper = new RegExp(`[${upper}]`);
  const marks = lower + upper;
  // A quotation mark that is not escaped is JSON's own.
  const quotation = marks.includes('"') ? '\\\\.|' : '';
  const pattern = new RegExp(`${quotation}[${marks.replace('"', '')}]`, 'g');
  return (text) =>
    unescaped(text).replaceAll(pattern, (found) => {
      const unit = found === '\\"' ? '"' : found;
      if (unit.length > 1) return unit;
      const escape = unicodeEscape(unit);
      return isUpper.test(unit) ? `\\u${escape.slice(2).toUpperCase()}` : escape;
    });
}

const slashed =
  (escapes: Rewrite): Rewrite =>
  (text) =>
    escapes(text).replaceAll('/', '\\/');

const outside = '\u0080-\uffff';
const separators = '\u2028\u2029';
const html = '<>&\'"';
/** JSON with \u escapes for everything outside ASCII. */
export const inAscii = escaped(outside);
export const phpDefault = slashed(inAscii);

/** Narrow ones first, so that none is named for characters that the body does not have. */
const escapings: readonly (readonly [escapes: Rewrite, fix: FixName])[] = [
  [unescaped, 'body-escaped.unicode'],
  [slashed(unescaped), 'body-escaped.slash'],
  [inAscii, 'body-escaped.unicode'],
  [phpDefault, 'body-escaped.unicode'],
  [escaped('', outside), 'body-escaped.jackson'],
  [escaped(`<>&${separators}`), 'body-escaped.html'],
  [escaped(`<>&='${separators}`), 'body-escaped.html'],
  [escaped('', `"&'+<>\`\u007f${outside}`), 'body-escaped.dotnet'],
  // json_encode with JSON_HEX_TAG, _AMP, _APOS and _QUOT, as Symfony has it; the same with the two UNESCAPED flags.
  [slashed(escaped(outside, html)), 'body-escaped.hex'],
  [escaped('', html), 'body-escaped.hex'],
];

/** The escapes in a text that JSON can do without, with an example of each kind. */
function escapesIn(text: string): string {
  const found = new Map<string, string>();
  for (const [escape, digits] of text.matchAll(/\\(?:u([0-9a-f]{4})|.)/gi)) {
    const character = digits === undefined ? escape.slice(1) : String.fromCharCode(parseInt(digits, 16));
    const kind =
      character > '\u007f'
        ? 'characters outside ASCII'
        : digits === undefined && escape !== '\\/'
          ? ''
          : character;
    // An escape with a letter shows whether its digits are in upper case.
    if (kind > ' ' && !/u.*[a-f]/i.test(found.get(kind) ?? '')) found.set(kind, escape);
  }
  const named = [...found].map(([kind, escape]) => `${kind} (${escape})`).sort();
  return named.length > 0 ? named.join(', ') : 'nothing that it need not';
}

/** The white space before JSON, which may have a byte order mark in it. Other texts do not begin so. */
const beforeJson = /^\s*(?=\{\s*["}]|\[)/;

export function escapeRows(sent: string): Row<string, Text>[] {
  return escapings.map(([escapes, fix]) => ({
    fix,
    says: (_before, after) =>
      `The signed body escapes ${escapesIn(String(after))}; the body that was sent escapes ${escapesIn(sent)}.`,
    change(text) {
      const [before] = beforeJson.exec(text) ?? [];
      return before === undefined ? undefined : before + escapes(text.slice(before.length));
    },
  }));
}
