import type { TreeChange } from '../ingredient.js';
import {
  decoded,
  isObject,
  isSame,
  isScalar,
  mapTree,
  plain,
  quoted,
  type JsonMember,
  type JsonTree,
} from './tree.js';

type Members = readonly JsonMember[];

export type MemberChange = (members: Members) => Members;

export function outer(change: MemberChange): TreeChange {
  return (tree) => {
    if (!isObject(tree)) return undefined;
    const members = change(tree.members);
    return isSame(members, tree.members) ? tree : { members };
  };
}

export function everywhere(change: MemberChange): (tree: JsonTree) => JsonTree {
  const inOne = outer(change);
  return (tree) => mapTree(tree, (part) => inOne(part) ?? part);
}

/** Changes the value of one member, whose name is as it is written. */
export function at(name: string, change: TreeChange): MemberChange {
  return (members) =>
    members.map((member) => (member[0] === name ? [name, change(member[1]) ?? member[1]] : member));
}

function renamed(rename: (name: string) => string): MemberChange {
  return (members) => members.map(([name, value]) => [quoted(rename(decoded(name))), value]);
}

export const spellings = {
  pascal: renamed((name) => name.replace(/^./, (first) => first.toUpperCase())),
  camel: renamed((name) =>
    name
      .replace(/^./, (first) => first.toLowerCase())
      .replaceAll(/_(.)/g, (_all, next: string) => next.toUpperCase()),
  ),
  snake: renamed((name) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)),
  lower: renamed((name) => name.toLowerCase()),
  upper: renamed((name) => name.toUpperCase()),
} satisfies Record<string, MemberChange>;

export function byBytes(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** Sorted by what is made of each name, once. */
function by<Rank>(rankOf: (name: string) => Rank, compare: (a: Rank, b: Rank) => number): MemberChange {
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
export function inOrderOf(names: readonly string[]): MemberChange {
  return by((name) => (names.includes(name) ? names.indexOf(name) : names.length), byNumber);
}

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
} satisfies Record<string, MemberChange>;
