/** A text, number or literal exactly as it is written in JSON. */
export type JsonScalar = string;

/** Names are as they are written, with their quotes; empty for the items of an array. */
export type JsonMember = readonly [name: string, value: JsonTree];

export interface JsonObject {
  readonly members: readonly JsonMember[];
  readonly isArray?: false;
}

export interface JsonArray {
  readonly members: readonly JsonMember[];
  readonly isArray: true;
}

/** JSON whose tokens keep the form in which they were sent. The fields of an upload are an object of texts. */
export type JsonTree = JsonScalar | JsonArray | JsonObject;

export function isScalar(tree: JsonTree | undefined): tree is JsonScalar {
  return typeof tree === 'string';
}

export function isObject(tree: JsonTree | undefined): tree is JsonObject {
  return typeof tree === 'object' && tree.isArray !== true;
}

// Both far above what any order needs; the depth is far below what overflows a stack.
const deepest = 100;
const mostTokens = 20_000;
const token = /[[\]{},:]|"[^"\\]*(?:\\.[^"\\]*)*"|[^\s[\]{},:"]+/g;

/** Reads a text that is known to be JSON; undefined for one that is too deep or too long to be an order. */
export function readTree(text: string): JsonTree | undefined {
  const tokens = text.match(token) ?? [];
  if (tokens.length > mostTokens) return undefined;
  let position = 0;
  const next = () => tokens[position++] ?? '';

  function read(depth: number): JsonTree | undefined {
    const first = next();
    if (first !== '[' && first !== '{') return first;
    if (depth > deepest) return undefined;
    const isArray = first === '[';
    const members: JsonMember[] = [];
    const whole: JsonTree = isArray ? { members, isArray } : { members };
    if (tokens[position] === (isArray ? ']' : '}')) return next() && whole;
    do {
      const name = isArray ? '' : next();
      if (!isArray) position += 1;
      const value = read(depth + 1);
      if (value === undefined) return undefined;
      members.push([name, value]);
    } while (next() === ',');
    return whole;
  }

  return read(1);
}

/**
 * A copy in which every part went through `change`, inner ones first; the same tree where nothing changed. `change` gets
 * the name of the nearest member too.
 */
export function mapTree(
  tree: JsonTree,
  change: (part: JsonTree, name: string) => JsonTree,
  name = '',
): JsonTree {
  if (isScalar(tree)) return change(tree, name);
  const members = tree.members.map((member): JsonMember => {
    const value = mapTree(member[1], change, tree.isArray ? name : member[0].slice(1, -1));
    return value === member[1] ? member : [member[0], value];
  });
  return change(isSame(members, tree.members) ? tree : { ...tree, members }, name);
}

export function isSame<Part>(some: readonly Part[], others: readonly Part[]): boolean {
  return some.length === others.length && some.every((part, index) => part === others[index]);
}

export function mapScalars(tree: JsonTree, change: (raw: string, name: string) => string): JsonTree {
  return mapTree(tree, (part, name) => (isScalar(part) ? change(part, name) : part));
}

export function decoded(raw: string): string {
  return raw.includes('\\') ? (JSON.parse(raw) as string) : raw.slice(1, -1);
}

export function quoted(text: string): string {
  return JSON.stringify(text);
}

export function isText(raw: string): boolean {
  return raw.startsWith('"');
}

export function isNumber(raw: string): boolean {
  return /^[-\d]/.test(raw);
}

/** A text without its quotes, anything else as it is. */
export function plain(raw: string): string {
  return isText(raw) ? decoded(raw) : raw;
}

export function memberOf(tree: JsonTree | undefined, name: string): JsonTree | undefined {
  return isObject(tree) ? tree.members.find(([key]) => key === `"${name}"`)?.[1] : undefined;
}

/** The members of an object, or the items of an array by their indexes. */
export function partsOf(tree: JsonTree): readonly (readonly [name: string, value: JsonTree])[] {
  if (isScalar(tree)) return [];
  return tree.members.map(([name, value], index) => [tree.isArray ? String(index) : decoded(name), value]);
}

export function isShallow(tree: JsonTree, levels: number): boolean {
  return isScalar(tree) || (levels > 0 && tree.members.every(([, each]) => isShallow(each, levels - 1)));
}
