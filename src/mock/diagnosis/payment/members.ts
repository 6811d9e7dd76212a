import { about, mistakes, onTree, type Row, type Stage, type TreeChange } from '../ingredient.js';
import { at, everywhere, inOrderOf, outer, type MemberChange } from '../tree/members.js';
import {
  decoded,
  isObject,
  isSame,
  isScalar,
  quoted,
  valuesOf,
  type JsonMember,
  type JsonTree,
} from '../tree/tree.js';
import type { RefusedRequest } from '../types.js';
import { inDocumented } from './documented-fields.js';

type Rows = readonly Row<TreeChange>[];

type Drop = (value: JsonTree) => boolean;

const isNull: Drop = (value) => value === 'null';
const isEmpty: Drop = (value) =>
  isNull(value) || value === '""' || (!isScalar(value) && valuesOf(value).length === 0);
const isFalsy: Drop = (value) => isEmpty(value) || value === 'false' || value === '0' || value === '"0"';

function without(drop: Drop): MemberChange {
  return (members) => members.filter(([, value]) => !drop(value));
}

const omitted: Rows = [
  [2, 'fields whose value is null', everywhere(without(isNull))],
  [3, 'fields whose value is null or empty', everywhere(without(isEmpty))],
  [4, 'outer fields that are empty, null, false or 0 (array_filter)', outer(without(isFalsy))],
];

type Place = 'documented' | 'end';

/** Adds the documented fields that are missing, in the objects inside too where it is deep. */
function withMissing(value: string, place: Place, isDeep: boolean): TreeChange {
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

const withoutField =
  (name: string): MemberChange =>
  (members) =>
    members.filter(([key]) => key !== name);

/** The body without one of its fields, as one that was signed before the field was added. */
function leftOut(tree: JsonTree | undefined): Rows {
  const members = isObject(tree) ? tree.members : [];
  const inner = members.flatMap(([name, value]) =>
    isObject(value)
      ? value.members.map(
          ([key]) => [`${decoded(name)}.${decoded(key)}`, at(name, outer(withoutField(key)))] as const,
        )
      : [],
  );
  return [...members.map(([name]) => [decoded(name), withoutField(name)] as const), ...inner]
    .slice(0, mostLeftOut)
    .map(([path, change]) => [4, path.slice(0, 60), outer(change)]);
}

/** A field that callers add for the signature alone. */
function added(name: string, value: string | null): Stage {
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
export function memberStage(tree: JsonTree | undefined, { merchant, request }: RefusedRequest): Stage {
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
