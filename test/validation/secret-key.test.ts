import { expect, test } from 'vitest';
import { InstallmentClient } from '../../src/entries/index.js';
import { checkSecretKey, checkSecretKeys } from '../../src/validation/secret-key.js';
import { credentials } from '../helpers/samples.js';

/** The text of a key, or the reason why it is refused. */
function checked(...given: Parameters<typeof checkSecretKey>): string {
  const key = checkSecretKey(...given);
  return key.ok ? key.value.export().toString() : key.problem;
}

test('a key is used as it is written', () => {
  expect(checked('a key', 'utf8')).toBe('a key');
  expect(checked('6B', 'hex')).toBe('k');
});

test.each([
  [undefined, 'must be a string'],
  [7, 'must be a string'],
  ['', 'must not be empty'],
  ['a\n', 'must not end with a line break (U+000A): remove it'],
  [
    '\u200ba\t',
    'must not begin with an invisible character (U+200B) or end with a tab (U+0009): remove both',
  ],
  [' \ud800', 'must not begin with a space (U+0020): remove it; must be well-formed Unicode'],
])('the key %j is refused: it %s', (given, problem) => {
  expect(checked(given, 'utf8')).toBe(problem);
});

test('a key in a different encoding is refused', () => {
  expect(checked('key', 'hex')).toBe(
    "must be an even number of hex digits, because secretKeyEncoding is 'hex'",
  );
});

test('each of several keys must be usable, and there must be one', () => {
  expect(checkSecretKeys(['a', 'b'], 'utf8')).toMatchObject({ ok: true, value: { length: 2 } });
  expect(checkSecretKeys(['a', ''], 'utf8')).toEqual({ ok: false, problem: 'must not be empty' });
  expect(checkSecretKeys(['a', 7], 'utf8', 'must be text')).toEqual({ ok: false, problem: 'must be text' });
  expect(checkSecretKeys([], 'utf8')).toEqual({ ok: false, problem: 'must contain at least one key' });
});

test.each(['baseUrl', 'allowInsecureHttp', 'agent', 'fetch', 'wire'])(
  'withOptions reports that %s belongs to another client',
  (option) => {
    const client = new InstallmentClient(credentials);

    expect(() => client.withOptions({ [option]: 'any' })).toThrow(
      `${option} cannot be changed by withOptions: create another InstallmentClient`,
    );
  },
);
