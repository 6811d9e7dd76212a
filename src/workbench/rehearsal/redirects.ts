import { orUndefined } from '../../values/untrusted-values.js';
import { toUrl } from '../../protocol/urls.js';

const limitMs = 5000;
const mostRedirects = 10;

/** The settings for opening the redirect URLs of a merchant. */
export interface Browser {
  /** The only origins that are opened. */
  readonly origins: readonly string[];
  /** Sent with each request to the shop. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Requests a URL of the shop, and follows redirects as a browser does. The headers are sent only to the origin of the URL. */
export async function fetchFromShop(
  address: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Response> {
  const { origin } = new URL(address);
  let url = address;
  let sent = headers;
  for (let redirects = 0; ; redirects += 1) {
    const response = await fetch(url, { headers: sent, signal, redirect: 'manual' });
    const location = response.headers.get('location');
    const isRedirect = response.status >= 300 && response.status < 400 && location !== null;
    const next = isRedirect ? orUndefined(() => new URL(location, url)) : undefined;
    if (!next || redirects === mostRedirects) return response;
    await response.body?.cancel();
    if (next.origin !== origin) sent = {};
    url = next.href;
  }
}

/** Opens a redirect URL of the merchant as a browser would. A URL with another origin is not opened. */
export async function openRedirect(
  address: string,
  { origins, headers }: Browser,
  parameters: Record<string, string> = {},
): Promise<void> {
  if (!canBeOpened(address, origins)) return;
  const url = new URL(address);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  await fetchFromShop(url.href, headers, AbortSignal.timeout(limitMs))
    .then((response) => response.text())
    .catch(() => undefined);
}

export function canBeOpened(address: string, origins: readonly string[]): boolean {
  return origins.includes(toUrl(address)?.origin ?? '');
}
