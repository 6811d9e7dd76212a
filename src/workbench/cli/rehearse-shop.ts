import type { CheckoutRoute } from '../rehearsal/shopper.js';
import type { OrderPage } from '../rehearsal/order-page-checks.js';
import { fetchFromShop } from '../rehearsal/redirects.js';
import { responseWithin } from '../../values/time-limit.js';
import { toUrl } from '../../protocol/urls.js';
import { reasonOf } from '../../values/reason-of.js';
import { tryParseJson, orUndefined } from '../../values/untrusted-values.js';
import { CliError } from './io.js';
import { clickResponse, followInShop } from './shop-responses.js';

/** The time limit of a call of the checkout, in milliseconds. */
export const clickLimitMs = 30_000;
const shownCharacters = 24;

/** True for an http or https URL with a placeholder in it. */
export function isTemplate(url: string, placeholder: string): boolean {
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

/** Makes the route of a checkout of the shop: `--checkout 'POST http://127.0.0.1:3000/checkout?order={order}'`. */
export function checkoutRoute(
  option: 'checkout' | 'checkout-changed',
  written: string,
  { headers, body }: RouteOptions,
): CheckoutRoute {
  const [, method = 'POST', address = ''] = /^(?:([A-Za-z]+)\s+)?(\S+)$/.exec(written.trim()) ?? [];
  if (!isTemplate(address, body?.includes('{order}') ? '' : '{order}')) {
    throw new CliError(
      `--${option} must be a method and an http or https URL, such as 'POST http://127.0.0.1:3000/checkout?order={order}', with {order} in it or in --checkout-body`,
    );
  }
  const verb = method.toUpperCase();
  if (body !== undefined && ['GET', 'HEAD'].includes(verb))
    throw new CliError(`--checkout-body cannot be sent with ${verb}`);
  const type = body === undefined ? {} : { 'content-type': contentTypeOf(body) };
  return {
    written: `${verb} ${address}`,
    click: (order, signal) =>
      responseWithin(clickLimitMs, signal, async (limit) => {
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
        return clickResponse(followed);
      }),
  };
}

/** The content type of a body, if no `--header` names it. */
function contentTypeOf(body: string): string {
  return tryParseJson(body) === undefined ? 'application/x-www-form-urlencoded' : 'application/json';
}

/** Parses the pattern of `--once`, which must contain a group. */
function countPattern(text: string): RegExp {
  const once = pattern('once', text, 'shipped: (\\d+)');
  if (groupsOf(text) > 0) return once;
  throw new CliError("--once must capture a number in parentheses, such as 'shipped: (\\d+)'");
}

/**
 * Counts the groups of a pattern. An empty alternative makes it match any text, and the match has an entry for each
 * group.
 */
function groupsOf(text: string): number {
  return (new RegExp(`${text}|`).exec('')?.length ?? 1) - 1;
}

/** Returns the number that `--once` captures in a page; undefined if there is none. */
function countIn(text: string, once: RegExp | undefined): number | undefined {
  const captured = /\d+/.exec(once?.exec(text)?.slice(1).join(' ') ?? '')?.[0];
  return captured === undefined ? undefined : Number(captured);
}

/** Reads the order page of a shop: `--order-url`, `--paid` and `--once`. */
export function orderPage(
  template: string,
  paidText: string,
  onceText: string | undefined,
  headers: Readonly<Record<string, string>> = {},
): OrderPage {
  if (!isTemplate(template, '{ref}')) {
    throw new CliError(
      "--order-url must be an http or https URL with {ref} in it, such as 'http://127.0.0.1:3000/orders/{ref}'",
    );
  }
  const paid = pattern('paid', paidText, '\\bpaid\\b');
  const once = onceText === undefined ? undefined : countPattern(onceText);
  return async (referenceId, signal) => {
    const url = template.replaceAll('{ref}', encodeURIComponent(referenceId));
    const { response, body } = await fetchFromShop(url, headers, signal).catch((cause: unknown) => {
      throw new Error(`GET ${url}: ${reasonOf(cause)}`, { cause });
    });
    // React writes comments between the texts of a page.
    const text = body.replaceAll(/<!--.*?-->/gs, '');
    const answered = `GET ${url} responded with HTTP ${response.status}`;
    // A proxy in front of the shop responds for it while the shop is away.
    if ([502, 503, 504].includes(response.status)) throw new Error(answered);
    if (!response.ok) {
      const hint = '{ref} in --order-url is the referenceId of the payment';
      return { paid: false, problem: `${answered}; ${hint}` };
    }
    const count = countIn(text, once);
    const match = paid.exec(text);
    if (!match) return { paid: false, count, seen: `${answered}, and --paid matches nothing in it` };
    const around = text.slice(Math.max(0, match.index - shownCharacters)).slice(0, 2 * shownCharacters);
    const context = around.replaceAll(/\s+/g, ' ').trim();
    const uncounted =
      once && count === undefined
        ? `--once captures no number in the page of a paid order: ${context}`
        : undefined;
    return {
      paid: true,
      count,
      uncounted,
      seen: `${answered}, and --paid matches "${match[0]}" in: ${context}`,
    };
  };
}
