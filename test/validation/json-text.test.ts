import { describe, expect, test } from 'vitest';
import { isJson, jsonTextOf } from '../../src/validation/json-text.js';
import { invalid, valid } from '../../src/values/checked.js';

const cycle: Record<string, unknown> = {};
cycle['self'] = cycle;

function nested(depth: number): object {
  let value: object = {};
  for (let level = 0; level < depth; level++) value = [value];
  return value;
}

const unspecific = 'it has a cycle, a BigInt, a toJSON that fails, or is nested too deeply';

describe('an object that JSON can represent', () => {
  test.each<readonly [object, string]>([
    [{ till: 4, note: null, gone: undefined }, '{"till":4,"note":null}'],
    [[1, 'a', [true]], '[1,"a",[true]]'],
    [{ at: new Date(0) }, '{"at":"1970-01-01T00:00:00.000Z"}'],
    [{ '': { '': 'a' } }, '{"":{"":"a"}}'],
    [{ at: new URL('https://a.example') }, '{"at":"https://a.example/"}'],
    [Object.assign(Object.create(null) as object, { a: 1 }), '{"a":1}'],
    [
      new (class Cart {
        readonly till = 4;
      })(),
      '{"till":4}',
    ],
    [{ a: null, b: {}, c: [] }, '{"a":null,"b":{},"c":[]}'],
    [{ note: 'tủ "lạnh"\n📄' }, '{"note":"tủ \\"lạnh\\"\\n📄"}'],
  ])('is written as JSON.stringify does: %j', (value, text) => {
    expect(jsonTextOf(value)).toEqual(valid(text));
  });

  test('can contain one object in two places', () => {
    const shared = { a: 1 };
    expect(jsonTextOf([shared, shared])).toEqual(valid('[{"a":1},{"a":1}]'));
  });
});

describe('the first value that JSON cannot represent is named with its path:', () => {
  test.each<readonly [string, object, string]>([
    ['a Buffer, which has a toJSON', { file: Buffer.from('a') }, 'file is a Uint8Array'],
    ['bytes', { cart: [{ file: new Uint8Array(1) }] }, 'cart.0.file is a Uint8Array'],
    ['a Promise', { cart: { note: Promise.resolve() } }, 'cart.note is a Promise'],
    ['URLSearchParams', [new URLSearchParams('a=b')], '0 is a URLSearchParams'],
    ['Headers', { a: new Headers({ a: 'b' }) }, 'a is a Headers'],
    ['FormData', { a: new FormData() }, 'a is a FormData'],
    ['a Blob', { a: new Blob(['a']) }, 'a is a Blob'],
    ['a WeakMap', new WeakMap(), 'it is a WeakMap'],
    ['a RegExp', { a: /a/ }, 'a is a RegExp'],
    ['an Error', { a: new Error('a') }, 'a is an Error'],
    ['an ArrayBuffer', { a: new ArrayBuffer(4) }, 'a is an ArrayBuffer'],
    ['an empty object of a class', { a: Object.create({ b: 1 }) as object }, 'a is an object'],
    ['a Map', { a: new Map([['b', 1]]) }, 'a is a Map'],
    ['a Set', new Set([1]), 'it is a Set'],
    ['a function', { a: () => 1 }, 'a is a function'],
    ['a function itself', () => 1, 'it is a function'],
    ['a symbol', [Symbol('a')], '0 is a symbol'],
    ['a toJSON that gives bytes', { a: { toJSON: () => new Uint8Array(1) } }, 'a is a Uint8Array'],
    ['a Map with a field', Object.assign(new Map(), { a: 1 }), 'it is a Map'],
    ['a Set with a field', Object.assign(new Set(), { a: 1 }), 'it is a Set'],
    ['a toJSON that gives a function', { a: { toJSON: () => () => 1 } }, 'a is a function'],
    ['the same, alone', { toJSON: () => () => 1 }, 'it is a function'],
    ['a toJSON that gives a symbol, alone', { toJSON: () => Symbol('a') }, 'it is a symbol'],
    ['NaN', { a: NaN }, 'a is not a finite number'],
    ['undefined in an array', { a: [1, undefined] }, 'a.1 is undefined'],
    [
      'a toJSON that gives nothing',
      { a: { toJSON: () => undefined } },
      'a is an object that JSON writes as undefined',
    ],
    ['the same, alone', { toJSON: () => undefined }, 'it is an object that JSON writes as undefined'],
    ['a Date without a time', { at: new Date(NaN) }, 'at is an invalid Date that JSON writes as null'],
    ['half a surrogate pair', { a: { b: '\ud800' } }, 'a.b is not well-formed Unicode'],
    ['half of one in a key', { a: 1, '\ud800': 2 }, '[redacted] has a name that is not well-formed Unicode'],
    ['a second problem', { a: NaN, b: undefined, c: () => 1 }, 'a is not a finite number'],
    ['a cycle', cycle, unspecific],
    ['a BigInt', { a: 1n }, unspecific],
    ['nesting 100,000 deep', nested(100_000), unspecific],
    ['a toJSON that throws', { toJSON: () => JSON.parse('') as unknown }, unspecific],
  ])('%s', (_name, value, problem) => {
    expect(jsonTextOf(value)).toEqual(invalid(`cannot be written as JSON: ${problem}`));
  });
});

test.each([
  ['{"a":1}', true],
  ['null', true],
  ['false', true],
  ['', false],
  ['undefined', false],
])('%j is JSON: %j', (text, expected) => {
  expect(isJson(text)).toBe(expected);
});

test('a body of a million numbers is written in a few times the memory of its text', () => {
  const numbers = Array.from({ length: 1_000_000 }, (_, index) => index + 0.5);
  const before = process.memoryUsage().heapUsed;
  const json = jsonTextOf(numbers);
  const grown = process.memoryUsage().heapUsed - before;
  expect(json).toHaveProperty('value.length', 8_888_891);
  // An entry for each number would need more than 250 MB.
  expect(grown).toBeLessThan(150 * 1024 * 1024);
});
