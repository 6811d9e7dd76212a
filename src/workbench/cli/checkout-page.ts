import type { CheckoutRoute, CheckoutResponse } from '../rehearsal/shopper.js';
import { responseWithin } from '../../values/time-limit.js';
import { checkoutLimitMs, isUrlTemplate, type RouteOptions } from './rehearse-shop.js';
import { isRecord, tryParseJson } from '../../values/untrusted-values.js';
import { Cookies } from './cookies.js';
import { CliError } from './io.js';
import type { FollowedResponse, Send } from '../rehearsal/redirects.js';
import { checkoutResponse, followInShop } from './shop-responses.js';

type PageOption = 'checkout-page' | 'checkout-changed';

/**
 * Returns a function that parses the URL of a checkout page with an HTML form, such as
 * `http://127.0.0.1:3000/checkout/{order}`. Each order has its own cookies. Two calls for an order at the same time
 * load the page once and submit its form twice, as a double click does.
 */
export function checkoutPages({ headers, body = '' }: RouteOptions) {
  if (isRecord(tryParseJson(body))) {
    throw new CliError(
      'with --checkout-page, --checkout-body must contain form fields, such as name=An&note={order}',
    );
  }
  const cookiesOf = new Map<string, Cookies>();

  return (option: PageOption, flag: string): CheckoutRoute => {
    const address = flag.trim();
    if (!isUrlTemplate(address, body.includes('{order}') ? '' : '{order}')) {
      throw new CliError(
        `--${option} must be an http or https URL, such as 'http://127.0.0.1:3000/checkout/{order}', with {order} in it or in --checkout-body`,
      );
    }
    const { origin } = new URL(address);
    const loading = new Map<string, Promise<FollowedResponse>>();

    const submit = async (order: string, signal: AbortSignal): Promise<CheckoutResponse> => {
      const cookies = cookiesOf.get(order) ?? new Cookies();
      cookiesOf.set(order, cookies);
      const send: Send = async (url, init) => {
        const sent = new Headers(new URL(url).origin === origin ? headers : {});
        // The form determines the content type, even if --header sets another.
        sent.delete('content-type');
        for (const [name, value] of new Headers(init.headers)) sent.set(name, value);
        cookies.addTo(sent, url);
        const response = await fetch(url, { ...init, headers: sent, redirect: 'manual', signal });
        cookies.keep(response, url);
        return response;
      };
      const load = () => followInShop(send, address.replaceAll('{order}', encodeURIComponent(order)));
      const loaded = loading.get(order) ?? load().finally(() => loading.delete(order));
      loading.set(order, loaded);
      const page = await loaded;
      if (!page.response.ok) return checkoutResponse(page);
      const type = page.response.headers.get('content-type') ?? 'text/html';
      if (!/^(?:text\/html|application\/xhtml\+xml)\b/i.test(type))
        return checkoutResponse(page, `the page is not HTML (${type})`);
      // The HTML parser is larger than the rest of the command line, so it is imported only here.
      const { formFields, submitForm } = await import('./html-form.js');
      const request = submitForm(page.body, page.url, formFields(body, order));
      if (!request) return checkoutResponse(page, 'the page contains no form');
      const { url, ...init } = request;
      const sent = await followInShop(send, url, { ...init, headers: sourceHeaders(page.url, request) });
      return checkoutResponse({ ...sent, texts: [...page.texts, ...sent.texts] });
    };

    return {
      shownAs: `GET ${address} with its form`,
      call: (order, signal) => responseWithin(checkoutLimitMs, signal, (limit) => submit(order, limit)),
    };
  };
}

/** The `Referer` and `Origin` headers that a browser sends with a form of this page. */
function sourceHeaders(
  pageUrl: string,
  { url, method }: { readonly url: string; readonly method: string },
): Record<string, string> {
  const page = new URL(pageUrl);
  page.hash = '';
  const referer = new URL(url).origin === page.origin ? page.href : `${page.origin}/`;
  return { referer, ...(method === 'POST' && { origin: page.origin }) };
}
