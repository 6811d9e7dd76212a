import { expect, it } from 'vitest';
import { ConfigurationError, InstallmentClient } from '../../src/index.js';
import { parseSecretKey } from '../../src/options/secret-key.js';
import { credentials } from '../helpers/samples.js';

it('the key that a function returned is used as it is', () => {
  expect(parseSecretKey('a key', 'utf8').export().toString()).toBe('a key');
  expect(parseSecretKey('6B', 'hex').export().toString()).toBe('k');
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
])('the result %j of a function is refused: it %s', (returned, problem) => {
  expect(() => parseSecretKey(returned, 'utf8')).toThrow(
    new TypeError(`the result of the secretKey function ${problem}`),
  );
});

it('the key of a client is written in the notation of its wire, and one that is not is refused without being quoted', () => {
  const client = (secretKey: string) =>
    new InstallmentClient({ ...credentials, secretKey, wire: { secretKeyEncoding: 'hex' } });

  expect(client('6B')).toBeInstanceOf(InstallmentClient);
  expect(() => client('key')).toThrow(
    new ConfigurationError(
      'secretKey',
      "must be an even number of hex digits, because secretKeyEncoding is 'hex'",
    ),
  );
});

it('a key that a function returns in another notation is refused', () => {
  expect(() => parseSecretKey('key', 'hex')).toThrow(
    "the result of the secretKey function must be an even number of hex digits, because secretKeyEncoding is 'hex'",
  );
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
