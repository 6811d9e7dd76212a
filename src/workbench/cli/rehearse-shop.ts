import type { CheckoutRoute } from '../rehearsal/shopper.js';
import type { OrderPage } from '../rehearsal/order-page-checks.js';
import { fetchFromShop } from '../rehearsal/redirects.js';
import { responseWithin } from '../../values/time-limit.js';
import { toUrl } from '../../protocol/urls.js';
import { reasonOf } from '../../values/reason-of.js';
import { tryParseJson, orUndefined } from '../../values/untrusted-values.js';
import { CliError } from './io.js';
import { checkoutResponse, followInShop } from './shop-responses.js';

/** The time limit of a call of the checkout, with its redirects, in milliseconds. */
export const checkoutLimitMs = 30_000;
// The number of characters of the page that are shown on each side of the place where the match of --paid begins.
const contextCharacters = 24;

/** True for an http or https URL with a placeholder in it. */
export function isUrlTemplate(url: string, placeholder: string): boolean {
  return url.includes(placeholder) && /^https?:\/\//.test(url) && toUrl(url) !== undefined;
}

function pattern(option: string, text: string, example: string): RegExp {
  const found = orUndefined(() => new RegExp(text, 'i'));
  if (found) return found;
  throw new CliError(`--${option} must be a regular expression, such as ${example}`);
}

/** Parses the headers of `--header 'Name: value'`. */
export function shopHeaders(lines: readonly string[]): Readonly<Record<string, string>> {
  const headers = new Headers();
  for (const line of lines) {
    const [, name = '', value = ''] = /^([^:]*):(.*)$/s.exec(line) ?? [];
    // The value can be secret, so no message repeats it.
    try {
      headers.append(name, value);
    } catch {
      throw new CliError("--header must be a name and a value, such as 'Cookie: session=1'");
    }
  }
  return Object.fromEntries(headers);
}

export interface RouteOptions {
  readonly headers: Readonly<Record<string, string>>;
  /** The text of `--checkout-body`. */
  readonly body?: string | undefined;
}

/** Parses a checkout route of the shop, such as `--checkout 'POST http://127.0.0.1:3000/checkout?order={order}'`. */
export function checkoutRoute(
  option: 'checkout' | 'checkout-changed',
  flag: string,
  { headers, body }: RouteOptions,
): CheckoutRoute {
  const [, method = 'POST', address = ''] = /^(?:([A-Za-z]+)\s+)?(\S+)$/.exec(flag.trim()) ?? [];
  // If the order is in the body, the URL needs no placeholder.
  const placeholder = body?.includes('{order}') === true ? '' : '{order}';
  if (!isUrlTemplate(address, placeholder)) {
    throw new CliError(
      `--${option} must be a method and an http or https URL, such as 'POST http://127.0.0.1:3000/checkout?order={order}', with {order} in it or in --checkout-body`,
    );
  }
  const verb = method.toUpperCase();
  if (body !== undefined && ['GET', 'HEAD'].includes(verb))
    throw new CliError(`--checkout-body cannot be sent with ${verb}`);
  const type = body === undefined ? {} : { 'content-type': contentTypeOf(body) };
  return {
    shownAs: `${verb} ${address}`,
    call: (order, signal) =>
      responseWithin(checkoutLimitMs, signal, async (limit) => {
        const url = address.replaceAll('{order}', encodeURIComponent(order));
        const followed = await followInShop(
          (target, init) => fetch(target, { redirect: 'manual', headers, signal: limit, ...init }),
          url,
          {
            method: verb,
            headers: { ...type, ...headers },
            ...(body !== undefined && { body: body.replaceAll('{order}', order) }),
          },
        );
        return checkoutResponse(followed);
      }),
  };
}

/** Returns the content type for a body. If `--header` sets a content type, that content type is sent instead. */
function contentTypeOf(body: string): string {
  return tryParseJson(body) === undefined ? 'application/x-www-form-urlencoded' : 'application/json';
}

/** Parses the pattern of `--once`, which must contain a capture group. */
function oncePattern(text: string): RegExp {
  const once = pattern('once', text, 'shipped: (\\d+)');
  if (groupCount(text) > 0) return once;
  throw new CliError("--once must be a regular expression that captures a number, such as 'shipped: (\\d+)'");
}

/**
 * Returns the number of capture groups of a pattern. With an empty alternative, the pattern matches the empty text, and
 * the match contains one entry for each group after the entry for the whole match.
 */
function groupCount(text: string): number {
  return (new RegExp(`${text}|`).exec('')?.length ?? 1) - 1;
}

/** Returns the number that `--once` captures on a page; undefined if it captures none. */
function numberIn(text: string, once: RegExp | undefined): number | undefined {
  const captured = once?.exec(text)?.slice(1).join(' ') ?? '';
  const digits = /\d+/.exec(captured)?.[0];
  return digits === undefined ? undefined : Number(digits);
}

/** Returns a function that reads the order page of a shop, as `--order-url`, `--paid` and `--once` say. */
export function orderPage(
  template: string,
  paidText: string,
  onceText: string | undefined,
  headers: Readonly<Record<string, string>> = {},
): OrderPage {
  if (!isUrlTemplate(template, '{ref}')) {
    throw new CliError(
      "--order-url must be an http or https URL with {ref} in it, such as 'http://127.0.0.1:3000/orders/{ref}'",
    );
  }
  const paid = pattern('paid', paidText, '\\bpaid\\b');
  const once = onceText === undefined ? undefined : oncePattern(onceText);
  return async (referenceId, signal) => {
    const url = template.replaceAll('{ref}', encodeURIComponent(referenceId));
    const { response, body } = await fetchFromShop(url, headers, signal).catch((cause: unknown) => {
      throw new Error(`GET ${url} failed: ${reasonOf(cause)}`, { cause });
    });
    // React writes comments into texts, such as `shipped: <!-- -->2`. --paid and --once must match the visible text.
    const text = body.replaceAll(/<!--.*?-->/gs, '');
    const statusText = `GET ${url} responded with HTTP ${response.status}`;
    // A proxy in front of the shop sends these statuses while the shop is down, so they are no response of the shop.
    if ([502, 503, 504].includes(response.status)) throw new Error(statusText);
    if (!response.ok) {
      const hint = '{ref} in --order-url is the referenceId of the payment';
      return { showsPaid: false, problem: `${statusText}; ${hint}` };
    }
    const onceNumber = numberIn(text, once);
    const match = paid.exec(text);
    if (!match)
      return {
        showsPaid: false,
        onceNumber,
        evidence: `${statusText}, and --paid matches nothing in the page`,
      };
    const excerpt = text.slice(Math.max(0, match.index - contextCharacters)).slice(0, 2 * contextCharacters);
    const context = excerpt.replaceAll(/\s+/g, ' ').trim();
    const onceProblem =
      once && onceNumber === undefined
        ? `--once captures no number on the page of a paid order (the page contains: ${context})`
        : undefined;
    return {
      showsPaid: true,
      onceNumber,
      onceProblem,
      evidence: `${statusText}, and --paid matches "${match[0]}" in: ${context}`,
    };
  };
}
