import { follow, type Followed, type Send } from '../rehearsal/redirects.js';
import type { ClickResponse } from '../rehearsal/shopper.js';

const excerptCharacters = 120;

/** Sends a request to the shop, and follows redirects as a browser does, but only within its origin. */
export function followInShop(send: Send, url: string, init?: RequestInit): Promise<Followed> {
  return follow(send, url, init, (next, from) => next.origin === from.origin);
}

/** Returns the response to a click. `problem` says what is wrong with the page. */
export function clickResponse({ response, body, texts }: Followed, problem?: string): ClickResponse {
  const location = response.headers.get('location');
  const redirect = location === null ? '' : `a redirect to ${location}, which was not followed`;
  const excerpt = (body.replaceAll(/\s+/g, ' ').trim() || redirect).slice(0, excerptCharacters);
  return {
    httpStatus: response.status,
    text: texts.join('\n'),
    excerpt: problem === undefined ? excerpt : `${problem}: ${excerpt}`,
  };
}
