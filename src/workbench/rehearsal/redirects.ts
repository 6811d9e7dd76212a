import { responseWithin } from '../../values/time-limit.js';
import { orUndefined } from '../../values/untrusted-values.js';
import { toUrl } from '../../protocol/urls.js';

const limitMs = 5000;
const mostRedirects = 10;

/** The settings for opening the redirect URLs of a merchant. */
export interface Browser {
  /** The only origins that are opened. */
  readonly origins: readonly string[];
  /** The headers that are sent with each request to the shop. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Sends a request and resolves with a response that can be a redirect. */
export type Send = (url: string, init: RequestInit) => Promise<Response>;

/** The last response after redirects. */
export interface Followed {
  readonly url: string;
  readonly response: Response;
  readonly body: string;
  /** The bodies and the `Location` headers of all responses. */
  readonly texts: readonly string[];
}

/** Throws the cause of a failed `fetch`, which contains the reason, such as ECONNREFUSED. */
function throwCause(error: unknown): never {
  throw error instanceof Error ? (error.cause ?? error) : error;
}

const isRedirect = (_next: URL, _from: URL, status: number) => status >= 300 && status < 400;

/** Statuses of redirects after which a browser sends the same request again, with its body. */
const sameRequestStatuses = [307, 308];

/** Sends a request, and follows its redirects as a browser does, except redirects that `mayFollow` rejects. */
export async function follow(
  send: Send,
  url: string,
  init: RequestInit = {},
  mayFollow: (next: URL, from: URL, status: number) => boolean = isRedirect,
): Promise<Followed> {
  const texts: string[] = [];
  let from = url;
  let sent = init;
  for (;;) {
    const response = await send(from, sent).catch(throwCause);
    const location = response.headers.get('location');
    const body = await response.text();
    texts.push(location ?? '', body);
    const next = location === null ? undefined : orUndefined(() => new URL(location, from));
    const isOver =
      !next || !mayFollow(next, new URL(from), response.status) || texts.length > 2 * mostRedirects;
    if (isOver) return { url: from, response, body, texts };
    from = next.href;
    if (!sameRequestStatuses.includes(response.status)) sent = {};
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
): Promise<Followed> {
  const { origin } = new URL(address);
  const send: Send = (url, init) => {
    const own = new URL(url).origin === origin ? headers : {};
    return fetch(url, { ...init, headers: own, signal, redirect: 'manual' });
  };
  return follow(send, address);
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
  const open = (signal: AbortSignal) => fetchFromShop(url.href, headers, signal);
  await responseWithin(limitMs, undefined, open).catch(() => undefined);
}

export function canBeOpened(address: string, origins: readonly string[]): boolean {
  return origins.includes(toUrl(address)?.origin ?? '');
}
