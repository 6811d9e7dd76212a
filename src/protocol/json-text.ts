import { isMap, isSet } from 'node:util/types';
import { isPlainObject, tryParseJson } from '../values/untrusted-values.js';
import { kindOf } from '../values/kind-of-value.js';
import { pathText } from './issues.js';

export class JsonProblem extends TypeError {}

export function isJson(text: string): boolean {
  return tryParseJson(text) !== undefined;
}

/**
 * The loss of a value in JSON, which leaves out a function, and writes a Promise or a Map as {} and NaN as null, without
 * an error. `written` is the result of its toJSON, or the value itself.
 */
function loss(value: unknown, written: unknown, isElement: boolean): string | undefined {
  for (const part of [value, written]) {
    if (typeof part === 'function' || typeof part === 'symbol') return `is a ${typeof part}`;
  }
  // A Buffer has a toJSON, which writes each byte as a number; other bytes have none.
  if (ArrayBuffer.isView(value)) return `is ${kindOf(value)}`;
  if (typeof written === 'number' && !Number.isFinite(written)) return 'is not a finite number';
  if (typeof written === 'string' && !written.isWellFormed()) return 'is not well-formed Unicode';
  if (typeof value === 'object' && value !== null) {
    if (written === null || written === undefined)
      return `is ${kindOf(value)} that JSON writes as ${String(written)}`;
  } else if (isElement && value === undefined) return 'is undefined';
  if (typeof written !== 'object' || written === null || Array.isArray(written)) return undefined;
  const hasFields =
    Object.keys(written).length > 0 && !isMap(written) && !isSet(written) && !ArrayBuffer.isView(written);
  return isPlainObject(written) || hasFields ? undefined : `is ${kindOf(written)}`;
}

/** The JSON of a value, or the first problem if JSON would lose something. */
export function jsonTextOf(value: object): string | JsonProblem {
  const paths = new Map<unknown, readonly string[]>();
  let problem: JsonProblem | undefined;
  try {
    return JSON.stringify(value, function (this: unknown, key: string, written: unknown) {
      const path = [...(paths.get(this) ?? []), ...(paths.size > 0 ? [key] : [])];
      const found = key.isWellFormed()
        ? loss(Reflect.get(this as object, key), written, Array.isArray(this))
        : 'has a name that is not well-formed Unicode';
      if (found !== undefined) {
        problem = new JsonProblem(`cannot be written as JSON: ${pathText(path) || 'it'} ${found}`);
        throw problem;
      }
      // Only an object is asked for its path. An entry for each number would take many times the memory of the body.
      if (typeof written === 'object') paths.set(written, path);
      return written;
    });
  } catch {
    // A cycle, a BigInt, deep nesting, a toJSON that throws.
  }
  return (
    problem ??
    new JsonProblem(
      'cannot be written as JSON: it has a cycle, a BigInt, a toJSON that fails, or is nested too deeply',
    )
  );
}
