import * as z from 'zod';
import { paymentRequestWireSchema } from '../../../protocol/payment-schema.js';
import { allLanguages, rows, type Row } from '../row.js';
import type { JsonDraft } from './json-draft.js';
import { isObject, isToken, mapTree, plain, quoted, type Token, type Tree } from './json-tree.js';

// Which fields a body has, in which order, under which names.

type Members = readonly (readonly [name: Token, value: Tree])[];
/** Changes the members of an object. `name` names the field that holds it, and is empty for the whole body. */
type MemberChange = (members: Members, name: string) => Members;

/** Changes the objects whose field has such a name. */
function inObjects(change: MemberChange, where = (_name: string) => true): Row<JsonDraft>['change'] {
  const inOne = (part: Tree, name: string) =>
    isObject(part) && where(name) ? Object.fromEntries(change(Object.entries(part), name)) : part;
  return (draft) => ({ ...draft, tree: mapTree(draft.tree, inOne) });
}

const isOuter = (name: string) => name === '';
const isInner = (name: string) => name !== '';

/** The fields of an object, of the items of an array of objects, or of either where it is optional or converted first. */
function shapeOf(schema: unknown): Readonly<Record<string, unknown>> {
  if (schema instanceof z.ZodObject) return schema.shape;
  if (schema instanceof z.ZodOptional) return shapeOf(schema.unwrap());
  if (schema instanceof z.ZodPipe) return shapeOf(schema.out);
  return schema instanceof z.ZodArray ? shapeOf(schema.element) : {};
}

/** The documented fields in the order in which this package's client sends them, by the field that holds them. */
const documented = new Map([
  ['', Object.keys(shapeOf(paymentRequestWireSchema))],
  ...Object.entries(shapeOf(paymentRequestWireSchema)).map(([name, field]) => {
    return [name, Object.keys(shapeOf(field))] as const;
  }),
]);
const sentOrder = (name: string): readonly string[] => documented.get(name) ?? [];

/** The order of the specification's table, in which totalAmount follows price. */
function tableOrder(name: string): readonly string[] {
  const names = sentOrder(name);
  if (!names.includes('totalAmount')) return names;
  const others = names.filter((each) => each !== 'totalAmount');
  return others.toSpliced(others.indexOf('price') + 1, 0, 'totalAmount');
}

export function byUnits(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

const sorted: MemberChange = (members) => members.toSorted(([a], [b]) => byUnits(plain(a), plain(b)));
const byLength: MemberChange = (members) =>
  members.toSorted(([a], [b]) => a.length - b.length || byUnits(a, b));

function inOrderOf(members: Members, names: readonly string[]): Members {
  const place = ([name]: Members[number]) =>
    names.includes(plain(name)) ? names.indexOf(plain(name)) : names.length;
  return members.toSorted((a, b) => place(a) - place(b));
}

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

export const orderRows = rows<JsonDraft>(
  'field-order',
  'The signed body has its fields in another order than the body that was sent: %.',
  [
    ['sorted by name in every object', inObjects(sorted)],
    ['sorted by name, but not inside its objects', inObjects(sorted, isOuter)],
    ['sorted by name inside its objects only', inObjects(sorted, isInner)],
    [
      "in the order of the specification's tables",
      inObjects((members, name) => inOrderOf(members, tableOrder(name))),
    ],
    [
      "in the specification's order, totalAmount last",
      inObjects((members, name) => inOrderOf(members, sentOrder(name))),
    ],
    ['in the order of java.util.HashMap', inObjects(hashMapOrder), { by: 'gson jackson' }],
    [
      'in the order of java.util.HashMap, but not inside its objects',
      inObjects(hashMapOrder, isOuter),
      { by: 'gson jackson' },
    ],
    ['sorted by length, then by name, as databases store JSON', inObjects(byLength)],
  ],
  allLanguages,
);

export const spellings = {
  pascal: (name: string) => name.replace(/^./, (first) => first.toUpperCase()),
  camel: (name: string) =>
    name
      .replace(/^./, (first) => first.toLowerCase())
      .replaceAll(/_(.)/g, (_all, next: string) => next.toUpperCase()),
  snake: (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  lower: (name: string) => name.toLowerCase(),
};

const renamed = (rename: (name: string) => string) =>
  inObjects((members) => members.map(([name, value]) => [quoted(rename(plain(name))), value]));

export const nameRows = rows<JsonDraft>(
  'field-names',
  'The signed body has its field names in %; the names that were sent are others.',
  [
    ['PascalCase (MerchantId)', renamed(spellings.pascal)],
    ['camelCase (merchantId)', renamed(spellings.camel)],
    ['snake_case (merchant_id)', renamed(spellings.snake), { by: 'python ruby jackson gson' }],
    ['lower case (merchantid)', renamed(spellings.lower)],
  ],
  'dotnet go',
);

type Drop = (value: Tree) => boolean;
const isNull: Drop = (value) => value === 'null';
const isEmpty: Drop = (value) =>
  isNull(value) || value === '""' || (!isToken(value) && Object.keys(value).length === 0);
const isFalsy: Drop = (value) => isEmpty(value) || ['false', '0', '"0"'].some((each) => each === value);
const without = (drop: Drop) => (members: Members) => members.filter(([, value]) => !drop(value));

/** Adds the documented fields that are missing with null: where the specification has them, or at the end. */
const withNulls =
  (isAtEnd: boolean): MemberChange =>
  (members, name) => {
    const present = members.map(([key]) => plain(key));
    const missing = sentOrder(name).filter((each) => !present.includes(each));
    const all: Members = [...members, ...missing.map((each) => [quoted(each), 'null'] as const)];
    // Another order of the fields that were sent is another mistake.
    const isInOrder = (names: readonly string[]) =>
      inOrderOf(members, names).every((member, index) => member === members[index]);
    const order = isAtEnd ? undefined : [tableOrder(name), sentOrder(name)].find(isInOrder);
    return order ? inOrderOf(all, order) : all;
  };

export const nullRows = [
  ...rows<JsonDraft>(
    'null-fields-omitted',
    'The signed body leaves out %; they were sent.',
    [
      ['fields whose value is null', inObjects(without(isNull))],
      ['fields whose value is null or empty', inObjects(without(isEmpty))],
      ['outer fields that are empty, null, false or 0 (array_filter)', inObjects(without(isFalsy), isOuter)],
    ],
    'php python jackson gson dotnet',
  ),
  ...rows<JsonDraft>(
    'null-fields-added',
    'The signed body has the optional fields that were not sent, with null as their value%.',
    [
      ['', inObjects(withNulls(false))],
      [', at the end of each object', inObjects(withNulls(true))],
      [', but not inside its objects', inObjects(withNulls(false), isOuter)],
      [', at its end', inObjects(withNulls(true), isOuter)],
    ],
    'jackson dotnet python',
  ),
];

const mostLeftOut = 40;

/** The body without one of its fields, as one that was signed before the field was added. */
export function leftOut(body: Tree): Row<JsonDraft>[] {
  const objects = [['""', body] as const, ...Object.entries(isObject(body) ? body : {})];
  const places = objects.flatMap(([holder, object]) =>
    Object.keys(isObject(object) ? object : {}).map((key) => ({ holder: plain(holder), key })),
  );
  return rows(
    'field-omitted',
    'The signed body has no field %; the body that was sent has one.',
    places.slice(0, mostLeftOut).map(({ holder, key }) => [
      `${holder && `${holder}.`}${plain(key)}`.slice(0, 60),
      inObjects(
        (members) => members.filter(([name]) => name !== key),
        (name) => name === holder,
      ),
    ]),
  );
}
