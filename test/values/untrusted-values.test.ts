import { describe, expect, test } from 'vitest';
import { hasMethods, isRecord, readProperty } from '../../src/values/untrusted-values.js';

const noop = () => undefined;

const throwing = {
  get name(): string {
    throw new Error('revoked');
  },
};

test.each([
  [{}, true],
  [Object.create(null), true],
  [new Map(), true],
  [[], false],
  [null, false],
  [noop, false],
  ['text', false],
])('%o is an object in JSON: %j', (value, expected) => {
  expect(isRecord(value)).toBe(expected);
});

describe('a property', () => {
  test('is read from any object, even if it is inherited', () => {
    expect(readProperty({ name: 1 }, 'name')).toBe(1);
    expect(readProperty(Object.assign(noop, { own: 2 }), 'own')).toBe(2);
    expect(readProperty(['a'], 0)).toBe('a');
    expect(readProperty(Object.create({ name: 3 }), 'name')).toBe(3);
  });

  test.each([undefined, null, 'text', 7])('of %j is undefined', (value) => {
    expect(readProperty(value, 'length')).toBeUndefined();
  });

  test('is undefined if its getter throws', () => {
    expect(readProperty(throwing, 'name')).toBeUndefined();
  });
});

describe('an object with methods', () => {
  test.each<readonly [string, unknown, readonly string[], boolean]>([
    ['has every one of them', { info: noop, warn: noop }, ['info', 'warn'], true],
    ['may inherit them', new Map(), ['get', 'set'], true],
    ['lacks one', { info: noop }, ['info', 'warn'], false],
    ['has a field in place of one', { info: noop, warn: 'yes' }, ['info', 'warn'], false],
    ['has a getter that throws', throwing, ['name'], false],
    ['is not a function', Object.assign(() => noop, { info: noop }), ['info'], false],
    ['is not null', null, [], false],
    ['is not text', 'text', ['slice'], false],
  ])('%s', (_name, value, names, expected) => {
    expect(hasMethods(value, names)).toBe(expected);
  });
});
