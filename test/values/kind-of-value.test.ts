import vm from 'node:vm';
import { expect, test } from 'vitest';
import { describeRefused, kindOf } from '../../src/values/kind-of-value.js';

class Cart {
  readonly secret = 'personal';
}

test.each<readonly [unknown, string]>([
  [null, 'null'],
  [undefined, 'undefined'],
  ['personal', 'a string'],
  [7, 'a number'],
  [NaN, 'NaN'],
  [-Infinity, 'Infinity'],
  [7n, 'a bigint'],
  [true, 'a boolean'],
  [Symbol('personal'), 'a symbol'],
  [() => 'personal', 'a function'],
  [{ name: 'personal' }, 'an object'],
  [new Cart(), 'an object'],
  [['personal'], 'an array'],
  [new Date(0), 'a Date'],
  [new Date(NaN), 'an invalid Date'],
  [vm.runInNewContext('new Date(NaN)'), 'an invalid Date'],
  [new Map(), 'a Map'],
  [new Error('personal'), 'an Error'],
  [new ArrayBuffer(1), 'an ArrayBuffer'],
  [Promise.resolve(), 'a Promise'],
  [{ [Symbol.toStringTag]: 'Decimal' }, 'a Decimal'],
  [{ [Symbol.toStringTag]: '0912345678' }, 'an object'],
  [{ [Symbol.toStringTag]: 'A'.repeat(50) }, 'an object'],
])('%#: the kind of a value is %s without its content', (value, kind) => {
  expect(kindOf(value)).toBe(kind);
});

test('the kind of a proxy that throws whatever it is asked is an object', () => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  expect(kindOf(proxy)).toBe('an object');
});

test.each<readonly [unknown, string]>([
  [-1, 'is negative'],
  [-0.5, 'is negative'],
  [0.5, 'has a fraction'],
  [0, 'got a number'],
  [-Infinity, 'got Infinity'],
  [null, 'got null'],
  ['1', 'got a string'],
])('a message about %j says that it %s', (value, text) => {
  expect(describeRefused(value)).toBe(text);
});
