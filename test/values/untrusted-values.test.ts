import { describe, expect, it } from 'vitest';
import { hasMethods, isRecord, readProperty } from '../../src/values/untrusted-values.js';

const noop = () => undefined;

const throwing = {
  get name(): string {
    throw new Error('revoked');
  },
};

it.each([
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
  it('is read from any object, also if it is inherited', () => {
    expect(readProperty({ name: 1 }, 'name')).toBe(1);
    expect(readProperty(Object.assign(noop, { own: 2 }), 'own')).toBe(2);
    expect(readProperty(['a'], 0)).toBe('a');
    expect(readProperty(Object.create({ name: 3 }), 'name')).toBe(3);
  });

  it.each([undefined, null, 'text', 7])('a property of %j is undefined', (value) => {
    expect(readProperty(value, 'length')).toBeUndefined();
  });

  it('whose getter throws is undefined', () => {
    expect(readProperty(throwing, 'name')).toBeUndefined();
  });
});

describe('an object with methods', () => {
  it.each<readonly [string, unknown, readonly string[], boolean]>([
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
