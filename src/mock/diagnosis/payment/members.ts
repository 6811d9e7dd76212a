import { about, mistakes, onTree, type Draft, type Row, type Stage, type TreeChange } from '../ingredient.js';
import { inOrderOf } from '../tree/orders.js';
import {
  decoded,
  isObject,
  isSame,
  isScalar,
  mapObjects,
  quoted,
  valuesOf,
  type JsonMember,
  type JsonObject,
  type JsonTree,
} from '../tree/tree.js';
import type { RefusedRequest } from '../types.js';
import { mapDocumented } from './documented-fields.js';

type Rows = readonly Row<TreeChange>[];

type Drop = (value: JsonTree) => boolean;

const isNull: Drop = (value) => value === 'null';
const isEmpty: Drop = (value) =>
  isNull(value) || value === '""' || (!isScalar(value) && valuesOf(value).length === 0);
const isFalsy: Drop = (value) => isEmpty(value) || value === 'false' || value === '0' || value === '"0"';

const kept = ({ members }: JsonObject, drop: Drop) => ({
  members: members.filter(([, value]) => !drop(value)),
});

function without(drop: Drop): TreeChange {
  return (tree) => mapObjects(tree, (object) => kept(object, drop));
}
const withoutFalsy: TreeChange = (tree) => (isObject(tree) ? kept(tree, isFalsy) : undefined);

const omitted: Rows = [
  [2, 'fields whose value is null', without(isNull)],
  [3, 'fields whose value is null or empty', without(isEmpty)],
  [4, 'outer fields that are empty, null, false or 0 (array_filter)', withoutFalsy],
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
  return isSame(sent, object.members) ? { members } : object;
}

/** Adds the documented fields that are missing, in the objects inside too where it is deep. */
function withMissing(value: string, place: Place, isDeep: boolean): TreeChange {
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

/** A field that callers add for the signature alone. */
function added(name: string, value: string | null): Stage<Draft> {
  const member: JsonMember = [quoted(name), JSON.stringify(value)];
  const put =
    (place: (members: readonly JsonMember[]) => readonly JsonMember[]): TreeChange =>
    (root) =>
      isObject(root) && !root.members.some(([key]) => key === member[0])
        ? { members: place(root.members) }
        : undefined;
  const sentence = 'The signed body has a field % that was not sent.';
  const stage = mistakes('field-added', sentence, onTree, [
    [4, `${name} in the last place`, put((members) => [...members, member])],
    [5, `${name} in the first place`, put((members) => [member, ...members])],
  ]);
  return about(name, stage);
}

/** Fields that only one of the two bodies has. */
export function memberStage(tree: JsonTree | undefined, { merchant, request }: RefusedRequest): Stage<Draft> {
  const dropped = 'The signed body leaves out %; they were sent.';
  const filledIn = 'The signed body has the optional fields that were not sent, with % as their value.';
  const removedOne = 'The signed body has no field %; the body that was sent has one.';
  const signedAlong: readonly (readonly [value: string | null | undefined, ...names: string[]])[] = [
    [request?.requestTime, 'requestTime', 'Request-Time', 'timestamp'],
    [merchant.clientId, 'clientId', 'Client-Id'],
    [merchant.secretKey, 'secretKey', 'secret', 'key'],
    [request?.idempotencyKey, 'idempotencyKey', 'Idempotency-Key'],
    ['', 'signature', 'Signature'],
    [null, 'signature'],
  ];
  return [
    ...mistakes('null-fields-omitted', dropped, onTree, omitted),
    ...mistakes('null-fields-added', filledIn, onTree, missing),
    ...mistakes('field-omitted', removedOne, onTree, leftOut(tree)),
    ...signedAlong.flatMap(([value, ...names]) =>
      value === undefined ? [] : names.flatMap((name) => added(name, value)),
    ),
  ];
}
