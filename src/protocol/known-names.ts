import type * as z from 'zod/mini';

/** The schema of the object at a path, through optional fields, conversions and the elements of arrays. */
function objectAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): z.core.$ZodObject | undefined {
  const [first, ...rest] = path;
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'optional':
    case 'default':
    case 'prefault':
      return objectAt(def.innerType, path);
    case 'pipe':
      return objectAt(def.in, path) ?? objectAt(def.out, path);
    case 'object': {
      if (first === undefined) return schema as z.core.$ZodObject;
      const field = def.shape[String(first)];
      return field && objectAt(field, rest);
    }
    case 'array':
      return first === undefined ? undefined : objectAt(def.element, rest);
    default:
      return undefined;
  }
}

/** The names that an object at a path may have; undefined if the schema has no object there. */
export function namesAt(
  schema: z.core.$ZodType,
  path: readonly PropertyKey[],
): readonly string[] | undefined {
  const object = objectAt(schema, path);
  return object && Object.keys(object._zod.def.shape);
}
