import * as z from 'zod';
import { paymentRequestWireSchema } from '../../../protocol/payment-schema.js';
import type { TreeChange } from '../ingredient.js';
import { outer } from '../tree/members.js';
import { decoded, isObject, isScalar, type JsonMember, type JsonTree } from '../tree/tree.js';

/** The fields of an object, of the items of an array of objects, or of either where it is optional or converted first. */
function shapeOf(schema: unknown): Readonly<Record<string, unknown>> {
  if (schema instanceof z.ZodObject) return schema.shape;
  if (schema instanceof z.ZodOptional) return shapeOf(schema.unwrap());
  if (schema instanceof z.ZodPipe) return shapeOf(schema.out);
  return schema instanceof z.ZodArray ? shapeOf(schema.element) : {};
}

/** The order of the specification's table, in which totalAmount follows price; the schema has it last, for the bytes. */
const inTableOrder = (names: readonly string[]) =>
  names
    .filter((name) => name !== 'totalAmount')
    .flatMap((name) =>
      name === 'price' && names.includes('totalAmount') ? ['price', 'totalAmount'] : [name],
    );

const shape = shapeOf(paymentRequestWireSchema);
const outerFields = Object.keys(shape);
/** The fields of the objects inside, by the name of the field that holds them. */
const innerFields = new Map(
  Object.entries(shape).map(([name, field]) => [name, inTableOrder(Object.keys(shapeOf(field)))] as const),
);

type Change = (members: readonly JsonMember[], names: readonly string[]) => readonly JsonMember[];

/** Changes the documented objects of a body, with their documented fields in the order of the tables. */
export function inDocumented(change: Change, isDeep = true): TreeChange {
  const inner = (tree: JsonTree, names: readonly string[]): JsonTree => {
    if (isScalar(tree) || names.length === 0) return tree;
    if (!isObject(tree)) return { items: tree.items.map((each) => inner(each, names)) };
    return { members: change(tree.members, names) };
  };
  const deep = (members: readonly JsonMember[]) =>
    members.map(([name, value]): JsonMember => [name, inner(value, innerFields.get(decoded(name)) ?? [])]);
  return outer((members) => change(isDeep ? deep(members) : members, outerFields));
}
