import { expect, test } from 'vitest';
import { isHttpUrl, toUrl } from '../../src/protocol/urls.js';

test.each([
  ['http://shop.example', true],
  ['https://shop.example/hook?a=b', true],
  ['ftp://a.example', false],
  ['x-https://a.example', false],
  ['https://user@a.example', false],
  ['https://:secret@a.example', false],
  ['shop', false],
])('%s as an http or https URL without credentials: %s', (text, isOne) => {
  expect(isHttpUrl(toUrl(text))).toBe(isOne);
});
