import * as z from 'zod/mini';
import { baseUrlProblem } from '../protocol/credentials.js';
import type { Endpoint } from '../protocol/endpoints.js';
import { transformed } from '../validation/rules.js';
import { missingFor } from './environment.js';

function problemOf(
  value: string | URL | undefined,
  variable: string,
  sender: Endpoint['sender'],
): string | undefined {
  if (value === undefined) return missingFor(variable);
  if (typeof value !== 'string' && Object.prototype.toString.call(value) !== '[object URL]')
    return 'must be a string or a URL';
  return baseUrlProblem(String(value), sender);
}

/** The rule for a base URL; `variable` of the environment may set it. Its output has no slash at the end. */
export function baseUrlFrom(variable: string, sender: Endpoint['sender']) {
  return transformed(z.custom<string | URL>(), (value, refuse): string => {
    const problem = problemOf(value, variable, sender);
    return problem === undefined ? new URL(value).href.replace(/\/+$/, '') : refuse(problem);
  });
}
