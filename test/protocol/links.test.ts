import { expect, test } from 'vitest';
import { loopbackHost, parseLink, parseUrl } from '../../src/protocol/urls.js';

const scripts = ['javascript:alert(1)', 'data:text/html,x', 'vbscript:x'];
const urls = [
  'https://shop.example/paid',
  'shop-app://paid',
  'https://shop.example/a b',
  'https://shop.example/\u00e0',
];
// A parser would drop white space at the ends, and inside.
const changedByParser = [
  ...[' https://a.example', 'https://a.example ', '\0https://a.example', 'https://a.example\x1f'],
  ...['https://a.example/\tb', 'https://a.example/\nb', 'https://a.exa\rmple', ' JavaScript:alert(1)'],
];

test.each([
  ['a URL', (text: string) => parseUrl(text) !== undefined, [...urls, ...scripts], changedByParser],
  ['a link', (text: string) => parseLink(text) !== undefined, urls, [...changedByParser, ...scripts]],
  [
    'a loopback host',
    (text: string) => loopbackHost.test(text),
    ['localhost', '127.0.0.1', '127.10.200.3', '[::1]'],
    [
      ...['my-localhost', 'localhost.example', '127.0.0.1.example', 'a127.0.0.1', '127.1', '127.a.b.c'],
      ...['127.0.0.1000', '128.0.0.1', 'a[::1]', '[::1]a', '[::2]'],
    ],
  ],
])('%s is recognised, and similar text is not', (_name, isOne, ones, others) => {
  expect(ones.filter((each) => !isOne(each))).toEqual([]);
  expect(others.filter(isOne)).toEqual([]);
});
