import { describe, expect, it } from 'vitest';
import { isHttpUrl, loopbackHost, parseLink, parseUrl } from '../../src/protocol/urls.js';

describe('a URL', () => {
  it.each([
    'https://shop.example/paid',
    'shop-app://paid',
    'https://shop.example/a b',
    'https://shop.example/\u00e0',
  ])('may be %j', (text) => {
    expect(parseUrl(text)).toBeInstanceOf(URL);
    expect(parseLink(text)).toBeInstanceOf(URL);
  });

  it.each([' https://a.example', 'https://a.example ', '\0https://a.example', 'https://a.example\x1f'])(
    'cannot be %j, whose ends a parser would drop',
    (text) => {
      expect(parseUrl(text)).toBeUndefined();
    },
  );

  it.each(['https://a.example/\tb', 'https://a.example/\nb', 'https://a.exa\rmple'])(
    'cannot be %j, whose white space a parser would drop',
    (text) => {
      expect(parseUrl(text)).toBeUndefined();
    },
  );

  it.each(['javascript:alert(1)', 'data:text/html,x', 'vbscript:x', ' JavaScript:alert(1)'])(
    'is not a link if it runs as code: %j',
    (text) => {
      expect(parseLink(text)).toBeUndefined();
    },
  );
});

describe('an http or https URL without credentials', () => {
  it.each([
    ['http://shop.example', true],
    ['https://shop.example/hook?a=b', true],
    ['ftp://shop.example', false],
    ['x-https://shop.example', false],
    ['https://user@shop.example', false],
    ['https://:secret@shop.example', false],
    ['shop', false],
  ])('%s: %s', (text, isOne) => {
    expect(isHttpUrl(parseUrl(text))).toBe(isOne);
  });
});

describe('a loopback host', () => {
  it.each(['localhost', '127.0.0.1', '127.10.200.3', '[::1]'])('is %s', (host) => {
    expect(loopbackHost.test(host)).toBe(true);
  });

  it.each([
    'my-localhost',
    'localhost.example',
    '127.0.0.1.example',
    'a127.0.0.1',
    '127.1',
    '127.a.b.c',
    '127.0.0.1000',
    '128.0.0.1',
    'a[::1]',
    '[::1]a',
    '[::2]',
  ])('is not %s', (host) => {
    expect(loopbackHost.test(host)).toBe(false);
  });
});
