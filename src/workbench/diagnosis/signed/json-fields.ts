import type * as z from 'zod/mini';
import { paymentRequestWireSchema } from '../../../protocol/payment-schema.js';
import { rows, type FixName, type Row } from '../row.js';
import {
  isObject,
  isToken,
  mapTree,
  plain,
  quoted,
  withTree,
  type JsonDraft,
  type Token,
  type Tree,
} from './json-tree.js';

// Which fields a body has, in which order, under which names.

type Members = readonly (readonly [name: Token, value: Tree])[];
/** Changes the members of an object. `path` leads to the object, and is empty for the whole body. */
type MemberChange = (members: Members, path: string) => Members;

const isSame = (a: Members, b: Members) =>
  a.length === b.length && a.every(([name, value], index) => name === b[index]?.[0] && value === b[index][1]);

/** Changes the objects with such a path. */
function inObjects(change: MemberChange, where = (_path: string) => true): Row<JsonDraft>['change'] {
  const inOne = (part: Tree, path: string) => {
    if (!isObject(part) || !where(path)) return part;
    const [before, after] = [Object.entries(part), change(Object.entries(part), path)];
    return isSame(before, after) ? part : Object.fromEntries(after);
  };
  return withTree((tree) => mapTree(tree, inOne));
}

const isOuter = (path: string) => path === '';

/** The fields of an object, of the items of an array of objects, or of either where it is optional or converted first. */
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

export function byUnits(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

const sorted: MemberChange = (members) => members.toSorted(([a], [b]) => byUnits(plain(a), plain(b)));

const inTableOrder: MemberChange = (members, path) => {
  const names = documented(path);
  const place = ([name]: Members[number]) =>
    names.includes(plain(name)) ? names.indexOf(plain(name)) : names.length;
  return members.toSorted((a, b) => place(a) - place(b));
};

/** The order of java.util.HashMap, into which the names were put one by one. */
export function hashMapOrder<Value>(
  members: readonly (readonly [string, Value])[],
): readonly (readonly [string, Value])[] {
  let size = 16;
  while (members.length > size * 0.75) size *= 2;
  const bucketOf = (name: string) => {
    const hash = Array.from(name).reduce((sum, unit) => (Math.imul(31, sum) + unit.charCodeAt(0)) | 0, 0);
    return (hash ^ (hash >>> 16)) & (size - 1);
  };
  return members.toSorted(([a], [b]) => bucketOf(plain(a)) - bucketOf(plain(b)));
}

/** JSON.stringify(order, Object.keys(order).sort()), whose names hold inside objects too. */
function bySortedNames(draft: JsonDraft): JsonDraft | undefined {
  const names = isObject(draft.tree) ? Object.keys(draft.tree).map(plain) : [];
  const listed: MemberChange = (members, path) =>
    sorted(members, path).filter(([name]) => names.includes(plain(name)));
  return inObjects(listed)(draft);
}

export const orderRows: readonly Row<JsonDraft>[] = rows(
  'field-order',
  'The signed body has its fields in another order than the body that was sent: %.',
  [
    ['sorted by name in every object', inObjects(sorted)],
    ['sorted by name, but not inside its objects', inObjects(sorted, isOuter)],
    ["in the order of the specification's tables", inObjects(inTableOrder)],
    ['in the order of java.util.HashMap', inObjects(hashMapOrder)],
    [
      'sorted by name, and inside its objects only the fields whose names are outer names too (JSON.stringify with an array of names)',
      bySortedNames,
      'field-order.replacer',
    ],
  ],
);

const rename = (change: (name: string) => string) =>
  inObjects((members) => members.map(([name, value]) => [quoted(change(plain(name))), value]));

export const nameRows: readonly Row<JsonDraft>[] = rows(
  'field-names',
  'The signed body has its field names in %; the names that were sent are others.',
  [
    ['PascalCase (MerchantId)', rename((name) => name.replace(/^./, (first) => first.toUpperCase()))],
    [
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

const omitted = (fix: FixName, change: Row<JsonDraft>['change'], why = ''): Row<JsonDraft> => ({
  fix,
  says: ({ tree }, after) =>
    `The signed body does not have fields that were sent${why}: ${onlyIn(tree, after.tree)}.`,
  change,
});

type Drop = (value: Tree) => boolean;
const isNull: Drop = (value) => value === 'null';
const isEmpty: Drop = (value) =>
  isNull(value) || value === '""' || (!isToken(value) && Object.keys(value).length === 0);
const isFalsy: Drop = (value) => isEmpty(value) || ['false', '0', '"0"'].some((each) => each === value);
const without = (drop: Drop) => (members: Members) => members.filter(([, value]) => !drop(value));

/** Adds the documented fields that are missing, with null: in the documented order, or behind those in another one. */
function added(isMeant = (_path: string) => true): Row<JsonDraft> {
  const change: MemberChange = (members, path) => {
    const present = members.map(([name]) => plain(name));
    const isMissing = (name: string) => !present.includes(name) && isMeant(path ? `${path}.${name}` : name);
    const all = [
      ...members,
      ...documented(path)
        .filter(isMissing)
        .map((name) => [quoted(name), 'null'] as const),
    ];
    return isSame(members, inTableOrder(members, path)) ? inTableOrder(all, path) : all;
  };
  return {
    fix: 'null-fields-added',
    says: ({ tree }, after) =>
      `The signed body has fields with null that were not sent: ${onlyIn(after.tree, tree)}.`,
    change: inObjects(change),
  };
}

export const nullRows: readonly Row<JsonDraft>[] = [
  omitted('null-fields-omitted', inObjects(without(isNull)), ' with null'),
  omitted('null-fields-omitted', inObjects(without(isEmpty)), ' with null or nothing in them'),
  omitted(
    'null-fields-omitted',
    inObjects(without(isFalsy), isOuter),
    ' with null, false, 0 or nothing in them (PHP: array_filter)',
  ),
  added(),
  added((path) => !path.includes('.')),
  added((path) => path.includes('.')),
];

const mostFields = 100;

/** Fields that were added after signing, which may be any of those that were sent, or a null that was not sent. */
export function laterRows(tree: Tree): readonly Row<JsonDraft>[] {
  const outer = isObject(tree) ? Object.keys(tree).map(plain) : [];
  const later = (isMeant: (path: string) => boolean) => {
    const isKept = (name: Token, path: string) => !isMeant(path ? `${path}.${plain(name)}` : plain(name));
    const change = inObjects((members, path) => members.filter(([name]) => isKept(name, path)));
    return omitted('field-added-later', change);
  };
  return [
    ...[...pathsIn(tree)].slice(0, mostFields).map((name) => later((path) => path === name)),
    // Fields that are added to an order are its last ones.
    ...[2, 3, 4].map((count) => later((path) => outer.slice(-count).includes(path))),
    ...documented('').map((name) => added((path) => path === name)),
  ];
}
