import { describe, expect, test } from 'vitest';
import * as main from '../src/entries/index.js';
import * as lender from '../src/entries/lender.js';
import { errorTable } from '../src/errors/error-codes.js';

describe('the entries', () => {
  test('the main one has the error class of every code', () => {
    const exported = new Set<unknown>(Object.values(main));
    const missing = Object.entries(errorTable).filter(([, { type }]) => !exported.has(type));

    expect(missing.map(([status]) => status)).toEqual([]);
  });

  test('the lender’s has every error that a lender can meet, and they are the same classes as in the main one', () => {
    const shared = Object.entries(lender).filter(([name]) => name.endsWith('Error'));

    expect(shared.length).toBeGreaterThan(7);
    expect(shared.filter(([name, type]) => Reflect.get(main, name) !== type)).toEqual([]);
  });
});
