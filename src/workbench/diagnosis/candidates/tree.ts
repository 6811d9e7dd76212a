import { isJson } from '../../../validation/json-text.js';

/** A string, number or literal exactly as it is written in JSON: `"a\/b"`, `1.50`, `true`. */
export type Token = string;

export interface TreeObject {
  readonly [name: Token]: Tree;
}

/** Parsed JSON. Its tokens, including the names, keep the form in which they were sent. */
export type Tree = Token | readonly Tree[] | TreeObject;

// All limits are far above what any order needs.
export const longestText = 128 * 1024;
const deepest = 32;
const mostWriting = 6e6;
const token = /"(?:[^"\\]|\\.)*"|[^\s[\]{},:"]+/g;

/** The work of writing JSON once, in the units of the search. */
export function writingOf(text: string): number {
  const tokens = text.match(token)?.length ?? 0;
  return 4 * text.length + 60 * tokens + 1500 * (text.match(/[[{]/g)?.length ?? 0);
}

function depthOf(text: string): number {
  let [depth, most] = [0, 0];
  for (const [bracket] of text.replaceAll(token, '').matchAll(/[[\]{}]/g)) {
    depth += bracket === '[' || bracket === '{' ? 1 : -1;
    most = Math.max(most, depth);
  }
  return most;
}

/**
 * Parses JSON into a tree. Returns undefined for a text that is not JSON, that is too long or too deep to be an
 * order, or that contains a name twice.
 */
export function readTree(text: string): Tree | undefined {
  if (text.length > longestText || !isJson(text) || depthOf(text) > deepest) return undefined;
  if (writingOf(text) > mostWriting) return undefined;
  // A token in quotation marks is a string, so JSON.parse does not change it.
  const tree = JSON.parse(text.replaceAll(token, (each) => JSON.stringify(each))) as Tree;
  const withoutSpace = text.replaceAll(/("(?:[^"\\]|\\.)*")|\s+/g, '$1');
  return writeTree(tree) === withoutSpace ? tree : undefined;
}

export const isToken = (tree: Tree): tree is Token => typeof tree === 'string';
export const isArray = (tree: Tree): tree is readonly Tree[] => Array.isArray(tree);
export const isObject = (tree: Tree): tree is TreeObject => !isToken(tree) && !isArray(tree);

export const isText = (raw: Tree): raw is Token => isToken(raw) && raw.startsWith('"');
export const quoted = (text: string): Token => JSON.stringify(text);

/** Returns a string without its quotation marks and escapes, and any other token unchanged. */
export function plain(raw: Token): string {
  if (!isText(raw)) return raw;
  return raw.includes('\\') ? (JSON.parse(raw) as string) : raw.slice(1, -1);
}

type Change = (part: Tree, path: string) => Tree;

/**
 * Returns a copy in which `change` was applied to every part, inner parts first. If nothing changes, it returns the
 * same tree. `path` contains the names that lead to the part, with dots between them. Parts that do not lead to
 * `place` stay unchanged.
 */
export function mapTree(tree: Tree, change: Change, place?: string, path = ''): Tree {
  if (place !== undefined && !place.startsWith(path)) return tree;
  if (isToken(tree)) return change(tree, path);
  const inner = (name: Token) => {
    if (isArray(tree)) return path;
    return path === '' ? plain(name) : `${path}.${plain(name)}`;
  };
  const before: readonly (readonly [Token, Tree])[] = Object.entries(tree);
  const after = before.map(([name, part]) => [name, mapTree(part, change, place, inner(name))] as const);
  if (after.every(([, part], index) => part === before[index]?.[1])) return change(tree, path);
  return change(isArray(tree) ? after.map(([, part]) => part) : Object.fromEntries(after), path);
}

/** One way of writing a tree. Without any member, the layout is compact JSON. */
export interface Layout {
  /** The white space for each level; undefined for a text on one line. */
  readonly indent?: string | undefined;
  readonly newline?: string | undefined;
  readonly comma?: string;
  readonly colon?: string;
  /** True if arrays begin and end on the line of their elements, `[ {` and `} ]`, as Jackson writes them. */
  readonly inlineArrays?: boolean;
  /** True if there are no brackets. */
  readonly bare?: boolean;
  /** The text at the end. */
  readonly end?: string;
  readonly token?: (raw: Token) => string;
}

export function writeTree(tree: Tree, layout: Layout = {}): string {
  const { indent, newline = '\n', comma = ',', colon = ':', inlineArrays = false, end = '' } = layout;
  const { bare = false, token: writeToken = String } = layout;
  const line = (depth: number) => (indent === undefined ? '' : newline + indent.repeat(depth));

  const write = (part: Tree, depth: number): string => {
    if (isToken(part)) return writeToken(part);
    const isInline = inlineArrays && isArray(part);
    const inner = isInline ? depth : depth + 1;
    const [open, close] = bare ? ['', ''] : isArray(part) ? ['[', ']'] : ['{', '}'];
    const written = isArray(part)
      ? part.map((each) => write(each, inner))
      : Object.entries(part).map(([name, value]) => writeToken(name) + colon + write(value, inner));
    if (isInline) return [open, ...(written.length > 0 ? [written.join(', ')] : []), close].join(' ');
    if (written.length === 0) return open + close;
    return open + line(inner) + written.join(comma + line(inner)) + line(depth) + close;
  };
  return write(tree, 0) + end;
}
