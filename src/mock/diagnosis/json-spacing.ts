import { advice } from './advice.js';
import type { Draft, Ingredient, Stage, Rarity } from './draft.js';
import { isObject, isScalar, type JsonMember, type JsonTree } from './json-tree.js';

/** Where white space stands in JSON. */
export interface Spacing {
  /** As in "The signed body is …". */
  readonly name: string;
  readonly rarity: Rarity;
  /** White space for each level; undefined for JSON on one line. */
  readonly indent?: string;
  readonly comma?: string;
  readonly colon?: string;
  readonly emptyArray?: string;
  readonly emptyObject?: string;
  /** Arrays on the line of their first element, as Jackson has them. */
  readonly inlineArrays?: boolean;
  /** An object with one member on one line, as org.json has it. */
  readonly inlineSingles?: boolean;
  readonly fix: string;
}

const compact: Spacing = {
  name: 'without white space',
  rarity: 2,
  colon: ':',
  fix: advice.compact,
};

/** The ways in which the usual libraries write JSON; compact first. */
const spacings: readonly Spacing[] = [
  compact,
  { name: 'with a space after each comma and colon', rarity: 2, comma: ', ', fix: advice.pythonSpacing },
  { name: 'indented by 2 spaces', rarity: 2, indent: '  ', fix: advice.indentation },
  { name: 'indented by 4 spaces', rarity: 2, indent: '    ', fix: advice.indentation },
  { name: 'indented by tabs', rarity: 3, indent: '\t', fix: advice.indentation },
  {
    name: 'indented by 2 spaces, with " : " and arrays on one line (Jackson)',
    rarity: 3,
    indent: '  ',
    colon: ' : ',
    emptyArray: '[ ]',
    emptyObject: '{ }',
    inlineArrays: true,
    fix: advice.jackson,
  },
  {
    name: 'indented by 2 spaces, with " : "',
    rarity: 3,
    indent: '  ',
    colon: ' : ',
    fix: advice.indentation,
  },
  { name: 'with a space after each colon', rarity: 3, fix: advice.pythonSpacing },
  { name: 'with a space after each comma', rarity: 4, comma: ', ', colon: ':', fix: advice.pythonSpacing },
  { name: 'indented by 1 space', rarity: 4, indent: ' ', fix: advice.indentation },
  {
    name: 'indented by 3 spaces (JSON::PP)',
    rarity: 3,
    indent: '   ',
    colon: ' : ',
    fix: advice.indentation,
  },
  { name: 'indented by 3 spaces', rarity: 4, indent: '   ', fix: advice.indentation },
  { name: 'indented by 8 spaces', rarity: 4, indent: '        ', fix: advice.indentation },
  { name: 'indented by line breaks alone', rarity: 4, indent: '', fix: advice.indentation },
  { name: 'indented by line breaks alone', rarity: 4, indent: '', colon: ':', fix: advice.indentation },
  {
    name: 'indented by 2 spaces, with single members on one line (org.json)',
    rarity: 4,
    indent: '  ',
    inlineSingles: true,
    fix: advice.indentation,
  },
  {
    name: 'indented by 4 spaces, with single members on one line (org.json)',
    rarity: 4,
    indent: '    ',
    inlineSingles: true,
    fix: advice.indentation,
  },
];

function write(tree: JsonTree, spacing: Spacing): string {
  const { indent, comma = ',', colon = ': ', inlineArrays, inlineSingles } = spacing;
  const lines: string[] = [];
  const line = (depth: number) =>
    indent === undefined ? '' : (lines[depth] ??= `\n${indent.repeat(depth)}`);
  let text = '';
  const writeAll = (
    parts: readonly (JsonTree | JsonMember)[],
    separator: string,
    depth: number,
    isInline: boolean,
  ) => {
    let before = isInline ? '' : line(depth);
    const next = separator + before;
    for (const part of parts) {
      text += before;
      before = next;
      if (typeof part === 'string') text += part;
      else if (isMember(part)) {
        text += part[0] + colon;
        writeOne(part[1], depth);
      } else writeOne(part, depth);
    }
  };
  const writeOne = (part: JsonTree, depth: number) => {
    if (isScalar(part)) text += part;
    else if (isObject(part)) {
      const { members } = part;
      const isInline = inlineSingles === true && members.length === 1;
      if (members.length === 0) text += spacing.emptyObject ?? '{}';
      else {
        text += '{';
        writeAll(members, comma, isInline ? depth : depth + 1, isInline);
        text += isInline ? '}' : `${line(depth)}}`;
      }
    } else {
      const { items } = part;
      const isInline = inlineSingles === true && items.length === 1;
      if (items.length === 0) text += spacing.emptyArray ?? '[]';
      else if (inlineArrays) {
        text += '[ ';
        writeAll(items, ', ', depth, true);
        text += ' ]';
      } else {
        text += '[';
        writeAll(items, comma, isInline ? depth : depth + 1, isInline);
        text += isInline ? ']' : `${line(depth)}]`;
      }
    }
  };
  writeOne(tree, 0);
  return text;
}

function isMember(part: Exclude<JsonTree, string> | JsonMember): part is JsonMember {
  return Array.isArray(part);
}

// Far above what any order needs. White space grows with depth: half a megabyte of brackets would become gigabytes.
const deepest = 32;
const mostWhiteSpace = 1024 * 1024;

/** Characters of white space that indenting by 8 adds; infinite for what is nested too deeply. */
function whiteSpaceOf(tree: JsonTree, depth = 1): number {
  if (isScalar(tree)) return 0;
  if (depth > deepest) return Infinity;
  const inner = isObject(tree) ? tree.members.map(([, value]) => value) : tree.items;
  return inner.reduce<number>((sum, each) => sum + 8 * depth + whiteSpaceOf(each, depth + 1), 0);
}

function isWritable(tree: JsonTree, { indent }: Spacing): boolean {
  return indent === undefined || whiteSpaceOf(tree) <= mostWhiteSpace;
}

/** How a text is spaced, or undefined for a way that no library has. */
export function spacingOf(text: string, tree: JsonTree): Spacing | undefined {
  const isIndented = text.includes('\n');
  return spacings.find(
    (spacing) =>
      (spacing.indent !== undefined) === isIndented &&
      isWritable(tree, spacing) &&
      write(tree, spacing) === text,
  );
}

/** Writes changed JSON in the way in which it was sent; undefined where that is no known way. */
export function writtenAs(spacing: Spacing | undefined, tree: JsonTree): string | undefined {
  return spacing && isWritable(tree, spacing) ? write(tree, spacing) : undefined;
}

/** The body written with other white space than was sent. */
export function spacingStage(sent: Spacing | undefined): Stage<Draft> {
  const sentName = sent === undefined ? 'spaced in another way' : sent.name;
  return spacings
    .filter((spacing) => spacing !== sent)
    .map((spacing): Ingredient<Draft> => ({
      id: spacing === compact ? 'body-reserialised' : 'body-pretty-printed',
      rarity: spacing.rarity,
      isHabit: true,
      message: `The signed body is written ${spacing.name}; the body that was sent is ${sentName}.`,
      fix: [advice.signOnce, spacing.fix],
      apply: ({ tree }) => {
        if (tree === undefined || !isWritable(tree, spacing)) return undefined;
        return { text: write(tree, spacing) };
      },
    }));
}
