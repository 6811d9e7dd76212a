/** A text, number or literal exactly as it is written. */
export type JsonScalar = string;

export interface JsonArray {
  readonly items: readonly JsonTree[];
}

/** Names are as they are written, with their quotes. */
export interface JsonObject {
  readonly members: readonly JsonMember[];
}

export type JsonMember = readonly [name: string, value: JsonTree];

/** JSON whose tokens keep the form in which they were sent. */
export type JsonTree = JsonScalar | JsonArray | JsonObject;

export function isScalar(tree: JsonTree): tree is JsonScalar {
  return typeof tree === 'string';
}

export function isObject(tree: JsonTree | undefined): tree is JsonObject {
  return typeof tree === 'object' && 'members' in tree;
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
    return first === '[' ? readArray(depth) : readObject(depth);
  }

  function readArray(depth: number): JsonTree | undefined {
    const items: JsonTree[] = [];
    if (tokens[position] === ']') return next() && { items };
    do {
      const item = read(depth + 1);
      if (item === undefined) return undefined;
      items.push(item);
    } while (next() === ',');
    return { items };
  }

  function readObject(depth: number): JsonTree | undefined {
    const members: JsonMember[] = [];
    if (tokens[position] === '}') return next() && { members };
    do {
      const name = next();
      position += 1;
      const value = read(depth + 1);
      if (value === undefined) return undefined;
      members.push([name, value]);
    } while (next() === ',');
    return { members };
  }

  return read(1);
}

/** A copy in which every object went through `change`, inner ones first; the same tree where nothing changed. */
export function mapObjects(tree: JsonTree, change: (members: JsonObject) => JsonObject): JsonTree {
  if (isScalar(tree)) return tree;
  if (!isObject(tree)) {
    const items = tree.items.map((item) => mapObjects(item, change));
    return items.every((item, index) => item === tree.items[index]) ? tree : { items };
  }
  const members = tree.members.map((member): JsonMember => {
    const value = mapObjects(member[1], change);
    return value === member[1] ? member : [member[0], value];
  });
  return change(members.every((member, index) => member === tree.members[index]) ? tree : { members });
}

/** A copy in which every scalar went through `change`, which gets the name of its member too. */
export function mapScalars(
  tree: JsonTree,
  change: (raw: string, name: string) => string,
  name = '',
): JsonTree {
  if (isScalar(tree)) return change(tree, name);
  if (isObject(tree)) {
    return {
      members: tree.members.map(([key, value]) => [key, mapScalars(value, change, key.slice(1, -1))]),
    };
  }
  return { items: tree.items.map((item) => mapScalars(item, change, name)) };
}

/** The text that a name or a string stands for. */
export function decoded(raw: string): string {
  return raw.includes('\\') ? (JSON.parse(raw) as string) : raw.slice(1, -1);
}

export function isText(raw: string): boolean {
  return raw.startsWith('"');
}

export function isNumber(raw: string): boolean {
  return /^[-\d]/.test(raw);
}

/** True for JSON that is nested no deeper than this. */
export function isShallow(tree: JsonTree, levels: number): boolean {
  if (isScalar(tree)) return true;
  if (levels === 0) return false;
  const inner = isObject(tree) ? tree.members.map(([, value]) => value) : tree.items;
  return inner.every((each) => isShallow(each, levels - 1));
}
