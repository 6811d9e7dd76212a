import { innerFields, paymentFields } from './documented-fields.js';
import type { Draft, Ingredient, Stage, Rarity } from './draft.js';
import type { OnTree } from './json-members.js';
import {
  decoded,
  isObject,
  isScalar,
  mapObjects,
  type JsonMember,
  type JsonObject,
  type JsonTree,
} from './json-tree.js';

type Order = (members: readonly JsonMember[]) => readonly JsonMember[];

function byName(compare: (a: string, b: string) => number): Order {
  return (members) =>
    members
      .map((member) => [decoded(member[0]), member] as const)
      .sort(([a], [b]) => compare(a, b))
      .map(([, member]) => member);
}

function byBytes(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

const sorted = byName(byBytes);

/** Names that are array indexes come first, as JavaScript and PHP's arrays in JavaScript have them. */
const integersFirst: Order = (members) => {
  const isIndex = ([name]: JsonMember) => /^"(0|[1-9]\d{0,8})"$/.test(name);
  const indexes = members.filter(isIndex).sort(([a], [b]) => Number(decoded(a)) - Number(decoded(b)));
  return [...indexes, ...members.filter((member) => !isIndex(member))];
};

/** The order of java.util.HashMap, into which the members were put one by one. */
const javaHashMap: Order = (members) => {
  let size = 16;
  while (members.length > size * 0.75) size *= 2;
  const bucket = (name: string) => {
    let hash = 0;
    for (const unit of name.split('')) hash = (Math.imul(31, hash) + unit.charCodeAt(0)) | 0;
    return (hash ^ (hash >>> 16)) & (size - 1);
  };
  return members
    .map((member) => [bucket(decoded(member[0])), member] as const)
    .sort(([a], [b]) => a - b)
    .map(([, member]) => member);
};

function inTableOrder(names: readonly string[]): Order {
  const place = (name: string) => (names.includes(name) ? names.indexOf(name) : names.length);
  return byName((a, b) => place(a) - place(b));
}

function isSame(before: readonly JsonMember[], after: readonly JsonMember[]): boolean {
  return before.every((member, index) => member === after[index]);
}

function ordered(order: Order): (object: JsonObject) => JsonObject {
  return (object) => {
    const members = order(object.members);
    return isSame(object.members, members) ? object : { members };
  };
}

/** The order of the specification's tables, in the body and in the objects inside. */
function documented(tree: JsonTree): JsonTree | undefined {
  if (!isObject(tree)) return undefined;
  const inner = (value: JsonTree, order: Order): JsonTree => {
    if (isScalar(value)) return value;
    return isObject(value)
      ? { members: order(value.members) }
      : { items: value.items.map((each) => inner(each, order)) };
  };
  const members = tree.members.map(([name, value]): JsonMember => {
    const names = innerFields.get(decoded(name));
    return [name, names === undefined ? value : inner(value, inTableOrder(names))];
  });
  return { members: inTableOrder(paymentFields)(members) };
}

const fix =
  'Sign the bytes that are sent, without sorting. PHP: no ksort before json_encode. Python: no sort_keys=True. Go: a struct keeps its order, a map is sorted. ' +
  'Java: LinkedHashMap or @JsonPropertyOrder instead of HashMap. Shell: jq without -S.';

/** The body with its fields in another order. */
export function orderStage(sent: JsonTree | undefined, apply: OnTree): Stage<Draft> {
  const order = (
    name: string,
    rarity: Rarity,
    change: (tree: JsonTree) => JsonTree | undefined,
  ): Ingredient<Draft> => ({
    id: 'field-order',
    isHabit: true,
    rarity,
    message: `The signed body has its fields in another order than the body that was sent: ${name}.`,
    fix,
    apply: apply(change),
  });
  const deep = (change: Order) => (tree: JsonTree) => mapObjects(tree, ordered(change));
  const top = (change: Order) => (tree: JsonTree) => (isObject(tree) ? ordered(change)(tree) : undefined);
  return [
    order('sorted by name in every object', 2, deep(sorted)),
    order('sorted by name, but not inside its objects', 2, top(sorted)),
    order("in the order of the specification's tables", 3, documented),
    order('in the order of java.util.HashMap', 3, deep(javaHashMap)),
    order('in the order of java.util.HashMap, but not inside its objects', 4, top(javaHashMap)),
    order(
      'sorted by length, then by name, as databases store JSON',
      4,
      deep(byName((a, b) => a.length - b.length || byBytes(a, b))),
    ),
    order('names that are integers first', 4, deep(integersFirst)),
    order(
      'sorted by name without regard to case',
      4,
      deep(byName((a, b) => byBytes(a.toLowerCase(), b.toLowerCase()))),
    ),
    order('sorted by name, descending', 4, deep(byName((a, b) => byBytes(b, a)))),
    order(
      'reversed',
      4,
      deep((members) => members.toReversed()),
    ),
    // A place in the body that was sent, without other changes to its fields.
    ...moves(sent).map(([name, change]) =>
      order(name, 5, (tree) => (tree === sent ? change(tree) : undefined)),
    ),
  ];
}

type Move = readonly [name: string, change: (tree: JsonTree) => JsonTree | undefined];

const mostMoves = 100;

/** One field in another place: at the start, at the end, or before the one that it follows. */
function moves(sent: JsonTree | undefined): Move[] {
  if (!isObject(sent)) return [];
  const found: Move[] = [];
  const collect = (object: JsonObject, path: string, replace: (changed: JsonObject) => JsonTree) => {
    object.members.forEach((member, index) => {
      const name = path + decoded(member[0]).slice(0, 60);
      const others = object.members.filter((each) => each !== member);
      const move = (place: string, members: readonly JsonMember[]) =>
        found.push([`${name} ${place}`, () => replace({ members })]);
      if (index > 0) move('earlier by one', others.toSpliced(index - 1, 0, member));
      if (index > 1) move('first', [member, ...others]);
      if (index < others.length - 1) move('last', [...others, member]);
    });
  };
  collect(sent, '', (changed) => changed);
  for (const member of sent.members) {
    const [name, value] = member;
    if (!isObject(value)) continue;
    collect(value, `${decoded(name).slice(0, 60)}.`, (changed) => ({
      members: sent.members.map((each) => (each === member ? [name, changed] : each)),
    }));
  }
  return found.slice(0, mostMoves);
}
