import * as z from 'zod';
import { paymentRequestWireSchema } from '../../../protocol/payment-schema.js';

/** The fields of an object, of the items of an array of objects, or of either where it is optional. */
function shapeOf(schema: unknown): Readonly<Record<string, unknown>> {
  if (schema instanceof z.ZodObject) return schema.shape;
  if (schema instanceof z.ZodOptional) return shapeOf(schema.unwrap());
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

/** Documented fields of a payment request in the order of the specification's tables, required ones first. */
export const paymentFields: readonly string[] = Object.keys(shape);

/** The same of the objects inside, by the name of the field that holds them. */
export const innerFields: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(shape)
    .map(([name, field]) => [name, inTableOrder(Object.keys(shapeOf(field)))] as const)
    .filter(([, names]) => names.length > 0),
);
