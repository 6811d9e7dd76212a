import { expect, test } from 'vitest';
import { listed, printable, table } from '../../src/values/texts.js';

test.each([
  ['an escape sequence', '\u001b[2J', '\\u{1b}[2J'],
  ['a bidirectional override', '\u202e', '\\u{202e}'],
  ['a bidirectional isolate', '\u2066', '\\u{2066}'],
  ['a line separator', '\u2028', '\\u{2028}'],
  ['a paragraph separator', '\u2029', '\\u{2029}'],
  ['half of a surrogate pair', '\ud800', '\\u{d800}'],
])('foreign text is printed with %s escaped', (_what, character, escaped) => {
  expect(printable(`ORDER-1 ${character} paid`)).toBe(`ORDER-1 ${escaped} paid`);
});

test('letters of any script, and characters that are named, are printed unchanged', () => {
  expect(printable('đã trả\n12.000.000 ₫', '\n')).toBe('đã trả\n12.000.000 ₫');
});

test.each([
  [['a'], "'a'"],
  [['a', 'b'], "'a' or 'b'"],
  [['a', 2, false], "'a', 2 or false"],
])('the values %j are listed as %s', (values, text) => {
  expect(listed(values)).toBe(text);
});

test('a table has columns as wide as their widest cell, except the last column', () => {
  const rows = [
    ['rule', 'scenarios'],
    ['two-payments', 'slow'],
  ];
  expect(table(rows)).toEqual(['  rule          scenarios', '  two-payments  slow']);
  expect(table([])).toEqual([]);
});
