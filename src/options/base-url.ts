import * as z from 'zod/mini';
import { endpoints } from '../protocol/endpoints.js';
import { converted } from '../protocol/field-rules.js';
import { parseUrl } from '../protocol/urls.js';
import { missingFor } from './environment.js';

const operationPaths = Object.values(endpoints).map(({ path }) => path);

function problemOf(value: string | URL | undefined, variable: string): string | undefined {
  if (value === undefined) return missingFor(variable);
  if (typeof value !== 'string' && Object.prototype.toString.call(value) !== '[object URL]')
    return 'must be a string or a URL';
  const written = String(value);
  const url = parseUrl(written);
  if (!url || /\s/.test(written)) return 'must be an absolute URL, such as https://pay.example/api';
  if (!['https:', 'http:'].includes(url.protocol))
    return 'must begin with https://, or http:// for localhost, such as https://pay.example/api';
  if (url.username !== '' || url.password !== '') return 'must not contain credentials';
  if (/[?#]/.test(written)) return 'must not have a query or a fragment';
  if (url.port === '0') return 'must not have port 0';
  const path = url.pathname.replace(/\/+$/, '');
  const known = operationPaths.find((operationPath) => path.endsWith(operationPath));
  return known === undefined ? undefined : `must not include ${known}: leave that out, the client adds it`;
}

/** The rule for a base URL; `variable` of the environment may set it. Its output has no slash at the end. */
export function baseUrlFrom(variable: string) {
  return converted(z.custom<string | URL>(), (value, refuse): string => {
    const problem = problemOf(value, variable);
    return problem === undefined ? new URL(value).href.replace(/\/+$/, '') : refuse(problem);
  });
}
