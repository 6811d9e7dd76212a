import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  add,
  compare,
  decimalOf,
  multiply,
  subtract,
  toExactNumber,
  toNumber,
} from '../../src/values/decimal.js';

describe('a decimal', () => {
  test.each([
    [0, 0n, 0],
    [12.5, 125n, 1],
    [-0.25, -25n, 2],
    [1e21, 10n ** 21n, 0],
    [1.5e-7, 15n, 8],
    [5e-324, 5n, 324],
    [Number.MAX_SAFE_INTEGER + 1, 9007199254740992n, 0],
  ])('of %d has the digits that it prints as', (value, units, scale) => {
    expect(decimalOf(value)).toEqual({ units, scale });
  });

  test.each([NaN, Infinity, -Infinity])('cannot be made of %d', (value) => {
    expect(() => decimalOf(value)).toThrow(new RangeError('a decimal must be a finite number'));
  });

  test('is exact: 0.1 x 3 is 0.3, and 0.1 + 0.2 is 0.3', () => {
    expect(compare(multiply(decimalOf(0.1), decimalOf(3)), decimalOf(0.3))).toBe(0);
    expect(compare(add(decimalOf(0.1), decimalOf(0.2)), decimalOf(0.3))).toBe(0);
  });

  test('of -1.5 x 0.25 has the digits of both after the point', () => {
    expect(multiply(decimalOf(-1.5), decimalOf(0.25))).toEqual({ units: -375n, scale: 3 });
  });

  test('is compared as less, equal or greater across scales', () => {
    expect(compare(decimalOf(0.29), decimalOf(0.3))).toBe(-1);
    expect(compare(decimalOf(3), { units: 300n, scale: 2 })).toBe(0);
    expect(compare(decimalOf(0.31), decimalOf(0.3))).toBe(1);
    expect(toNumber(subtract(decimalOf(1), decimalOf(0.9)))).toBe(0.1);
  });

  test('is converted to a number only if a double prints as exactly this decimal', () => {
    expect(toExactNumber({ units: 3n, scale: 1 })).toBe(0.3);
    expect(toExactNumber({ units: 90071992547409931n, scale: 1 })).toBeUndefined();
    expect(toExactNumber({ units: 10n ** 400n, scale: 0 })).toBeUndefined();
  });

  test('is converted back to the same number, for every finite number', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(toExactNumber(decimalOf(value))).toBe(value === 0 ? 0 : value);
      }),
    );
  });
});
