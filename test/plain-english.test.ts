import { Linter } from 'eslint';
import { expect, test } from 'vitest';
import { plainEnglish } from './helpers/plain-english.mjs';

function wordingsFound(code: string): string[] {
  const config = {
    plugins: { house: { rules: { 'plain-english': plainEnglish } } },
    rules: { 'house/plain-english': 'error' },
  } as const;
  return new Linter().verify(code, config).map(({ message }) => message.split(':')[0] ?? '');
}

test.each([
  ["it('that a call ends')", ['"that"']],
  ["test('Of two calls, one ends', () => {})", ['"Of"']],
  ["test.each([1])('by %s', () => {})", ['"by"']],
  ["test.each`a`('in %s', () => {})", ['"in"']],
  ["describe('with ' + name, () => {})", ['"with"']],
  ['it(`to ${name}`)', ['"to"']],
  ["it('from a file')", ['"from"']],
  ["it('tells what became of a payment')", ['"what became of"']],
  ["it('fails where nothing tells why')", ['"nothing tells"']],
  ["it('waits for ever')", ['"for ever"']],
  ["it('What a call takes')", ['"What"']],
  ["test.each([['of Node', 1], ['a file', 2]])('%s is read', () => {})", ['"of"']],
  ["it('Into two calls'); it('totals add up'); each('with a row')", []],
  ['// waits for ever, with reason', []],
  ['// What a call takes', ['"What"']],
])('the lint rule for wordings judges %s', (code, found) => {
  expect(wordingsFound(code)).toEqual(found);
});
