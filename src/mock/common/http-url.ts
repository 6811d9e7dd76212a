export const httpUrlRule = 'must be an http or https URL without credentials';

/** True for an http or https URL that names no user. */
export function isHttpUrl(url: URL | undefined): url is URL {
  return url !== undefined && /^https?:/.test(url.protocol) && url.username === '' && url.password === '';
}
