import { innerFields, paymentFields } from './documented-fields.js';
import type { Draft, Ingredient, Stage } from './draft.js';
import type { RefusedRequest } from './types.js';
import {
  decoded,
  isObject,
  isScalar,
  mapObjects,
  type JsonMember,
  type JsonObject,
  type JsonTree,
} from './json-tree.js';

type ChangeTree = (tree: JsonTree) => JsonTree | undefined;

/** A mistake in the parts of a JSON body; `write` gives the text in the form in which the body was sent. */
export type OnTree = (change: ChangeTree) => Ingredient<Draft>['apply'];

export function onTree(write: (tree: JsonTree) => string | undefined): OnTree {
  return (change) =>
    ({ tree }) => {
      const changed = tree === undefined ? undefined : change(tree);
      if (changed === undefined || changed === tree) return undefined;
      const text = write(changed);
      return text === undefined ? { tree: changed } : { tree: changed, text };
    };
}

const nullsFix =
  'Sign and send the same bytes. Java (Jackson): the same setSerializationInclusion on both sides. .NET: the same DefaultIgnoreCondition. ' +
  'Go: omitempty. PHP: array_filter before json_encode, not after. Python: drop None before json.dumps.';

function without(drop: (value: JsonTree) => boolean): ChangeTree {
  return (tree) =>
    mapObjects(tree, (object) => {
      const members = object.members.filter(([, value]) => !drop(value));
      return members.length === object.members.length ? object : { members };
    });
}

function isEmpty(value: JsonTree): boolean {
  if (isScalar(value)) return value === 'null' || value === '""';
  return (isObject(value) ? value.members : value.items).length === 0;
}

function isFalsy(value: JsonTree): boolean {
  return isEmpty(value) || value === 'false' || value === '0' || value === '"0"';
}

/** Adds the documented fields that are missing: in their documented place, or at the end. */
function withMissing(value: string, place: 'documented' | 'end', isDeep: boolean): ChangeTree {
  const fill = (object: JsonObject, names: readonly string[]): JsonObject => {
    const present = new Map(object.members.map((member) => [decoded(member[0]), member]));
    const missing = names
      .filter((name) => !present.has(name))
      .map((name): JsonMember => [`"${name}"`, value]);
    if (missing.length === 0) return object;
    if (place === 'end') return { members: [...object.members, ...missing] };
    const filled = new Map([...present, ...missing.map((member) => [decoded(member[0]), member] as const)]);
    const rank = (name: string) => (names.includes(name) ? names.indexOf(name) : names.length);
    const members = [...filled].sort(([a], [b]) => rank(a) - rank(b)).map(([, member]) => member);
    // Another order of what was sent is another mistake.
    const sent = members.filter(([name]) => present.has(decoded(name)));
    return sent.every((member, index) => member === object.members[index]) ? { members } : object;
  };
  const fillInner = (tree: JsonTree, names: readonly string[]): JsonTree => {
    if (isScalar(tree)) return tree;
    return isObject(tree) ? fill(tree, names) : { items: tree.items.map((each) => fillInner(each, names)) };
  };
  return (tree) => {
    if (!isObject(tree)) return undefined;
    const members = tree.members.map((member): JsonMember => {
      const names = isDeep ? innerFields.get(decoded(member[0])) : undefined;
      return names === undefined ? member : [member[0], fillInner(member[1], names)];
    });
    return fill({ members }, paymentFields);
  };
}

function missingFields(apply: OnTree): Stage<Draft> {
  const places = ['documented', 'end'] as const;
  return (['null', '""'] as const).flatMap((value) =>
    [true, false].flatMap((isDeep) =>
      places.map((place): Ingredient<Draft> => ({
        id: 'null-fields-added',
        rarity: value === 'null' && isDeep && place === 'documented' ? 3 : 4,
        message: `The signed body has the optional fields that were not sent, with ${value === 'null' ? 'null' : 'an empty string'} as their value.`,
        fix: nullsFix,
        apply: apply(withMissing(value, place, isDeep)),
      })),
    ),
  );
}

