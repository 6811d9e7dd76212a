import * as z from 'zod/mini';
import { transformed } from '../validation/rules.js';
import { isHeaderName, isHeaderValue, isReservedForMerchants } from '../protocol/headers.js';

/** The problem of extra headers, or undefined. The text contains no values, because they can be credentials. */
export function headersProblem(
  headers: unknown,
  isReserved: (name: string) => boolean = isReservedForMerchants,
): string | undefined {
  // The entries of a Headers or a Map are not properties, so they would be lost.
  if (Object.prototype.toString.call(headers) !== '[object Object]') {
    return "must be a plain object, such as { 'X-Trace': 'a' }, not a Headers, a Map or an array";
  }
  const names = new Set<string>();
  for (const [name, value] of Object.entries(headers as object) as [string, unknown][]) {
    if (!isHeaderName(name))
      return 'must have valid header names, such as X-Trace; one name is empty or contains a character that is not allowed';
    if (isReserved(name)) return `must not set ${name}: the client sets this header itself`;
    if (names.has(name.toLowerCase())) return 'contains the same header twice, in different case';
    names.add(name.toLowerCase());
    if (typeof value !== 'string' || !isHeaderValue(value)) {
      return `must have strings of printable Latin-1 characters as values: correct the value of ${name}`;
    }
  }
  return undefined;
}

/**
 * The rule for headers: an object or, if `problemOf` accepts functions, a function. An object is copied, because the
 * caller can change it later.
 */
export function headersRule<T extends object>(problemOf: (value: unknown) => string | undefined) {
  return transformed(z.custom<T>(), (value, refuse): T => {
    const problem = problemOf(value);
    if (problem !== undefined) return refuse(problem);
    return typeof value === 'function' ? value : { ...value };
  });
}

export const headers = headersRule<Record<string, string>>(headersProblem);
