import { follow, type FollowedResponse, type Send } from '../rehearsal/redirects.js';
import type { CheckoutResponse } from '../rehearsal/shopper.js';
import { visibleText } from './html-text.js';

const excerptCharacters = 120;

/** Sends a request to the shop, and follows redirects as a browser does, but only within the origin of the shop. */
export function followInShop(send: Send, url: string, init?: RequestInit): Promise<FollowedResponse> {
  return follow(send, url, init, (next, from) => next.origin === from.origin);
}

/** Returns the response of the shop to a call of its checkout. `problem` says what is wrong with the page. */
export function checkoutResponse(
  { response, body, texts }: FollowedResponse,
  problem?: string,
): CheckoutResponse {
  const location = response.headers.get('location');
  const redirect = location === null ? '' : `a redirect to ${location}, which was not followed`;
  const isHtml = response.headers.get('content-type')?.includes('text/html') ?? false;
  // The `<head>` of a page would fill the excerpt, so the excerpt of an HTML page contains only visible text.
  const text = oneLine(isHtml ? visibleText(body) : '') || oneLine(body) || redirect;
  const excerpt = text.slice(0, excerptCharacters);
  return {
    httpStatus: response.status,
    text: texts.join('\n'),
    excerpt: problem === undefined ? excerpt : `${problem}: ${excerpt}`,
  };
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