const mostLeftOut = 40;

/** The body without one of its fields, as one that was signed before the field was added. */
function leftOut(tree: JsonTree | undefined, apply: OnTree): Stage<Draft> {
  if (!isObject(tree)) return [];
  const inner = tree.members.flatMap(([outer, value]) =>
    isObject(value) ? value.members.map(([name]) => [outer, name] as const) : [],
  );
  const outer = tree.members.map(([name]) => [name] as const);
  return [...outer, ...inner].slice(0, mostLeftOut).map((path): Ingredient<Draft> => {
    const name = path.map(decoded).join('.').slice(0, 60);
    return {
      id: 'field-omitted',
      rarity: 4,
      message: `The signed body has no field ${name}; the body that was sent has one.`,
      fix: 'Sign after the last change to the body.',
      apply: apply((root) => (isObject(root) ? removed(root, path) : undefined)),
    };
  });
}

function removed(object: JsonObject, [name, inner]: readonly [string, string?]): JsonObject {
  if (inner === undefined) return { members: object.members.filter(([key]) => key !== name) };
  return {
    members: object.members.map(([key, value]) =>
      key === name && isObject(value) ? [key, removed(value, [inner])] : [key, value],
    ),
  };
}

/** The body with a field that callers add for the signature alone. */
function added({ merchant, request }: RefusedRequest, apply: OnTree): Stage<Draft> {
  const time = request?.requestTime;
  const fields: readonly (readonly [names: readonly string[], value: string | undefined])[] = [
    [['requestTime', 'Request-Time', 'timestamp'], time],
    [['clientId', 'Client-Id'], merchant.clientId],
    [['secretKey', 'secret', 'key'], merchant.secretKey],
    [['idempotencyKey', 'Idempotency-Key'], request?.idempotencyKey],
    [['signature', 'Signature'], ''],
  ];
  const values = fields.flatMap(([names, value]) =>
    names.flatMap((name) => (value === undefined ? [] : [[name, JSON.stringify(value)] as const])),
  );
  const nulls = [['signature', 'null'] as const];
  return [...values, ...nulls].flatMap(([name, value]) =>
    (['last', 'first'] as const).map((place): Ingredient<Draft> => ({
      id: 'field-added',
      rarity: place === 'last' ? 4 : 5,
      message: `The signed body has a field ${name} in the ${place} place that was not sent.`,
      fix: `Sign the body exactly as it is sent, without ${name}.`,
      apply: apply((root) => {
        if (!isObject(root) || root.members.some(([key]) => key === `"${name}"`)) return undefined;
        const member: JsonMember = [`"${name}"`, value];
        return { members: place === 'last' ? [...root.members, member] : [member, ...root.members] };
      }),
    })),
  );
}

/** Fields that are missing from the signed body, or that only the signed body has. */
export function memberStage(
  tree: JsonTree | undefined,
  refused: RefusedRequest,
  apply: OnTree,
): Stage<Draft> {
  return [
    {
      id: 'null-fields-omitted',
      rarity: 2,
      message: 'The signed body leaves out fields whose value is null; they were sent.',
      fix: nullsFix,
      apply: apply(without((value) => value === 'null')),
    },
    {
      id: 'null-fields-omitted',
      rarity: 3,
      message: 'The signed body leaves out fields whose value is null or empty; they were sent.',
      fix: nullsFix,
      apply: apply(without(isEmpty)),
    },
    {
      id: 'null-fields-omitted',
      rarity: 4,
      message:
        'The signed body leaves out outer fields that are empty, null, false or 0 (array_filter); they were sent.',
      fix: nullsFix,
      apply: apply((tree) =>
        isObject(tree) ? { members: tree.members.filter(([, value]) => !isFalsy(value)) } : undefined,
      ),
    },
    ...missingFields(apply),
    ...leftOut(tree, apply),
    ...added(refused, apply),
  ];
}
