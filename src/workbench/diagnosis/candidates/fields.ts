import { namesAt } from '../../../validation/schema-names.js';
import { paymentRequestWireSchema } from '../../../protocol/payment-schema.js';
import { onTree, type Step } from './candidate.js';
import { rowsFor } from '../mistake.js';
import { isObject, isToken, mapTree, plain, quoted, type Token, type Tree } from './tree.js';

// The fields of an object, with their order and their names.

type Members = readonly (readonly [name: Token, value: Tree])[];
/** Changes the members of an object. `path` leads to the object, and is empty for the outer object. */
type MemberChange = (members: Members, path: string) => Members;

const isSame = (a: Members, b: Members) =>
  a.length === b.length && a.every(([name, value], index) => name === b[index]?.[0] && value === b[index][1]);

/** Changes the objects whose path is `place`. Without `place`, changes all objects. */
export function inObjects(change: MemberChange, place?: string): (tree: Tree) => Tree {
  const inOne = (part: Tree, path: string) => {
    if (!isObject(part) || (place !== undefined && path !== place)) return part;
    const before = Object.entries(part);
    const after = change(before, path);
    return isSame(before, after) ? part : Object.fromEntries(after);
  };
  return (tree) => mapTree(tree, inOne, place);
}

/** The path of the outer object. */
export const outer = '';

/** The documented fields of an object, in the order of the specification, in which totalAmount follows price. */
function documented(path: string): readonly string[] {
  const places = path === outer ? [[]] : [[path], [path, 0]];
  const names = places.flatMap((each) => namesAt(paymentRequestWireSchema, each) ?? []);
  if (!names.includes('totalAmount')) return names;
  return names
    .filter((name) => name !== 'totalAmount')
    .toSpliced(names.indexOf('price') + 1, 0, 'totalAmount');
}

/** The members in the order of these names. All other members are last. */
export const inOrderOf =
  (names: readonly string[]): MemberChange =>
  (members) => {
    const place = (name: Token) => (names.includes(plain(name)) ? names.indexOf(plain(name)) : names.length);
    return members.toSorted(([a], [b]) => place(a) - place(b));
  };

export const sorted: MemberChange = (members) =>
  inOrderOf(members.map(([name]) => plain(name)).sort())(members, outer);

const inTableOrder: MemberChange = (members, path) => inOrderOf(documented(path))(members, path);

/** Leaves out the members for which `drop` returns true. */
export const without =
  (drop: (name: string, value: Tree) => boolean): MemberChange =>
  (members) =>
    members.filter(([name, value]) => !drop(plain(name), value));

/** The result of `JSON.stringify(order, Object.keys(order).sort())`. Its names also apply to inner objects. */
function bySortedNames(tree: Tree): Tree {
  const names = isObject(tree) ? Object.keys(tree).map(plain) : [];
  return inObjects((members, path) => without((name) => !names.includes(name))(sorted(members, path), path))(
    tree,
  );
}

export const orderSteps = onTree({
  'field-order.sorted': inObjects(sorted),
  'field-order.sorted-outside': inObjects(sorted, outer),
  'field-order.table': inObjects(inTableOrder),
  'field-order.replacer': bySortedNames,
});

const rename = (change: (name: string) => string) =>
  inObjects((members) => members.map(([name, value]) => [quoted(change(plain(name))), value]));

export const nameSteps = onTree({
  'field-names.pascal': rename((name) => name.replace(/^./, (first) => first.toUpperCase())),
  'field-names.snake': rename((name) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)),
});

function pathsIn(tree: Tree): string[] {
  const paths = new Set<string>();
  mapTree(tree, (part, path) => {
    paths.add(path);
    return part;
  });
  return [...paths].filter((path) => path !== outer);
}

const mostNames = 30;

/** The fields that only one of the two trees contains. */
function differentNames(before: Tree, after: Tree): string {
  const [a, b] = [pathsIn(before), pathsIn(after)];
  const names = [...a.filter((path) => !b.includes(path)), ...b.filter((path) => !a.includes(path))];
  return [...names.slice(0, mostNames), ...(names.length > mostNames ? ['…'] : [])].join(', ');
}

const isEmpty = (value: Tree) =>
  value === 'null' || value === '""' || (!isToken(value) && Object.keys(value).length === 0);
const isFalsy = (value: Tree) => isEmpty(value) || (isToken(value) && ['false', '0', '"0"'].includes(value));

/**
 * Adds missing documented fields with null: at their documented place, or last if the existing fields are in a
 * different order.
 */
const withNulls = (isAdded: (name: string) => boolean, place?: string) =>
  inObjects((members, path) => {
    const present = members.map(([name]) => plain(name));
    const missing = documented(path).filter((name) => !present.includes(name) && isAdded(name));
    const all = [...members, ...missing.map((name) => [quoted(name), 'null'] as const)];
    return isSame(members, inTableOrder(members, path)) ? inTableOrder(all, path) : all;
  }, place);

export const nullSteps = onTree(
  {
    'null-fields-omitted.null': inObjects(without((_name, value) => value === 'null')),
    'null-fields-omitted.empty': inObjects(without((_name, value) => isEmpty(value))),
    'null-fields-omitted.falsy': inObjects(
      without((_name, value) => isFalsy(value)),
      outer,
    ),
    'null-fields-added': withNulls(() => true),
  },
  differentNames,
);

const mostFields = 100;

/** Leaves out one field. */
function withoutField(path: string): (tree: Tree) => Tree {
  const end = path.lastIndexOf('.');
  return inObjects(
    without((name) => name === path.slice(end + 1)),
    path.slice(0, Math.max(end, 0)),
  );
}

/** Steps that leave out one field, as if it was added after signing, and steps that add one field with null. */
export const laterSteps = (tree: Tree): Step[] =>
  onTree(
    {
      ...rowsFor('field-added-later', pathsIn(tree).slice(0, mostFields), withoutField),
      ...rowsFor('null-fields-added', documented(outer), (name) => withNulls((each) => each === name, outer)),
    },
    differentNames,
  );
