import { isObject, isScalar, valuesOf, type JsonTree } from './tree.js';

type Pair = readonly [string, string];

/** One way of writing a tree: compact JSON, but for what is given. */
export interface Style {
  /** White space for each level; undefined for a text on one line. */
  readonly indent?: string;
  readonly comma?: string;
  readonly colon?: string;
  /** Around the members of an object. */
  readonly braces?: Pair;
  /** Around the items of an array. */
  readonly brackets?: Pair;
  /** An object and an array without anything inside. */
  readonly empty?: Pair;
  /** Arrays on the line of their first element, as Jackson has them. */
  readonly inlineArrays?: boolean;
  /** An object with one member on one line, as org.json has it. */
  readonly inlineSingles?: boolean;
  readonly scalar?: (raw: string) => string;
  readonly name?: (raw: string) => string;
  /** Text after a value, by the name of its member. */
  readonly after?: (raw: string) => string;
}

/** Writes a tree. */
export function writeTree(tree: JsonTree, style: Style): string {
  const { indent, comma = ',', colon = ':', braces = ['{', '}'], brackets = ['[', ']'], empty } = style;
  const { inlineArrays = false, inlineSingles = false, scalar, name, after } = style;
  const line = (depth: number) => (indent === undefined ? '' : `\n${indent.repeat(depth)}`);
  let text = '';

  const write = (part: JsonTree, depth: number): void => {
    if (isScalar(part)) {
      text += scalar ? scalar(part) : part;
      return;
    }
    const members = isObject(part) ? part.members : undefined;
    const items = isObject(part) ? [] : part.items;
    const [open, close] = members ? braces : brackets;
    const { length } = members ?? items;
    if (length === 0) {
      text += empty?.[members ? 0 : 1] ?? open + close;
      return;
    }
    const isInlineArray = inlineArrays && !members;
    const isInline = isInlineArray || (inlineSingles && length === 1);
    const inner = isInline ? depth : depth + 1;
    const between = (isInlineArray ? ', ' : comma) + (isInline ? '' : line(inner));
    text += open + (isInline ? '' : line(inner));
    for (let index = 0; index < length; index++) {
      if (index > 0) text += between;
      const member = members?.[index];
      if (member) text += (name ? name(member[0]) : member[0]) + colon;
      write(member?.[1] ?? items[index] ?? '', inner);
      if (member && after) text += after(member[0]);
    }
    text += (isInline ? '' : line(depth)) + close;
  };
  write(tree, 0);
  return text;
}

// Far above what any order needs. White space grows with depth: half a megabyte of brackets would become gigabytes.
const deepest = 32;
const mostWhiteSpace = 1024 * 1024;

/** Characters of white space that indenting by 8 adds; infinite for what is nested too deeply. */
function whiteSpaceOf(tree: JsonTree, depth = 1): number {
  if (isScalar(tree)) return 0;
  if (depth > deepest) return Infinity;
  return valuesOf(tree).reduce<number>((sum, each) => sum + 8 * depth + whiteSpaceOf(each, depth + 1), 0);
}

/** True where the text in this style has a bounded size. */
export function isWritable(tree: JsonTree, { indent }: Style): boolean {
  return indent === undefined || whiteSpaceOf(tree) <= mostWhiteSpace;
}
