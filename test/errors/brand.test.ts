import { expect, test } from 'vitest';
import { brandClass } from '../../src/errors/brand.js';

/** Makes the class as each copy of the package does; a minifier has renamed it. */
function copyOfClass() {
  return class t extends Error {
    static {
      brandClass(this, 'ShopError');
    }
  };
}

const ShopError = copyOfClass();

test('a branded class has its name, also after a minifier, and its stack begins with it', () => {
  const error = new ShopError('closed');
  expect([error.name, error.constructor.name]).toEqual(['ShopError', 'ShopError']);
  expect(error.stack).toMatch(/^ShopError: closed\n +at .*brand\.test\.ts/);
  expect(Reflect.ownKeys(error)).not.toContain('name');
});

test('a library can give an error a different name', () => {
  const error = Object.assign(new ShopError('closed'), { name: 'Renamed' });
  expect([String(error), new ShopError('').name]).toEqual(['Renamed: closed', 'ShopError']);
});

test('instanceof recognises the errors of another copy of the class', () => {
  expect(new (copyOfClass())('closed')).toBeInstanceOf(ShopError);
});

test('a subclass recognises only its own errors, and the class recognises the errors of the subclass', () => {
  class Narrow extends ShopError {}
  expect(new Narrow('closed')).toBeInstanceOf(Narrow);
  expect(new Narrow('closed')).toBeInstanceOf(ShopError);
  expect(new ShopError('closed')).not.toBeInstanceOf(Narrow);
});

const unreadable = new Proxy(
  {},
  {
    get() {
      throw new Error('closed');
    },
  },
);

test.each([
  ['undefined', undefined],
  ['null', null],
  ['a number', 7],
  ['a string', 'ShopError'],
  ['an object', {}],
  ['another error', new Error('closed')],
  ['an object with the name', { name: 'ShopError' }],
  ['an object without a prototype', Object.create(null)],
  ['an object with another brand', { [Symbol.for('installment-payments.ShopError')]: 'yes' }],
  ['an object whose properties cannot be read', unreadable],
])('instanceof is false for %s', (_what, value) => {
  expect(value).not.toBeInstanceOf(ShopError);
});
