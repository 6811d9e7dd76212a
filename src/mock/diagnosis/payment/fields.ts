import * as z from 'zod';
import { paymentRequestWireSchema } from '../../../protocol/payment-schema.js';
import { about, habits, mistakes, onTree, type Row, type Stage, type TreeChange } from '../ingredient.js';
import { at, everywhere, inOrderOf, orders, outer, spellings, type MemberChange } from '../tree/members.js';
import { decoded, isObject, isSame, isScalar, quoted, type JsonMember, type JsonTree } from '../tree/tree.js';
import type { RefusedRequest } from '../types.js';

type Rows = readonly Row<TreeChange>[];

/** The fields of an object, of the items of an array of objects, or of either where it is optional or converted first. */
function shapeOf(schema: unknown): Readonly<Record<string, unknown>> {
  if (schema instanceof z.ZodObject) return schema.shape;
  if (schema instanceof z.ZodOptional) return shapeOf(schema.unwrap());
  if (schema instanceof z.ZodPipe) return shapeOf(schema.out);
  return schema instanceof z.ZodArray ? shapeOf(schema.element) : {};
}

/** The order of the specification's table, in which totalAmount follows price; the schema has it last, for the bytes. */
function namesOf(schema: unknown): readonly string[] {
  const names = Object.keys(shapeOf(schema));
  if (!names.includes('totalAmount')) return names;
  const others = names.filter((name) => name !== 'totalAmount');
  return others.toSpliced(others.indexOf('price') + 1, 0, 'totalAmount');
}

const outerFields = namesOf(paymentRequestWireSchema);
/** The fields of the objects inside, by the name of the field that holds them. */
const innerFields = new Map(
  Object.entries(shapeOf(paymentRequestWireSchema)).map(([name, field]) => [name, namesOf(field)] as const),
);

type Change = (members: readonly JsonMember[], names: readonly string[]) => readonly JsonMember[];

/** Changes the documented objects of a body, with their documented fields in the order of the tables. */
function inDocumented(change: Change, isDeep = true): TreeChange {
  const inner = (tree: JsonTree, names: readonly string[]): JsonTree => {
    if (isScalar(tree) || names.length === 0) return tree;
    if (isObject(tree)) return { members: change(tree.members, names) };
    return { ...tree, members: tree.members.map(([name, each]): JsonMember => [name, inner(each, names)]) };
  };
  const deep = (members: readonly JsonMember[]) =>
    members.map(([name, value]): JsonMember => [name, inner(value, innerFields.get(decoded(name)) ?? [])]);
  return outer((members) => change(isDeep ? deep(members) : members, outerFields));
}

interface Place {
  readonly path: string;
  readonly member: JsonMember;
  readonly index: number;
  readonly length: number;
  /** Changes the members among which it is. */
  readonly beside: (change: MemberChange) => TreeChange;
}

function placesOf(body: JsonTree | undefined): readonly Place[] {
  const nameOf = ([name]: JsonMember) => decoded(name).slice(0, 60);
  const within = (object: JsonTree | undefined, path: string, beside: Place['beside']) =>
    (isObject(object) ? object.members : []).map((member, index, { length }): Place => {
      return { path: path + nameOf(member), member, index, length, beside };
    });
  const places = within(body, '', outer);
  const inner = places.flatMap(({ path, member: [name, value] }) =>
    within(value, `${path}.`, (change) => outer(at(name, outer(change)))),
  );
  return [...places, ...inner];
}

type Drop = (value: JsonTree) => boolean;

const isNull: Drop = (value) => value === 'null';
const isEmpty: Drop = (value) =>
  isNull(value) || value === '""' || (!isScalar(value) && value.members.length === 0);
const isFalsy: Drop = (value) => isEmpty(value) || value === 'false' || value === '0' || value === '"0"';

function without(drop: Drop): MemberChange {
  return (members) => members.filter(([, value]) => !drop(value));
}

const omitted: Rows = [
  [2, 'fields whose value is null', everywhere(without(isNull))],
  [3, 'fields whose value is null or empty', everywhere(without(isEmpty))],
  [4, 'outer fields that are empty, null, false or 0 (array_filter)', outer(without(isFalsy))],
];

/** Adds the documented fields that are missing, in the objects inside too where it is deep. */
function withMissing(value: string, place: 'documented' | 'end', isDeep: boolean): TreeChange {
  return inDocumented((members, names) => {
    const present = new Set(members.map(([name]) => decoded(name)));
    const missing = names.filter((name) => !present.has(name));
    const all = [...members, ...missing.map((name): JsonMember => [quoted(name), value])];
    if (place === 'end') return all;
    const ordered = inOrderOf(names)(all);
    // Another order of the fields that were sent is another mistake.
    const sent = ordered.filter(([name]) => present.has(decoded(name)));
    return missing.length > 0 && isSame(sent, members) ? ordered : members;
  }, isDeep);
}

