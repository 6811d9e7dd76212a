import {
  decoded,
  isObject,
  isSame,
  isScalar,
  mapObjects,
  plain,
  type JsonMember,
  type JsonObject,
  type JsonTree,
} from './tree.js';

/** Another order of the members of an object. */
export type Order = (members: readonly JsonMember[]) => readonly JsonMember[];

export function byBytes(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** Sorted by what is made of each name, once. */
function by<Rank>(rankOf: (name: string) => Rank, compare: (a: Rank, b: Rank) => number): Order {
  return (members) =>
    members
      .map((member) => [rankOf(decoded(member[0])), member] as const)
      .sort(([a], [b]) => compare(a, b))
      .map(([, member]) => member);
}

const textOf = (value: JsonTree) => (isScalar(value) ? plain(value) : '');
const byNumber = (a: number, b: number) => (a === b ? 0 : a - b);
const asIs = (name: string) => name;

/** The order of a list of names; others follow. */
export function inOrderOf(names: readonly string[]): Order {
  return by((name) => (names.includes(name) ? names.indexOf(name) : names.length), byNumber);
}

/** The bucket of java.util.HashMap with this many places. */
function bucketOf(name: string, size: number): number {
  let hash = 0;
  for (const unit of name.split('')) hash = (Math.imul(31, hash) + unit.charCodeAt(0)) | 0;
  return (hash ^ (hash >>> 16)) & (size - 1);
}

export const orders = {
  sorted: by(asIs, byBytes),
  descending: by(asIs, (a, b) => byBytes(b, a)),
  reversed: (members) => members.toReversed(),
  withoutCase: by((name) => name.toLowerCase(), byBytes),
  /** As databases store JSON. */
  byLength: by(asIs, (a, b) => a.length - b.length || byBytes(a, b)),
  byValue: (members) => members.toSorted(([, a], [, b]) => byBytes(textOf(a), textOf(b))),
  /** Into which the members were put one by one. */
  javaHashMap: (members) => {
    let size = 16;
    while (members.length > size * 0.75) size *= 2;
    return by((name) => bucketOf(name, size), byNumber)(members);
  },
  /** Names that are array indexes come first, as JavaScript and PHP's arrays in JavaScript have them. */
  integersFirst: by((name) => (/^(0|[1-9]\d{0,8})$/.test(name) ? Number(name) : Infinity), byNumber),
} satisfies Record<string, Order>;

/** An object in this order; the same one where that is its order already. */
function reordered(object: JsonObject, order: Order): JsonObject {
  const members = order(object.members);
  return isSame(members, object.members) ? object : { members };
}

/** The outer object in this order. */
export function outer(order: Order): (tree: JsonTree) => JsonTree | undefined {
  return (tree) => (isObject(tree) ? reordered(tree, order) : undefined);
}

/** Every object in this order. */
export function everywhere(order: Order): (tree: JsonTree) => JsonTree {
  return (tree) => mapObjects(tree, (object) => reordered(object, order));
}
