import { expect, it } from 'vitest';
import { shellWord } from '../../../src/mock/common/shell-word.js';

it.each([
  ['plain', `'plain'`],
  ["it's", String.raw`'it'\''s'`],
  ["'; touch /tmp/x; '", String.raw`''\''; touch /tmp/x; '\'''`],
  ['two\nlines', `'two\nlines'`],
  ["\u001b'\\!", String.raw`$'\x1b\x27\x5c\x21'`],
  ['\u202e', String.raw`$'\xe2\x80\xae'`],
])('%j is the word %s', (text, word) => {
  expect(shellWord(text)).toBe(word);
});
