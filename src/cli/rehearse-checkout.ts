import type { Checkout } from '../mock/face.js';
import { toUrl } from '../protocol/urls.js';
import { valueOf } from '../values/untrusted-values.js';
import { CliError, visible } from './io.js';

const limitMs = 30_000;
const mostRedirects = 5;

/** The shop's own checkout: `--checkout 'POST http://127.0.0.1:3000/checkout?order={order}'`. */
export function shopCheckout(written: string, orders: number): Checkout {
  const [, method = 'POST', address = ''] = /^(?:([A-Za-z]+)\s+)?(\S+)$/.exec(written.trim()) ?? [];
  if (!address.includes('{order}') || !/^https?:\/\//.test(address) || !toUrl(address)) {
    throw new CliError(
      `--checkout must be a method and an http or https URL with {order} in it, such as 'POST http://127.0.0.1:3000/checkout?order={order}', not '${visible(written)}'`,
    );
  }
  return {
    orders,
    async click(order, signal) {
      const first = address.replaceAll('{order}', encodeURIComponent(order));
      const limit = AbortSignal.any([signal, AbortSignal.timeout(limitMs)]);
      return follow(first, { method: method.toUpperCase(), redirect: 'manual', signal: limit });
    },
  };
}

/** The answer of the shop. Redirects within the shop are followed, and no others. */
async function follow(
  url: string,
  init: RequestInit,
  texts: readonly string[] = [],
): ReturnType<Checkout['click']> {
  const response = await fetch(url, init);
  const location = response.headers.get('location');
  const seen = [...texts, location ?? '', await response.text()];
  const next = location === null ? undefined : valueOf(() => new URL(location, url));
  if (next?.origin === new URL(url).origin && texts.length < 2 * mostRedirects) {
    return follow(next.href, { ...init, method: 'GET' }, seen);
  }
  return { httpStatus: response.status, text: seen.join('\n') };
}
