import { expect, test } from 'vitest';
import { powerShellWord, shellWord } from '../../src/values/shell-word.js';

test.each([
  ['plain', `'plain'`],
  ["it's", String.raw`'it'\''s'`],
  ["'; touch /tmp/x; '", String.raw`''\''; touch /tmp/x; '\'''`],
  ['two\nlines', `'two\nlines'`],
  ["\u001b'\\!", String.raw`$'\x1b\x27\x5c\x21'`],
  ['\u202e', String.raw`$'\xe2\x80\xae'`],
])('%j is quoted as %s for a shell', (text, word) => {
  expect(shellWord(text)).toBe(word);
});

test.each([
  ['plain', "'plain'"],
  ["it's", "'it''s'"],
  ['\u2019; Remove-Item x', "'\u2019\u2019; Remove-Item x'"],
  ['$(x) `n', "'$(x) `n'"],
  ['a\u001bb', "'a' + [char]0x1b + 'b'"],
  ['\u{e0001}', "'' + [char]0xdb40 + [char]0xdc01 + ''"],
])('%j is quoted as %s for PowerShell', (text, word) => {
  expect(powerShellWord(text)).toBe(word);
});
