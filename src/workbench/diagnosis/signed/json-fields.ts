import type * as z from 'zod/mini';
import { paymentRequestWireSchema } from '../../../protocol/payment-schema.js';
import { rows, type FixName, type Row } from '../row.js';
import { isObject, isToken, mapTree, plain, quoted, type Token, type Tree } from './json-tree.js';
import type { Rewrite } from './rewrites.js';

// Which fields a body has, in which order, under which names.

export type Members = readonly (readonly [name: Token, value: Tree])[];
/** Changes the members of an object. `path` leads to the object, and is empty for the whole body. */
export type MemberChange = (members: Members, path: string) => Members;

const isSame = (a: Members, b: Members) =>
  a.length === b.length && a.every(([name, value], index) => name === b[index]?.[0] && value === b[index][1]);

/** Changes the objects with this path, or all of them. */
export function inObjects(change: MemberChange, place?: string): (tree: Tree) => Tree {
  const inOne = (part: Tree, path: string) => {
    if (!isObject(part) || (place !== undefined && path !== place)) return part;
    const before = Object.entries(part);
    const after = change(before, path);
    return isSame(before, after) ? part : Object.fromEntries(after);
  };
  return (tree) => mapTree(tree, inOne, place);
}

/** The path of the whole body. */
const whole = '';

/** The fields of an object, of the items of an array of objects, or of either if it is optional or converted first. */
function shapeOf(schema: z.core.$ZodType): z.core.$ZodShape {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === 'object') return def.shape;
  if (def.type === 'optional') return shapeOf(def.innerType);
  return def.type === 'array' ? shapeOf(def.element) : {};
}

/** The fields in the order of the specification's tables, where totalAmount follows price; the schema has it last. */
function tableOrder(schema: z.core.$ZodType): readonly string[] {
  const names = Object.keys(shapeOf(schema));
  const place = names.indexOf('price');
  if (place < 0) return names;
  return names.filter((name) => name !== 'totalAmount').toSpliced(place + 1, 0, 'totalAmount');
}

/** The documented fields by the field that holds them. */
const tables = new Map([
  ['', tableOrder(paymentRequestWireSchema)],
  ...Object.entries(shapeOf(paymentRequestWireSchema)).map(([name, field]) => {
    return [name, tableOrder(field)] as const;
  }),
]);
const documented = (path: string): readonly string[] => tables.get(path) ?? [];

const byUnits = (a: string, b: string) => (a < b ? -1 : Number(a > b));

export const sorted: MemberChange = (members) => members.toSorted(([a], [b]) => byUnits(plain(a), plain(b)));

const inTableOrder: MemberChange = (members, path) => {
  const names = documented(path);
  const place = ([name]: Members[number]) =>
    names.includes(plain(name)) ? names.indexOf(plain(name)) : names.length;
  return members.toSorted((a, b) => place(a) - place(b));
};

/** JSON.stringify(order, Object.keys(order).sort()), whose names hold inside objects too. */
function bySortedNames(tree: Tree): Tree {
  const names = isObject(tree) ? Object.keys(tree).map(plain) : [];
  const listed: MemberChange = (members, path) =>
    sorted(members, path).filter(([name]) => names.includes(plain(name)));
  return inObjects(listed)(tree);
}

export const orderRows: readonly Row<Tree>[] = rows(
  'field-order',
  'The signed body has its fields in another order than the body that was sent: %.',
  [
    ['sorted', 'sorted by name in every object', inObjects(sorted)],
    ['sorted-outside', 'sorted by name, but not inside its objects', inObjects(sorted, whole)],
    ['table', "in the order of the specification's tables", inObjects(inTableOrder)],
    [
      'replacer',
      'sorted by name, and inside its objects only the fields whose names are outer names too (JSON.stringify with an array of names)',
      bySortedNames,
    ],
  ],
);

const rename = (change: Rewrite) =>
  inObjects((members) => members.map(([name, value]) => [quoted(change(plain(name))), value]));

