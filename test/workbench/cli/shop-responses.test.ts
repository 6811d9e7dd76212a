import { expect, test } from 'vitest';
import { checkoutResponse, followInShop as follow } from '../../../src/workbench/cli/shop-responses.js';

const pageUrl = 'http://shop.test/pay';
const form = { method: 'POST', headers: { referer: pageUrl }, body: new URLSearchParams('name=An') };

/** The request that follows a redirect with this status. */
async function sentAfter(status: number, location: string) {
  const seen: unknown[] = [];
  await follow(
    (url, init) => {
      seen.push([url, init]);
      return Promise.resolve(
        seen.length > 1 ? new Response('') : new Response('', { status, headers: { location } }),
      );
    },
    pageUrl,
    form,
  );
  return seen.slice(1);
}

test.each([301, 302, 303])(
  'a redirect of a form with HTTP %i is followed with GET, without the form',
  async (status) => {
    expect(await sentAfter(status, '/orders/1')).toEqual([['http://shop.test/orders/1', {}]]);
  },
);

test.each([307, 308])('a redirect of a form with HTTP %i gets the same form', async (status) => {
  expect(await sentAfter(status, '/pay/')).toEqual([['http://shop.test/pay/', form]]);
});

test.each([303, 308])('a redirect to another origin is not followed (HTTP %i)', async (status) => {
  expect(await sentAfter(status, 'http://pay.test/')).toEqual([]);
});

test('the excerpt of a redirect without a body names the address that was not followed', async () => {
  const redirect = new Response(null, {
    status: 303,
    headers: { location: 'http://localhost:3000/orders/1' },
  });
  const { excerpt } = checkoutResponse(await follow(() => Promise.resolve(redirect), pageUrl, form));
  expect(excerpt).toBe('a redirect to http://localhost:3000/orders/1, which was not followed');
});

test.each([
  [
    '<!DOCTYPE html><head><title>Shop</title><script>a()</script></head><p>We are <!-- -->checking.',
    'We are checking.',
  ],
  ['<script>load()</script>', '<script>load()</script>'],
])('the excerpt of the page %j is the text that a customer sees, if there is any', async (page, excerpt) => {
  const headers = { 'content-type': 'text/html; charset=utf-8' };
  const response = await follow(() => Promise.resolve(new Response(page, { headers })), pageUrl, form);
  expect(checkoutResponse(response)).toHaveProperty('excerpt', excerpt);
});
