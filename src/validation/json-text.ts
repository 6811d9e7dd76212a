import { isMap, isSet } from 'node:util/types';
import { isPlainObject, tryParseJson } from '../values/untrusted-values.js';
import { invalid, valid, type Checked } from '../values/checked.js';
import { kindOf } from '../values/kind-of-value.js';
import { pathText } from './broken-rules.js';

export function isJson(text: string): boolean {
  return tryParseJson(text) !== undefined;
}

// JSON silently leaves out a function, writes a Promise or a Map as {}, and writes NaN as null. The functions below
// find such losses. `written` is the result of a value's toJSON, or the value itself.

function primitiveLoss(written: unknown, isElement: boolean): string | undefined {
  switch (typeof written) {
    case 'function':
    case 'symbol':
      return `is a ${typeof written}`;
    case 'number':
      return Number.isFinite(written) ? undefined : 'is not a finite number';
    case 'string':
      return written.isWellFormed() ? undefined : 'is not well-formed Unicode';
    case 'undefined':
      return isElement ? 'is undefined' : undefined;
    default:
      return undefined;
  }
}

function objectLoss(value: object, written: unknown): string | undefined {
  // `value` is checked, because `written` of a Buffer is a plain object with each byte as a number.
  if (ArrayBuffer.isView(value)) return `is ${kindOf(value)}`;
  if (written === null || written === undefined)
    return `is ${kindOf(value)} that JSON writes as ${String(written)}`;
  if (typeof written !== 'object') return primitiveLoss(written, false);
  if (Array.isArray(written) || isPlainObject(written)) return undefined;
  const isUnsupported = isMap(written) || isSet(written) || ArrayBuffer.isView(written);
  return isUnsupported || Object.keys(written).length === 0 ? `is ${kindOf(written)}` : undefined;
}

function loss(value: unknown, written: unknown, isElement: boolean): string | undefined {
  if (typeof value === 'object' && value !== null) return objectLoss(value, written);
  return primitiveLoss(typeof value === 'function' ? value : written, isElement);
}

/** The JSON of a value, or the first problem if JSON would lose a part of it. */
export function jsonTextOf(value: object): Checked<string> {
  const paths = new Map<unknown, readonly string[]>();
  let problem = 'it has a cycle, a BigInt, a toJSON that fails, or is nested too deeply';
  try {
    const text = JSON.stringify(value, function (this: unknown, key: string, written: unknown) {
      // The first call is for the value itself, which has no key.
      const path = [...(paths.get(this) ?? []), ...(paths.size > 0 ? [key] : [])];
      const found = key.isWellFormed()
        ? loss(Reflect.get(this as object, key), written, Array.isArray(this))
        : 'has a name that is not well-formed Unicode';
      if (found !== undefined) {
        problem = `${pathText(path) || 'it'} ${found}`;
        throw new TypeError(problem);
      }
      // Paths are recorded for objects only, because an entry for each number would need many times the memory of the
      // body.
      if (typeof written === 'object') paths.set(written, path);
      return written;
    });
    return valid(text);
  } catch {
    return invalid(`cannot be written as JSON: ${problem}`);
  }
}