export const nameRows: readonly Row<Tree>[] = rows(
  'field-names',
  'The signed body has its field names in %; the names that were sent are others.',
  [
    [
      'pascal',
      'PascalCase (MerchantId)',
      rename((name) => name.replace(/^./, (first) => first.toUpperCase())),
    ],
    [
      'snake',
      'snake_case (merchant_id)',
      rename((name) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)),
    ],
  ],
);

function pathsIn(tree: Tree): ReadonlySet<string> {
  const paths = new Set<string>();
  mapTree(tree, (part, path) => {
    if (path !== '') paths.add(path);
    return part;
  });
  return paths;
}

const mostNames = 30;

/** The fields of one tree that the other does not have. */
function onlyIn(tree: Tree, other: Tree): string {
  const others = pathsIn(other);
  const names = [...pathsIn(tree)].filter((path) => !others.has(path));
  return [...names.slice(0, mostNames), ...(names.length > mostNames ? ['…'] : [])].join(', ');
}

const omitted = (kind: FixName, form: string, change: Row<Tree>['change'], why = ''): Row<Tree> => ({
  kind,
  form,
  says: (before, after) =>
    `The signed body does not have fields that were sent${why}: ${onlyIn(before, after)}.`,
  change,
});

type Drop = (value: Tree) => boolean;
const isNull: Drop = (value) => value === 'null';
const isEmpty: Drop = (value) =>
  isNull(value) || value === '""' || (!isToken(value) && Object.keys(value).length === 0);
const isFalsy: Drop = (value) => isEmpty(value) || ['false', '0', '"0"'].some((each) => each === value);
const without = (drop: Drop) => (members: Members) => members.filter(([, value]) => !drop(value));

/**
 * Adds the documented fields that are missing, or one of the outer ones, with null: in the documented order, or behind
 * those in another one.
 */
function added(only?: string): Row<Tree> {
  const change: MemberChange = (members, path) => {
    const present = members.map(([name]) => plain(name));
    const missing = documented(path).filter((name) => !present.includes(name) && name === (only ?? name));
    if (missing.length === 0) return members;
    const all = [...members, ...missing.map((name) => [quoted(name), 'null'] as const)];
    return isSame(members, inTableOrder(members, path)) ? inTableOrder(all, path) : all;
  };
  return {
    kind: 'null-fields-added',
    form: only ?? '',
    says: (before, after) =>
      `The signed body has fields with null that were not sent: ${onlyIn(after, before)}.`,
    change: inObjects(change, only === undefined ? undefined : whole),
  };
}

export const nullRows: readonly Row<Tree>[] = [
  omitted('null-fields-omitted', 'null', inObjects(without(isNull)), ' with null'),
  omitted('null-fields-omitted', 'empty', inObjects(without(isEmpty)), ' with null or nothing in them'),
  omitted(
    'null-fields-omitted',
    'falsy',
    inObjects(without(isFalsy), whole),
    ' with null, false, 0 or nothing in them (PHP: array_filter)',
  ),
  added(),
];

const mostFields = 100;

/** Fields that were added after signing, which may be any of those that were sent, or a null that was not sent. */
export function laterRows(tree: Tree): readonly Row<Tree>[] {
  const outer = isObject(tree) ? Object.keys(tree).map(plain) : [];
  const later = (form: string, names: readonly string[], place: string) => {
    const change: MemberChange = (members) => members.filter(([name]) => !names.includes(plain(name)));
    return omitted('field-added-later', form, inObjects(change, place));
  };
  return [
    ...[...pathsIn(tree)].slice(0, mostFields).map((path) => {
      const dot = path.lastIndexOf('.');
      return later(path, [path.slice(dot + 1)], path.slice(0, Math.max(dot, 0)));
    }),
    // Fields that are added to an order are its last ones.
    ...[2, 3, 4].map((count) => later(`last-${count}`, outer.slice(-count), whole)),
    ...documented(whole).map((name) => added(name)),
  ];
}
