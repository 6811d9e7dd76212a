import { about, mistakes, type Draft, type OnTree, type Row, type Stage } from '../ingredient.js';
import { inOrderOf } from '../tree/orders.js';
import {
  decoded,
  isObject,
  isScalar,
  mapObjects,
  quoted,
  type JsonMember,
  type JsonObject,
  type JsonTree,
} from '../tree/tree.js';
import type { RefusedRequest } from '../types.js';
import { mapDocumented } from './documented-fields.js';

type ChangeTree = Parameters<OnTree>[0];
type Rows = readonly Row<ChangeTree>[];

function isEmpty(value: JsonTree): boolean {
  if (isScalar(value)) return value === 'null' || value === '""';
  return (isObject(value) ? value.members : value.items).length === 0;
}

function isFalsy(value: JsonTree): boolean {
  return isEmpty(value) || value === 'false' || value === '0' || value === '"0"';
}

function kept({ members }: JsonObject, drop: (value: JsonTree) => boolean): JsonObject {
  return { members: members.filter(([, value]) => !drop(value)) };
}

type Drop = (value: JsonTree) => boolean;
const without =
  (drop: Drop): ChangeTree =>
  (tree) =>
    mapObjects(tree, (object) => kept(object, drop));
const outerWithout =
  (drop: Drop): ChangeTree =>
  (tree) =>
    isObject(tree) ? kept(tree, drop) : undefined;

const omitted: Rows = [
  [2, 'fields whose value is null', without((value) => value === 'null')],
  [3, 'fields whose value is null or empty', without(isEmpty)],
  [4, 'outer fields that are empty, null, false or 0 (array_filter)', outerWithout(isFalsy)],
];

type Place = 'documented' | 'end';

/** The object with the documented fields that it lacks, in their documented place or at the end. */
function filled(object: JsonObject, names: readonly string[], value: string, place: Place): JsonObject {
  const present = new Set(object.members.map(([name]) => decoded(name)));
  const missing = names.filter((name) => !present.has(name)).map((name): JsonMember => [quoted(name), value]);
  if (missing.length === 0) return object;
  const all = [...object.members, ...missing];
  if (place === 'end') return { members: all };
  const members = inOrderOf(names)(all);
  // Another order of the fields that were sent is another mistake.
  const sent = members.filter(([name]) => present.has(decoded(name)));
  return sent.every((member, index) => member === object.members[index]) ? { members } : object;
}

/** Adds the documented fields that are missing, in the objects inside too where it is deep. */
function withMissing(value: string, place: Place, isDeep: boolean): ChangeTree {
  return (tree) => mapDocumented(tree, (object, names) => filled(object, names, value, place), isDeep);
}

const missing: Rows = [
  [3, 'null', withMissing('null', 'documented', true)],
  [4, 'null', withMissing('null', 'end', true)],
  [4, 'null', withMissing('null', 'documented', false)],
  [4, 'null', withMissing('null', 'end', false)],
  [4, 'an empty string', withMissing('""', 'documented', true)],
  [4, 'an empty string', withMissing('""', 'end', true)],
  [4, 'an empty string', withMissing('""', 'documented', false)],
  [4, 'an empty string', withMissing('""', 'end', false)],
];

const mostLeftOut = 40;

function removed({ members }: JsonObject, [name, inner]: readonly [string, string?]): JsonObject {
  if (inner === undefined) return { members: members.filter(([key]) => key !== name) };
  return {
    members: members.map(([key, value]) =>
      key === name && isObject(value) ? [key, removed(value, [inner])] : [key, value],
    ),
  };
}

/** The body without one of its fields, as one that was signed before the field was added. */
function leftOut(tree: JsonTree | undefined): Rows {
  if (!isObject(tree)) return [];
  const outer = tree.members.map(([name]) => [name] as const);
  const inner = tree.members.flatMap(([name, value]) =>
    isObject(value) ? value.members.map(([key]) => [name, key] as const) : [],
  );
  return [...outer, ...inner]
    .slice(0, mostLeftOut)
    .map((path) => [
      4,
      path.map(decoded).join('.').slice(0, 60),
      (root) => (isObject(root) ? removed(root, path) : undefined),
    ]);
}

/** Fields that callers add for the signature alone. */
function addedFields({
  merchant,
  request,
}: RefusedRequest): readonly (readonly [name: string, value: string])[] {
  const fields: readonly (readonly [value: string | null | undefined, ...names: string[]])[] = [
    [request?.requestTime, 'requestTime', 'Request-Time', 'timestamp'],
    [merchant.clientId, 'clientId', 'Client-Id'],
    [merchant.secretKey, 'secretKey', 'secret', 'key'],
    [request?.idempotencyKey, 'idempotencyKey', 'Idempotency-Key'],
    ['', 'signature', 'Signature'],
    [null, 'signature'],
  ];
  return fields.flatMap(([value, ...names]) =>
    value === undefined ? [] : names.map((name) => [name, JSON.stringify(value)] as const),
  );
}

function added(name: string, value: string): Rows {
  const member: JsonMember = [quoted(name), value];
  const put =
    (place: (members: readonly JsonMember[]) => readonly JsonMember[]): ChangeTree =>
    (root) =>
      isObject(root) && !root.members.some(([key]) => key === member[0])
        ? { members: place(root.members) }
        : undefined;
  return [
    [4, `${name} in the last place`, put((members) => [...members, member])],
    [5, `${name} in the first place`, put((members) => [member, ...members])],
  ];
}

/** Fields that only one of the two bodies has. */
export function memberStage(tree: JsonTree | undefined, refused: RefusedRequest, on: OnTree): Stage<Draft> {
  const dropped = 'The signed body leaves out %; they were sent.';
  const filledIn = 'The signed body has the optional fields that were not sent, with % as their value.';
  const removedOne = 'The signed body has no field %; the body that was sent has one.';
  const addedOne = 'The signed body has a field % that was not sent.';
  return [
    ...mistakes('null-fields-omitted', dropped, on, omitted),
    ...mistakes('null-fields-added', filledIn, on, missing),
    ...mistakes('field-omitted', removedOne, on, leftOut(tree)),
    ...addedFields(refused).flatMap(([name, value]) =>
      about(name, mistakes('field-added', addedOne, on, added(name, value))),
    ),
  ];
}
