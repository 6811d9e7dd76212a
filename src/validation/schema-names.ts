import type * as z from 'zod/mini';

/** The schema of the object at a path, through optional fields, conversions and the elements of arrays. */
function objectAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): z.core.$ZodObject | undefined {
  const [first, ...rest] = path;
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if ('innerType' in def) return objectAt(def.innerType, path);
  if (def.type === 'pipe') return objectAt(def.in, path);
  if (first === undefined) return def.type === 'object' ? (schema as z.core.$ZodObject) : undefined;
  if (def.type === 'array') return objectAt(def.element, rest);
  const field = def.type === 'object' ? def.shape[String(first)] : undefined;
  return field && objectAt(field, rest);
}

/** The names that an object at a path can have; undefined if the schema has no object there. */
export function namesAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): string[] | undefined {
  const object = objectAt(schema, path);
  return object && Object.keys(object._zod.def.shape);
}
