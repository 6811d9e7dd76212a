import type * as z from 'zod/mini';
import { paymentRequestWireSchema } from '../../../protocol/payment-schema.js';
import { rows, type Row } from '../row.js';
import {
  isObject,
  isToken,
  mapTree,
  plain,
  quoted,
  type JsonDraft,
  type Token,
  type Tree,
} from './json-tree.js';
import { allLanguages } from './signed-texts.js';

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
const documented = (name: string): readonly string[] => tables.get(name) ?? [];

export function byUnits(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

const sorted: MemberChange = (members) => members.toSorted(([a], [b]) => byUnits(plain(a), plain(b)));

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
    ['sorted by name in every object', inObjects(sorted), allLanguages],
    ['sorted by name, but not inside its objects', inObjects(sorted, isOuter), 'php'],
    ['sorted by name inside its objects only', inObjects(sorted, isInner)],
    [
      "in the order of the specification's tables",
      inObjects((members, name) => inOrderOf(members, documented(name))),
      'go',
    ],
    ['in the order of java.util.HashMap', inObjects(hashMapOrder), 'java'],
  ],
);

const pascal: MemberChange = (members) =>
  members.map(([name, value]) => [quoted(plain(name).replace(/^./, (first) => first.toUpperCase())), value]);

export const nameRows = rows<JsonDraft>(
  'field-names',
  'The signed body has its field names in %; the names that were sent are others.',
  [['PascalCase (MerchantId)', inObjects(pascal), 'dotnet']],
);

type Drop = (value: Tree) => boolean;
const isNull: Drop = (value) => value === 'null';
const isEmpty: Drop = (value) =>
  isNull(value) || value === '""' || (!isToken(value) && Object.keys(value).length === 0);
const isFalsy: Drop = (value) => isEmpty(value) || ['false', '0', '"0"'].some((each) => each === value);
const without = (drop: Drop) => (members: Members) => members.filter(([, value]) => !drop(value));

/** Adds the documented fields that are missing, with null, where the specification has them. */
const withNulls: MemberChange = (members, name) => {
  const present = members.map(([key]) => plain(key));
  const missing = documented(name).filter((each) => !present.includes(each));
  // Another order of the fields that were sent is another mistake.
  if (missing.length === 0) return members;
  return inOrderOf([...members, ...missing.map((each) => [quoted(each), 'null'] as const)], documented(name));
};

export const nullRows = [
  ...rows<JsonDraft>('null-fields-omitted', 'The signed body leaves out %; they were sent.', [
    ['fields whose value is null', inObjects(without(isNull)), 'java dotnet'],
    ['fields whose value is null or empty', inObjects(without(isEmpty))],
    [
      'outer fields that are empty, null, false or 0 (array_filter)',
      inObjects(without(isFalsy), isOuter),
      'php',
    ],
  ]),
  ...rows<JsonDraft>(
    'null-fields-added',
    'The signed body has the optional fields that were not sent, with null as their value.',
    [['', inObjects(withNulls), 'java dotnet']],
  ),
];
