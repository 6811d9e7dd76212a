import { expect, it } from 'vitest';
import { InstallmentClient } from '../../src/index.js';
import { checkSecretKey, checkSecretKeys } from '../../src/validation/secret-key.js';
import { credentials } from '../helpers/samples.js';

/** The text of a key, or why it is refused. */
function checked(...given: Parameters<typeof checkSecretKey>): string {
  const key = checkSecretKey(...given);
  return key.ok ? key.value.export().toString() : key.problem;
}

it('a key is used as it is written', () => {
  expect(checked('a key', 'utf8')).toBe('a key');
  expect(checked('6B', 'hex')).toBe('k');
});

it.each([
  [undefined, 'must be a string'],
  [7, 'must be a string'],
  ['', 'must not be empty'],
  [
    'a\n',
    'must not begin or end with white space or a control character, such as a line break that was copied with it',
  ],
  [
    ' \ud800',
    'must not begin or end with white space or a control character, such as a line break that was copied with it; must be well-formed Unicode',
  ],
])('the key %j is refused: it %s', (given, problem) => {
  expect(checked(given, 'utf8')).toBe(problem);
});

it('a key in another notation is refused', () => {
  expect(checked('key', 'hex')).toBe(
    "must be an even number of hex digits, because secretKeyEncoding is 'hex'",
  );
});

it('of several keys each has to be right, and there is at least one', () => {
  expect(checkSecretKeys(['a', 'b'], 'utf8')).toMatchObject({ ok: true, value: { length: 2 } });
  expect(checkSecretKeys(['a', ''], 'utf8')).toEqual({ ok: false, problem: 'must not be empty' });
  expect(checkSecretKeys(['a', 7], 'utf8', 'must be text')).toEqual({ ok: false, problem: 'must be text' });
  expect(checkSecretKeys([], 'utf8')).toEqual({ ok: false, problem: 'must have at least one key' });
});

it.each(['baseUrl', 'allowInsecureHttp', 'agent', 'fetch', 'wire'])(
  'withOptions says that %s belongs to another client',
  (option) => {
    const client = new InstallmentClient(credentials);

    expect(() => client.withOptions({ [option]: 'any' })).toThrow(
      `${option} cannot be changed by withOptions: make another InstallmentClient`,
    );
  },
);
