import * as z from 'zod';

/** The schema of the object at a path, through optional fields, conversions and the elements of arrays. */
function objectAt(schema: unknown, path: readonly PropertyKey[]): z.ZodObject | undefined {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault)
    return objectAt(schema.unwrap(), path);
  if (schema instanceof z.ZodPipe) return objectAt(schema.in, path) ?? objectAt(schema.out, path);
  const [first, ...rest] = path;
  if (schema instanceof z.ZodObject)
    return first === undefined ? schema : objectAt(schema.shape[String(first)], rest);
  return schema instanceof z.ZodArray && first !== undefined ? objectAt(schema.element, rest) : undefined;
}

/** The names that an object at a path may have; undefined if the schema has no object there. */
export function namesAt(schema: z.ZodType, path: readonly PropertyKey[]): readonly string[] | undefined {
  const object = objectAt(schema, path);
  return object && Object.keys(object.shape);
}
