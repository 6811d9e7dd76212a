import { endpoints } from './endpoints.js';
import { parseUrl } from './urls.js';

// What a merchant is given for its client: a base URL, a client ID and a secret key.

const operationPaths = Object.values(endpoints).map(({ path }) => path);

/** Why a text is no base URL; undefined for one that is. */
export function baseUrlProblem(written: string): string | undefined {
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

export const clientIdRule =
  'must be a string of printable Latin-1 characters without white space at either end';

/** Why a text is no secret key, whatever its encoding; undefined for one that is. */
export function secretKeyTextProblem(text: string): string | undefined {
  const problems = [
    text === '' && 'must not be empty',
    text.trim() !== text &&
      'must not begin or end with white space, such as a line break that was copied with it',
    !text.isWellFormed() && 'must be well-formed Unicode',
  ].filter((problem) => problem !== false);
  return problems.length > 0 ? problems.join('; ') : undefined;
}
