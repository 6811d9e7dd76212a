import * as z from 'zod';
import { didYouMean } from './nearest-word.js';

type Path = readonly PropertyKey[];

/** The names that an object at a path may have; none if the schema has no object there. */
function namesIn(schema: unknown, path: Path): readonly string[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault) {
    return namesIn(schema.unwrap(), path);
  }
  if (schema instanceof z.ZodPipe) return namesIn(schema.out, path);
  const [first, ...rest] = path;
  if (schema instanceof z.ZodArray) return namesIn(schema.element, rest);
  if (!(schema instanceof z.ZodObject)) return [];
  const shape: Readonly<Record<string, unknown>> = schema.shape;
  return first === undefined ? Object.keys(shape) : namesIn(shape[String(first)], rest);
}

/** The problem of an option that the schema does not have; the path ends with its name. */
export function unknownOption(schema: z.ZodType, path: Path): string {
  return `unknown option${didYouMean(String(path.at(-1)), namesIn(schema, path.slice(0, -1)))}`;
}
