import { responseWithin } from '../../values/time-limit.js';
import { orUndefined } from '../../values/untrusted-values.js';
import { toUrl } from '../../protocol/urls.js';

const limitMs = 5000;
const maxRedirects = 10;

/** The settings for opening the redirect URLs of a merchant. */
export interface BrowserSettings {
  /** The origins whose redirect URLs are opened. Other URLs are not opened. */
  readonly origins: readonly string[];
  /** The headers that are sent with each request to the shop. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Sends a request and resolves with a response that can be a redirect. */
export type Send = (url: string, init: RequestInit) => Promise<Response>;

/** The response after all redirects. */
export interface FollowedResponse {
  readonly url: string;
  readonly response: Response;
  readonly body: string;
  /** The bodies and the `Location` headers of all responses, including those of the redirects. */
  readonly texts: readonly string[];
}

/** Throws the cause of the error of a failed `fetch`. The cause contains the reason, such as ECONNREFUSED. */
function throwCause(error: unknown): never {
  throw error instanceof Error ? (error.cause ?? error) : error;
}

const isRedirect = (_next: URL, _from: URL, status: number) => status >= 300 && status < 400;

/** The redirect statuses after which a browser sends the same request again, with its method and body. */
const sameRequestStatuses = [307, 308];

/** Sends a request, and follows its redirects as a browser does, as long as `shouldFollow` returns true. */
export async function follow(
  send: Send,
  url: string,
  init: RequestInit = {},
  shouldFollow: (next: URL, from: URL, status: number) => boolean = isRedirect,
): Promise<FollowedResponse> {
  const texts: string[] = [];
  let address = url;
  let request = init;
  for (;;) {
    const response = await send(address, request).catch(throwCause);
    const location = response.headers.get('location');
    const body = await response.text();
    texts.push(location ?? '', body);
    const redirects = texts.length / 2 - 1;
    const next = location === null ? undefined : orUndefined(() => new URL(location, address));
    const isLast =
      !next || !shouldFollow(next, new URL(address), response.status) || redirects >= maxRedirects;
    if (isLast) return { url: address, response, body, texts };
    address = next.href;
    if (!sameRequestStatuses.includes(response.status)) request = {};
  }
}

/**
 * Requests a URL of the shop, and follows redirects as a browser does. The headers are sent only to the origin of the
 * URL.
 */
export function fetchFromShop(
  address: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<FollowedResponse> {
  const { origin } = new URL(address);
  const send: Send = (url, init) => {
    const ownHeaders = new URL(url).origin === origin ? headers : {};
    return fetch(url, { ...init, headers: ownHeaders, signal, redirect: 'manual' });
  };
  return follow(send, address);
}

/** Opens a redirect URL of the merchant as a browser would, if its origin is one of `origins`. */
export async function openRedirect(
  address: string,
  { origins, headers }: BrowserSettings,
  parameters: Record<string, string> = {},
): Promise<void> {
  if (!canBeOpened(address, origins)) return;
  const url = new URL(address);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  const open = (signal: AbortSignal) => fetchFromShop(url.href, headers, signal);
  await responseWithin(limitMs, undefined, open).catch(() => undefined);
}

/** True if the URL has one of these origins. */
export function canBeOpened(address: string, origins: readonly string[]): boolean {
  return origins.includes(toUrl(address)?.origin ?? '');
}
