import { mistake, type MistakeId } from '../mistake.js';
import type { Step } from './candidate.js';
import { jsonEscapes } from './rewrites.js';
import { isText, plain, quoted, writeTree, type Layout, type Token, type Tree } from './tree.js';

// The white space and escapes with which different languages write the same data as JSON.

const lines = (indent: string): Layout => ({ indent, colon: ': ' });
const jackson: Layout = { indent: '  ', colon: ' : ', inlineArrays: true };

const layouts = {
  compact: {},
  spaced: { comma: ', ', colon: ': ' },
  'spaced.colons': { colon: ': ' },
  'indent-1': lines(' '),
  'indent-2': lines('  '),
  'indent-3': lines('   '),
  'indent-4': lines('    '),
  tabs: lines('\t'),
  jackson,
  'windows-2': { ...lines('  '), newline: '\r\n' },
  'windows-jackson': { ...jackson, newline: '\r\n' },
  // Go's json.Encoder, jq and Python's json.tool end with a line feed.
  encoder: { end: '\n' },
  jq: { ...lines('  '), end: '\n' },
  'json-tool': { ...lines('    '), end: '\n' },
} satisfies Readonly<Record<string, Layout>>;

/** Finds the layout of a text, with any indentation. */
export function layoutOf(text: string, tree: Tree): Layout | undefined {
  const [, newline, indent] = /^[[{](\r?\n)([ \t]+)/.exec(text) ?? [];
  const own = { ...lines(indent ?? ''), newline };
  return [...Object.values<Layout>(layouts), own].find((each) => writeTree(tree, each) === text);
}

/** Describes a layout. */
function describe({ indent, newline, comma, colon, inlineArrays }: Layout): string {
  if (indent === undefined) {
    const spaces = [...(comma ? ['comma'] : []), ...(colon ? ['colon'] : [])].join(' and ');
    return spaces ? `with a space after each ${spaces}` : 'without white space';
  }
  const unit = `${indent.startsWith('\t') ? 'tab' : 'space'}${indent.length > 1 ? 's' : ''}`;
  const ofJackson = inlineArrays ? ', with " : " and arrays on one line (Jackson)' : '';
  return `indented by ${indent.length} ${unit}${ofJackson}${newline === '\r\n' ? ', with CR LF' : ''}`;
}

/** Creates a writer of tokens with these escapes. */
export const tokenWriter =
  (escapes: keyof typeof jsonEscapes) =>
  (raw: Token): Token =>
    isText(raw) ? `"${jsonEscapes[escapes](quoted(plain(raw)).slice(1, -1))}"` : raw;

/** Creates a writer that writes each token once. */
function remembering(write: (raw: Token) => Token): (raw: Token) => Token {
  const written = new Map<Token, Token>();
  return (raw) => {
    const known = written.get(raw) ?? write(raw);
    written.set(raw, known);
    return known;
  };
}

const mostEscapes = 3;

/** The escapes that occur in one text and not in the other text. */
function escapesOnlyIn(text: string, other: string): string {
  const own = text.match(/\\u[0-9a-f]{4}|\\\//gi) ?? [];
  return [...new Set(own)]
    .filter((each) => !other.includes(each))
    .slice(0, mostEscapes)
    .join(', ');
}

function escapesDifference(signed: string, sent: string): string {
  const [own, others] = [escapesOnlyIn(signed, sent), escapesOnlyIn(sent, signed)];
  if (own === '') return `without escaped characters that you sent (${others})`;
  return `with escaped characters (${own}), but you sent ${others === '' ? 'it without them' : `different escapes (${others})`}`;
}

/**
 * The layouts, and the escapes that libraries write in them, with the most likely first. `sent` is the layout of the
 * text that was sent.
 */
const styles: readonly (readonly [keyof typeof layouts | 'sent', ...(keyof typeof jsonEscapes)[]])[] = [
  ['spaced', 'unicode', 'none'],
  ['sent', 'slash', 'unicode', 'php', 'none', 'go', 'dotnet', 'gson', 'newtonsoft', 'jackson'],
  ['indent-4', 'none', 'php', 'unicode', 'slash'],
  ['indent-2', 'none', 'unicode', 'go', 'gson', 'dotnet', 'jackson'],
  ['compact', 'none', 'unicode', 'php', 'slash', 'go', 'dotnet', 'gson', 'newtonsoft', 'jackson'],
  ['tabs', 'none', 'unicode', 'go'],
  ['jackson', 'none', 'jackson'],
  ['windows-2', 'none', 'dotnet', 'newtonsoft'],
  ['windows-jackson', 'none', 'jackson'],
  ['spaced.colons', 'none', 'unicode'],
  ['indent-1', 'none', 'unicode'],
  ['indent-3', 'none', 'unicode'],
  ['encoder', 'go', 'unicode'],
  ['jq', 'none', 'unicode'],
  ['json-tool', 'unicode', 'none'],
];

/**
 * Creates steps that write JSON in a style. Each step is one mistake, because a library writes the white space and the
 * escapes in one call.
 *
 * @param sent - the layout of the text that was sent; undefined if it is none of the known layouts
 * @param frame - puts the white space around the sent body around another body
 */
export function styleSteps(sent: Layout | undefined, frame: (body: string) => string): Step[] {
  const inWords = sent ? describe(sent) : 'in a different way';
  const rows = styles.flatMap(([name, ...escapes]) => {
    const layout: Layout | undefined = name === 'sent' ? sent : layouts[name];
    // A style with a line feed at its end is tried only if the sent body has no white space around it.
    if (!layout || (layout.end && frame('') !== '')) return [];
    return escapes.map((each) => ({ name, layout, escapes: each }));
  });
  return rows.map(({ name, layout, escapes }) => {
    const token = remembering(tokenWriter(escapes));
    const write = (tree: Tree) => writeTree(tree, { ...layout, token });
    const mistakesOf = (tree: Tree) => {
      const { end, ...inside } = layout;
      const [text, plainText] = [write(tree), writeTree(tree, layout)];
      const isLaidOut = !sent || writeTree(tree, sent) !== writeTree(tree, inside);
      const kind = layout.colon === undefined ? 'body-reserialised' : 'body-pretty-printed';
      const says = `${describe(layout)}; the body that was sent is written ${inWords}`;
      const escapesId: MistakeId = `body-escaped.${escapes}`;
      return [
        ...(isLaidOut ? [mistake(`${kind}.${name}`, says)] : []),
        ...(text === plainText ? [] : [mistake(escapesId, escapesDifference(text, plainText))]),
        ...(end ? [mistake('line-breaks.end')] : []),
      ];
    };
    return (candidate) => {
      const { tree } = candidate;
      return candidate.with({ write: (each) => frame(write(each)) }, () => mistakesOf(tree));
    };
  });
}
