import { expect, test } from 'vitest';
import { visible } from '../../../src/workbench/cli/io.js';

test.each([
  ['an escape sequence', '\u001b[2J', '\\u{1b}[2J'],
  ['a bidirectional override', '\u202e', '\\u{202e}'],
  ['a bidirectional isolate', '\u2066', '\\u{2066}'],
  ['a line separator', '\u2028', '\\u{2028}'],
  ['a paragraph separator', '\u2029', '\\u{2029}'],
  ['half of a surrogate pair', '\ud800', '\\u{d800}'],
])('text from outside is printed with %s escaped', (_what, character, escaped) => {
  expect(visible(`ORDER-1 ${character} paid`)).toBe(`ORDER-1 ${escaped} paid`);
});

test('letters of any script, and the characters to keep, are printed unchanged', () => {
  expect(visible('đã trả\n12.000.000 ₫', '\n')).toBe('đã trả\n12.000.000 ₫');
});
