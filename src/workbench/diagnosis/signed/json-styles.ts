import { unicodeEscape } from '../../../values/encodings.js';
import { mistake, type FixName, type Mistake } from '../row.js';
import { draftOf, type Step } from './drafts.js';
import {
  compact,
  isText,
  plain,
  quoted,
  writeTree,
  type Layout,
  type Token,
  type Tree,
} from './json-tree.js';
import type { Rewrite } from './rewrites.js';

// How the languages write the same data: white space and escapes.

const lines = (indent: string): Layout => ({ indent, colon: ': ' });
const jackson: Layout = { indent: '  ', colon: ' : ', inlineArrays: true };
const onWindows = (layout: Layout): Layout => ({ ...layout, newline: '\r\n' });
const ended = (layout: Layout): Layout => ({ ...layout, end: '\n' });

const layouts = {
  compact,
  spaced: { comma: ', ', colon: ': ' },
  colons: { colon: ': ' },
  'indent-1': lines(' '),
  'indent-2': lines('  '),
  'indent-3': lines('   '),
  'indent-4': lines('    '),
  tabs: lines('\t'),
  jackson,
  'windows-2': onWindows(lines('  ')),
  'windows-jackson': onWindows(jackson),
  encoder: ended(compact),
  jq: ended(lines('  ')),
  'json-tool': ended(lines('    ')),
} satisfies Readonly<Record<string, Layout>>;

