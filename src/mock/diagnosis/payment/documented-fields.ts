import * as z from 'zod';
import { paymentRequestWireSchema } from '../../../protocol/payment-schema.js';
import {
  decoded,
  isObject,
  isScalar,
  type JsonMember,
  type JsonObject,
  type JsonTree,
} from '../tree/tree.js';

/** The fields of an object, of the items of an array of objects, or of either where it is optional or converted first. */
function shapeOf(schema: unknown): Readonly<Record<string, unknown>> {
  if (schema instanceof z.ZodObject) return schema.shape;
  if (schema instanceof z.ZodOptional) return shapeOf(schema.unwrap());
  if (schema instanceof z.ZodPipe) return shapeOf(schema.out);
  return schema instanceof z.ZodArray ? shapeOf(schema.element) : {};
}

/** The order of the specification's table, in which totalAmount follows price; the schema has it last, for the bytes. */
function inTableOrder(names: readonly string[]): readonly string[] {
  const others = names.filter((name) => name !== 'totalAmount');
  return others.length === names.length
    ? names
    : others.toSpliced(others.indexOf('price') + 1, 0, 'totalAmount');
}

const shape = shapeOf(paymentRequestWireSchema);
const outerFields = Object.keys(shape);
/** The fields of the objects inside, by the name of the field that holds them. */
const innerFields = new Map(
  Object.entries(shape).map(([name, field]) => [name, inTableOrder(Object.keys(shapeOf(field)))] as const),
);

type Change = (object: JsonObject, names: readonly string[]) => JsonObject;

/** A body whose documented objects went through `change`, with their documented fields in the order of the tables. */
export function mapDocumented(body: JsonTree, change: Change, isDeep = true): JsonTree | undefined {
  const inner = (tree: JsonTree, names: readonly string[]): JsonTree => {
    if (isScalar(tree) || names.length === 0) return tree;
    return isObject(tree) ? change(tree, names) : { items: tree.items.map((each) => inner(each, names)) };
  };
  if (!isObject(body)) return undefined;
  const members = body.members.map((member): JsonMember => {
    return [member[0], inner(member[1], innerFields.get(decoded(member[0])) ?? [])];
  });
  return change(isDeep ? { members } : body, outerFields);
}
