import { responseWithin } from '../../values/time-limit.js';
import { orUndefined } from '../../values/untrusted-values.js';
import { toUrl } from '../../protocol/urls.js';

const limitMs = 5000;
const mostRedirects = 10;

/** What opening the redirect addresses of a merchant needs. */
export interface Browser {
  /** The only origins whose addresses are opened. */
  readonly origins: readonly string[];
  /** Sent with each request to the shop. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Requests an address of the shop, and follows redirects as a browser does. The headers are sent to its own origin alone. */
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

/** Opens an address of the merchant as a browser would. Those of others are left alone. */
export async function openRedirect(
  address: string,
  { origins, headers }: Browser,
  parameters: Record<string, string> = {},
): Promise<void> {
  if (!canBeOpened(address, origins)) return;
  const url = new URL(address);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  const open = async (signal: AbortSignal) => (await fetchFromShop(url.href, headers, signal)).text();
  await responseWithin(limitMs, undefined, open).catch(() => undefined);
}

export function canBeOpened(address: string, origins: readonly string[]): boolean {
  return origins.includes(toUrl(address)?.origin ?? '');
}
