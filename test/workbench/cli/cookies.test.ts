import { expect, test } from 'vitest';
import { Cookies } from '../../../src/workbench/cli/cookies.js';

const shop = 'http://shop.test:3000/a';

function responseWith(...lines: string[]): Response {
  const headers = new Headers();
  for (const line of lines) headers.append('set-cookie', line);
  return new Response('', { headers });
}

/** The cookies in a request to a URL. */
function sentTo(url: string, cookies: Cookies, cookie?: string): string | null {
  const headers = new Headers(cookie === undefined ? {} : { cookie });
  cookies.addTo(headers, url);
  return headers.get('cookie');
}

test('cookies are sent to the origin that has set them', () => {
  const cookies = new Cookies();
  cookies.keep(responseWith('session=a=b; Path=/; HttpOnly; Max-Age=60', 'csrf=1'), shop);
  expect(sentTo('http://shop.test:3000/b?c', cookies)).toBe('session=a=b; csrf=1');
  expect(sentTo('http://shop.test:4000/', cookies)).toBeNull();
});

test('cookies are replaced by later cookies, and override those in the headers', () => {
  const cookies = new Cookies();
  cookies.keep(responseWith('csrf=1'), shop);
  cookies.keep(responseWith('csrf=2; Expires=Wed, 01 Jan 2150 00:00:00 GMT'), shop);
  expect(sentTo(shop, cookies, 'lang=vi; csrf=0')).toBe('lang=vi; csrf=2');
});

test.each(['Max-Age=0', 'max-age=-1', 'Expires=Thu, 01 Jan 1970 00:00:00 GMT'])(
  'cookies are deleted by %s',
  (attribute) => {
    const cookies = new Cookies();
    cookies.keep(responseWith('flash=1', 'session=1'), shop);
    cookies.keep(responseWith(`flash=; ${attribute}; Path=/`, 'nonsense'), shop);
    expect(sentTo(shop, cookies)).toBe('session=1');
  },
);
