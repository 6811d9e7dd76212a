import { endpoints, type Endpoint } from './endpoints.js';
import { edgeProblem } from '../validation/rules.js';
import { orUndefined } from '../values/untrusted-values.js';
import { parseUrl } from './urls.js';

// The rules for the base URL and the client ID. The rules for the secret key are in validation/secret-key.ts.

const operationPaths = Object.values(endpoints).map(({ path }) => path);
const pathsAddedByClient: Readonly<Record<Endpoint['sender'], readonly string[]>> = {
  merchant: [...operationPaths, '/v2'],
  lender: operationPaths,
};

/** The problem of a text in quotation marks, which some readers of .env files keep; undefined for any other text. */
export function quotesProblem(text: string): string | undefined {
  return /^(["'])[^]*\1\s*$/.test(text) ? 'must not be in quotation marks: leave them out' : undefined;
}

/** The reason why a text cannot be the base URL of a merchant's or a lender's client; undefined for a valid URL. */
export function baseUrlProblem(urlText: string, sender: Endpoint['sender'] = 'merchant'): string | undefined {
  const problem = quotesProblem(urlText) ?? edgeProblem(urlText);
  if (problem !== undefined) return problem;
  const url = parseUrl(urlText);
  if (!url || /\s/.test(urlText)) return 'must be an absolute URL, such as https://pay.example/api';
  if (!['https:', 'http:'].includes(url.protocol))
    return 'must begin with https://, or http:// for localhost, such as https://pay.example/api';
  if (url.username !== '' || url.password !== '') return 'must not contain credentials';
  if (/[?#]/.test(urlText)) return 'must not have a query or a fragment';
  if (url.port === '0') return 'must not have port 0';
  const path = (orUndefined(() => decodeURIComponent(url.pathname)) ?? url.pathname)
    .toLowerCase()
    .replace(/\/+$/, '');
  const known = pathsAddedByClient[sender].find((operationPath) => path.endsWith(operationPath));
  return known === undefined
    ? undefined
    : `must not include ${known}: leave it out, because the client adds it`;
}

export const clientIdRule =
  'must be a string of printable Latin-1 characters without white space at either end';
