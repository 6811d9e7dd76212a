import type { ClickResponse } from '../rehearsal/shopper.js';
import { orUndefined } from '../../values/untrusted-values.js';

const mostRedirects = 5;
const excerptCharacters = 120;

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
export function throwCause(error: unknown): never {
  throw error instanceof Error ? (error.cause ?? error) : error;
}

/** Statuses of redirects after which a browser sends the same request again, with its body. */
const sameRequestStatuses = [307, 308];

/** Sends a request to the shop, and follows redirects within its origin as a browser does, and no others. */
export async function follow(
  send: Send,
  url: string,
  init: RequestInit = {},
  earlier: readonly string[] = [],
): Promise<Followed> {
  const response = await send(url, init).catch(throwCause);
  const location = response.headers.get('location');
  const body = await response.text();
  const texts = [...earlier, location ?? '', body];
  const next = location === null ? undefined : orUndefined(() => new URL(location, url));
  if (next?.origin === new URL(url).origin && texts.length <= 2 * mostRedirects) {
    return follow(send, next.href, sameRequestStatuses.includes(response.status) ? init : {}, texts);
  }
  return { url, response, body, texts };
}

/** Returns the response to a click. `problem` says what was wrong with the page. */
export function clickResponse({ response, body, texts }: Followed, problem?: string): ClickResponse {
  const excerpt = body.replaceAll(/\s+/g, ' ').trim().slice(0, excerptCharacters);
  return {
    httpStatus: response.status,
    text: texts.join('\n'),
    excerpt: problem === undefined ? excerpt : `${problem}: ${excerpt}`,
  };
}
