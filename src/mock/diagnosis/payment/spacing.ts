import { habits, inStyle, type Row, type Stage } from '../ingredient.js';
import fixes from '../fixes.json' with { type: 'json' };
import type { JsonTree } from '../tree/tree.js';
import { isWritable, writeTree, type Style } from '../tree/write-tree.js';

const lines = (indent: string, colon = ': '): Style => ({ indent, colon });
const singles = (indent: string): Style => ({ ...lines(indent), inlineSingles: true });
const jacksonName = 'indented by 2 spaces, with " : " and arrays on one line (Jackson)';
const jackson: Style = {
  ...lines('  ', ' : '),
  brackets: ['[ ', ' ]'],
  empty: ['{ }', '[ ]'],
  inlineArrays: true,
};

const spacings: readonly Row<Style>[] = [
  [2, 'without white space', {}, 'body-reserialised'],
  [2, 'with a space after each comma and colon', { comma: ', ', colon: ': ' }, 'body-pretty-printed.spaces'],
  [2, 'indented by 2 spaces', lines('  ')],
  [2, 'indented by 4 spaces', lines('    ')],
  [3, 'indented by tabs', lines('\t')],
  [3, jacksonName, jackson, 'body-pretty-printed.jackson'],
  [3, 'indented by 2 spaces, with " : "', lines('  ', ' : ')],
  [3, 'with a space after each colon', { colon: ': ' }, 'body-pretty-printed.spaces'],
  [4, 'with a space after each comma', { comma: ', ' }, 'body-pretty-printed.spaces'],
  [4, 'indented by 1 space', lines(' ')],
  [3, 'indented by 3 spaces (JSON::PP)', lines('   ', ' : ')],
  [4, 'indented by 3 spaces', lines('   ')],
  [4, 'indented by 8 spaces', lines('        ')],
  [4, 'indented by line breaks alone', lines('')],
  [4, 'indented by line breaks alone', lines('', ':')],
  [4, 'indented by 2 spaces, with single members on one line (org.json)', singles('  ')],
  [4, 'indented by 4 spaces, with single members on one line (org.json)', singles('    ')],
];

/** The spacing of a text, or undefined for one that no library has. */
export function spacingOf(text: string, tree: JsonTree): Row<Style> | undefined {
  const isIndented = text.includes('\n');
  const fits = (style: Style) =>
    (style.indent !== undefined) === isIndented && isWritable(tree, style) && writeTree(tree, style) === text;
  return spacings.find(([, , style]) => fits(style));
}

export function spacingStage(sent: Row<Style> | undefined): Stage {
  const sentence = `The signed body is written %; the body that was sent is ${sent?.[1] ?? 'spaced in another way'}.`;
  const others = spacings.filter((spacing) => spacing !== sent);
  return habits(5, 'body-pretty-printed', sentence, inStyle, others).map((each) => {
    return { ...each, fix: [fixes['body-escaped'], String(each.fix)] };
  });
}
