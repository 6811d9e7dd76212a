import { pythonRepr } from '../text/rewrites.js';
import { decoded, isNumber, isScalar, isText, plain, type JsonTree } from './tree.js';

type Pair = readonly [string, string];

/** One way of writing a tree: compact JSON, but for what is given. */
export interface Style {
  /** White space for each level; undefined for a text on one line. */
  readonly indent?: string;
  readonly comma?: string;
  readonly colon?: string;
  readonly braces?: Pair;
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
    const { members, isArray = false } = part;
    const { length } = members;
    const [open, close] = isArray ? brackets : braces;
    if (length === 0) {
      text += empty?.[isArray ? 1 : 0] ?? open + close;
      return;
    }
    const isInlineArray = inlineArrays && isArray;
    const isInline = isInlineArray || (inlineSingles && length === 1);
    const inner = isInline ? depth : depth + 1;
    const between = (isInlineArray ? ', ' : comma) + (isInline ? '' : line(inner));
    text += open + (isInline ? '' : line(inner));
    for (const [index, [key, value]] of members.entries()) {
      if (index > 0) text += between;
      if (!isArray) text += (name ? name(key) : key) + colon;
      write(value, inner);
      if (!isArray && after) text += after(key);
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
  return tree.members.reduce((sum, [, each]) => sum + 8 * depth + whiteSpaceOf(each, depth + 1), 0);
}

/** True where the text in this style has a bounded size. */
export function isWritable(tree: JsonTree, { indent }: Style): boolean {
  return indent === undefined || whiteSpaceOf(tree) <= mostWhiteSpace;
}

const pythonLiterals: Readonly<Record<string, string>> = { true: 'True', false: 'False', null: 'None' };

/** A scalar as Python prints it. */
export function pythonScalar(raw: string): string {
  return isText(raw) ? pythonRepr(decoded(raw), /[\\'"\n\r\t]/g) : (pythonLiterals[raw] ?? raw);
}

/** An exponent of two digits or more, as printf has it. */
export function withTwoDigits(exponential: string): string {
  return exponential.replace(/e([+-])(\d)$/, 'e$10$2');
}

/** As `%v` of Go writes a float64. */
function goFloat(raw: string): string {
  const exponential = withTwoDigits(Number(raw).toExponential());
  const exponent = Number(exponential.split('e')[1]);
  return exponent < 6 && exponent >= -4 ? String(Number(raw)) : exponential;
}

const goScalar = (raw: string) => (raw === 'null' ? '<nil>' : plain(raw));
const rubyScalar = (raw: string) => (raw === 'null' ? 'nil' : raw);
const ruby: Style = { comma: ', ', colon: '=>', scalar: rubyScalar, name: (raw) => `"${decoded(raw)}"` };
const bare: Style = { colon: '', braces: ['', ''], scalar: plain };
const go: Style = { comma: ' ', braces: ['map[', ']'], scalar: goScalar, name: decoded };

/** Ways of writing objects and arrays that are not JSON. */
export const notations = {
  python: { comma: ', ', colon: ': ', scalar: pythonScalar, name: pythonScalar },
  java: { comma: ', ', colon: '=', scalar: plain, name: decoded },
  ruby,
  ruby34: { ...ruby, colon: ' => ' },
  rubySymbols: { ...ruby, name: (raw) => `:${decoded(raw)}` },
  go,
  goFloats: { ...go, scalar: (raw) => (isNumber(raw) ? goFloat(raw) : goScalar(raw)) },
  singleQuotes: {
    scalar: (raw) => (isText(raw) ? pythonScalar(raw) : raw),
    name: (raw) => `'${decoded(raw)}'`,
  },
  /** The canonical string of an upload, and forms. */
  pairs: { ...bare, comma: '&', colon: '=', name: decoded },
  values: { ...bare, name: () => '' },
  xml: { ...bare, comma: '', name: (raw) => `<${decoded(raw)}>`, after: (raw) => `</${decoded(raw)}>` },
} satisfies Record<string, Style>;