/** The layout of a text, with any indentation. */
export function layoutOf(text: string, tree: Tree): Layout | undefined {
  const [, newline, indent] = /^[[{](\r?\n)([ \t]+)/.exec(text) ?? [];
  const own = { ...lines(indent ?? ''), newline };
  return [...Object.values<Layout>(layouts), own].find((each) => writeTree(tree, each) === text);
}

/** A layout in words. */
export function describe({ indent, newline, comma, colon, inlineArrays }: Layout): string {
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

/** Writes a string as JSON with \u escapes for the characters of these classes: the digits in lower or in upper case. */
function escaping(lower: string, upper = ''): (raw: Token) => Token {
  const isUpper = new RegExp(`[${upper}]`);
  const isQuotationMark = (lower + upper).includes('"');
  const pattern = new RegExp(`\\\\.|[${lower}${upper}]`, 'g');
  const escape = (found: string) => {
    const unit = found === '\\"' && isQuotationMark ? '"' : found;
    if (unit.length > 1) return unit;
    const written = unicodeEscape(unit);
    return isUpper.test(unit) ? `\\u${written.slice(2).toUpperCase()}` : written;
  };
  return (raw) => (isText(raw) ? `"${quoted(plain(raw)).slice(1, -1).replaceAll(pattern, escape)}"` : raw);
}
const slashed =
  (escapes: Rewrite): Rewrite =>
  (raw) =>
    escapes(raw).replaceAll('/', '\\/');

const outside = '\u0080-\uffff';
const separators = '\u2028\u2029';
/** JSON strings without escapes that they can do without. */
const unescaped: Rewrite = (raw) => (isText(raw) ? quoted(plain(raw)) : raw);
/** JSON strings with \u escapes for everything outside ASCII. */
export const inAscii = escaping(outside);
export const phpDefault = slashed(inAscii);

const escapings: Readonly<Record<string, Rewrite>> = {
  none: unescaped,
  slash: slashed(unescaped),
  unicode: inAscii,
  php: phpDefault,
  jackson: escaping('', outside),
  go: escaping(`<>&${separators}`),
  gson: escaping(`<>&='${separators}`),
  newtonsoft: escaping('<>&\'"'),
  dotnet: escaping('', `"&'+<>\`\u007f${outside}`),
};

/** Layouts and the escapes that libraries write in them; the likely ones first. `sent` is the layout of the body that was sent. */
const styles = {
  inside: [
    ['spaced', 'unicode none'],
    ['sent', 'slash unicode php none go dotnet gson newtonsoft jackson'],
    ['indent-4', 'none php unicode slash'],
    ['indent-2', 'none unicode go gson dotnet jackson'],
    ['compact', 'none unicode php slash go dotnet gson newtonsoft jackson'],
    ['tabs', 'none unicode go'],
    ['jackson', 'none jackson'],
    ['windows-2', 'none dotnet newtonsoft'],
    ['windows-jackson', 'none jackson'],
    ['colons', 'none unicode'],
    ['indent-1', 'none unicode'],
    ['indent-3', 'none unicode'],
  ],
  // json.Encoder of Go, jq and json.tool of Python end with a line feed.
  ended: [
    ['encoder', 'go unicode'],
    ['jq', 'none unicode'],
    ['json-tool', 'unicode none'],
  ],
} as const;

/** The escapes in a text that JSON can do without, one of each kind. */
function escapesIn(text: string): string[] {
  const found = new Map<string, string>();
  for (const [escape, digits] of text.matchAll(/\\(?:u([0-9a-f]{4})|.)/gi)) {
    const character = digits === undefined ? escape.slice(1) : String.fromCharCode(parseInt(digits, 16));
    if (digits === undefined ? character !== '/' : character < ' ') continue;
    const kind = character > '\u007f' ? 'outside ASCII' : character;
    // An escape with a letter shows whether its digits are in upper case.
    if (!/u.*[a-f]/i.test(found.get(kind) ?? '')) found.set(kind, escape);
  }
  return [...found.values()].sort();
}

function escapesDifference(signed: string, sent: string): string {
  const [own, others] = [escapesIn(signed), escapesIn(sent)];
  const escaped = (escapes: readonly string[]) => `escaped characters (${escapes.join(', ')})`;
  if (own.length === 0)
    return `The signed body has no escaped characters; the body that was sent has (${others.join(', ')}).`;
  return `The signed body has ${escaped(own)}; the body that was sent has ${others.length > 0 ? escaped(others) : 'none'}.`;
}

/**
 * The styles, each of which is one mistake: a library makes its white space and its escapes in one call.
 *
 * @param place - inside the text, or with a line feed at its end
 * @param sent - the layout of the text that was sent; undefined if it is in none
 * @param other - the way in which that text is written instead
 * @param frame - puts the white space around the body that was sent around another one
 */
export function styleSteps(
  place: keyof typeof styles,
  sent: Layout | undefined,
  other: string,
  frame: (body: string) => string,
): Step<Tree>[] {
  const rows = styles[place].flatMap(([name, escapes]) => {
    const layout: Layout | undefined = name === 'sent' ? sent : layouts[name];
    return layout === undefined ? [] : escapes.split(' ').map((each) => ({ name, layout, escapes: each }));
  });
  return rows.map(({ name, layout, escapes }) => {
    const written = new Map<Token, Token>();
    const escape = escapings[escapes] ?? unescaped;
    const token = (raw: Token): Token => {
      const known = written.get(raw) ?? escape(raw);
      written.set(raw, known);
      return known;
    };
    const differences = (tree: Tree): Mistake[] => {
      const [plainText, text] = [writeTree(tree, layout), writeTree(tree, { ...layout, token })];
      const isLaidOut =
        sent === undefined || writeTree(tree, sent) !== writeTree(tree, { ...layout, end: '' });
      const says = `The signed body is JSON written ${describe(layout)}; the body that was sent is ${other}.`;
      const end = 'The signed text ends with a line feed (LF) that was not sent.';
      return [
        ...(isLaidOut ? [mistake(layoutFix(layout), name, says)] : []),
        ...(plainText === text ? [] : [mistake('body-escaped', escapes, escapesDifference(text, plainText))]),
        ...(layout.end ? [mistake('line-breaks', 'end', end)] : []),
      ];
    };
    return ({ data }) => {
      const draft = draftOf<Tree>(data, (tree) => frame(writeTree(tree, { ...layout, token })));
      return { draft, mistakes: () => differences(data) };
    };
  });
}