function filledIn(what: string, value: string): Rows {
  return [
    [value === 'null' ? 3 : 4, what, withMissing(value, 'documented', true)],
    [4, what, withMissing(value, 'end', true)],
    [4, what, withMissing(value, 'documented', false)],
    [4, what, withMissing(value, 'end', false)],
  ];
}

const mostLeftOut = 40;

/** The body without one of its fields, as one that was signed before the field was added. */
function leftOut(body: JsonTree | undefined): Rows {
  return placesOf(body)
    .slice(0, mostLeftOut)
    .map(({ path, member: [name], beside }) => {
      return [4, path, beside((members) => members.filter(([key]) => key !== name))];
    });
}

/** A field that callers add for the signature alone. */
function added(name: string, value: string | null | undefined): Stage {
  if (value === undefined) return [];
  const member: JsonMember = [quoted(name), JSON.stringify(value)];
  const put = (place: MemberChange) =>
    outer((members) => (members.some(([key]) => key === member[0]) ? members : place(members)));
  const sentence = 'The signed body has a field % that was not sent.';
  const stage = mistakes('field-added', sentence, onTree, [
    [4, `${name} in the last place`, put((members) => [...members, member])],
    [5, `${name} in the first place`, put((members) => [member, ...members])],
  ]);
  return about(name, stage);
}

/** Fields that only one of the two bodies has. */
export function memberStage(body: JsonTree | undefined, { merchant, request }: RefusedRequest): Stage {
  const dropped = 'The signed body leaves out %; they were sent.';
  const given = 'The signed body has the optional fields that were not sent, with % as their value.';
  const removedOne = 'The signed body has no field %; the body that was sent has one.';
  const all = (names: string, value: string | null | undefined) =>
    names.split(' ').flatMap((name) => added(name, value));
  return [
    ...mistakes('null-fields-omitted', dropped, onTree, omitted),
    ...mistakes('null-fields-added', given, onTree, filledIn('null', 'null')),
    ...mistakes('null-fields-added', given, onTree, filledIn('an empty string', '""')),
    ...mistakes('field-omitted', removedOne, onTree, leftOut(body)),
    ...all('requestTime Request-Time timestamp', request?.requestTime),
    ...all('clientId Client-Id', merchant.clientId),
    ...all('secretKey secret key', merchant.secretKey),
    ...all('idempotencyKey Idempotency-Key', request?.idempotencyKey),
    ...all('signature Signature', ''),
    ...all('signature', null),
  ];
}

const mostMoves = 100;

/** One field of the body that was sent in another place: earlier by one, at the start, or at the end. */
function moves(sent: JsonTree | undefined): Rows {
  const all = placesOf(sent).flatMap(({ path, member, index, length, beside }): Rows => {
    const to = (place: number, words: string): Row<TreeChange> => {
      const move = beside((members) => members.filter((each) => each !== member).toSpliced(place, 0, member));
      // Only where no other field has been changed.
      return [5, `${path} ${words}`, (tree) => (tree === sent ? move(tree) : undefined)];
    };
    return [
      ...(index > 0 ? [to(index - 1, 'earlier by one')] : []),
      ...(index > 1 ? [to(0, 'first')] : []),
      ...(index < length - 2 ? [to(length - 1, 'last')] : []),
    ];
  });
  return all.slice(0, mostMoves);
}

export function orderStage(sent: JsonTree | undefined): Stage {
  const sentence = 'The signed body has its fields in another order than the body that was sent: %.';
  const documented = inDocumented((members, names) => inOrderOf(names)(members));
  return habits(5, 'field-order', sentence, onTree, [
    [2, 'sorted by name in every object', everywhere(orders.sorted)],
    [2, 'sorted by name, but not inside its objects', outer(orders.sorted)],
    [3, "in the order of the specification's tables", documented],
    [3, 'in the order of java.util.HashMap', everywhere(orders.javaHashMap)],
    [4, 'in the order of java.util.HashMap, but not inside its objects', outer(orders.javaHashMap)],
    [4, 'sorted by length, then by name, as databases store JSON', everywhere(orders.byLength)],
    [4, 'names that are integers first', everywhere(orders.integersFirst)],
    [4, 'sorted by name without regard to case', everywhere(orders.withoutCase)],
    [4, 'sorted by name, descending', everywhere(orders.descending)],
    [4, 'reversed', everywhere(orders.reversed)],
    ...moves(sent),
  ]);
}

const names = 'The signed body has its field names in %; the names that were sent are others.';

export const nameStage = habits(5, 'field-names', names, onTree, [
  [3, 'PascalCase (MerchantId)', everywhere(spellings.pascal)],
  [4, 'camelCase (merchantId)', everywhere(spellings.camel)],
  [4, 'snake_case (merchant_id)', everywhere(spellings.snake)],
  [4, 'lower case (merchantid)', everywhere(spellings.lower)],
]);
