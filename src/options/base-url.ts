import * as z from 'zod/mini';
import { baseUrlProblem } from '../protocol/credentials.js';
import type { Endpoint } from '../protocol/endpoints.js';
import { transformed } from '../validation/rules.js';
import { missingFor } from './environment.js';

/**
 * The rule for a base URL. The message for a missing URL names the environment `variable`. The output has no slash at
 * the end.
 */
export function baseUrlFrom(variable: string, sender: Endpoint['sender']) {
  return transformed(z.custom<string | URL | undefined>(), (value, refuse): string => {
    if (value === undefined) return refuse(missingFor(variable));
    const isUrl = typeof value === 'string' || Object.prototype.toString.call(value) === '[object URL]';
    const problem = isUrl ? baseUrlProblem(String(value), sender) : 'must be a string or a URL';
    return problem === undefined ? new URL(value).href.replace(/\/+$/, '') : refuse(problem);
  });
}
