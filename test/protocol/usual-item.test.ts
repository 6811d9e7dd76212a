import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { anyItem, anyWireItem, inputItem, wireItem } from '../../src/protocol/payment-item.js';
import { usualItem, usualWireItem } from '../../src/protocol/usual-item.js';

const usual = {
  productId: 'SKU-1',
  productName: 'Tủ lạnh',
  category: 'appliance',
  quantity: 2,
  price: 3_000_000,
};

const texts = fc.constantFrom('', 'Tủ lạnh', '\ud800', 'a\udc00b', '𠮷', undefined, null, 7, {});
const numbers = fc.constantFrom(
  ...[0, -0, 1, 2, 3, 0.1, 0.3, -1, 1e21, 2 ** 53 - 1, 2 ** 53, Number.NaN, Infinity],
  ...['2', undefined, null, 2n],
);

const items = fc.record(
  {
    productId: texts,
    productName: texts,
    category: texts,
    currency: fc.constantFrom('VND', 'USD', '', undefined, null),
    quantity: numbers,
    price: numbers,
    description: texts,
    imageUrl: texts,
    totalAmount: numbers,
    discount: fc.constant(1),
    ['__proto__']: fc.constant(1),
  },
  { requiredKeys: [] },
);

/** Items that differ from a usual one in a few fields: near misses. */
const near = (item: object) =>
  items.chain((changes) =>
    fc.subarray(Object.keys(changes), { maxLength: 3 }).map((names) => ({
      ...item,
      ...Object.fromEntries(names.map((name) => [name, Reflect.get(changes, name)])),
    })),
  );
const nearlyUsual = near(usual);
const nearlyWire = near({ ...usual, currency: 'VND', totalAmount: 6_000_000 });

describe('the short way for the usual item', () => {
  it('takes the usual item', () => {
    expect(usualItem(usual)).toEqual({ ...usual, currency: 'VND', totalAmount: 6_000_000 });
  });

  it('takes an item with every field, and writes the same bytes as the schema', () => {
    const full = { totalAmount: 6_000_000, imageUrl: 'i', description: 'd', currency: 'VND', ...usual };
    expect(JSON.stringify(usualItem(full))).toBe(JSON.stringify(anyItem.parse(full)));
  });

  it('takes nothing that the schema refuses, and makes of the rest what the schema makes of it', () => {
    fc.assert(
      fc.property(fc.oneof(nearlyUsual, items), (item) => {
        const parsed = usualItem(item);
        if (parsed === z.INVALID) return;
        expect(JSON.stringify(parsed)).toBe(JSON.stringify(anyItem.parse(item)));
      }),
      { numRuns: 5000 },
    );
  });

  it('does the same for an item on the wire, where nothing is filled in', () => {
    expect(usualWireItem(usual)).toBe(z.INVALID);
    fc.assert(
      fc.property(fc.oneof(nearlyUsual, nearlyWire, items), (item) => {
        const parsed = usualWireItem(item);
        if (parsed === z.INVALID) return;
        expect(JSON.stringify(parsed)).toBe(JSON.stringify(anyWireItem.parse(item)));
      }),
      { numRuns: 5000 },
    );
  });

  it('gives way to the schema for the same issues, once each', () => {
    fc.assert(
      fc.property(fc.oneof(nearlyUsual, items), (item) => {
        expect(inputItem.safeParse(item).error?.issues).toEqual(anyItem.safeParse(item).error?.issues);
        expect(wireItem.safeParse(item).error?.issues).toEqual(anyWireItem.safeParse(item).error?.issues);
      }),
    );
  });

  it.each([
    ['null', null],
    ['text', 'item'],
    ['an array', [usual]],
    ['an array with the fields of an item', Object.assign([], usual)],
    ['a field that no table has', { ...usual, discount: 1 }],
    ['a field of that kind behind a prototype', Object.create({ ...usual, discount: 1 })],
    ['__proto__ from JSON', JSON.parse('{"__proto__": {"price": 1}}') as unknown],
  ])('leaves %s to the schema', (_name, item) => {
    expect(usualItem(item)).toBe(z.INVALID);
    expect(inputItem.safeParse(item).success).toBe(false);
  });

  it('leaves a field that is there and undefined to the schema, which keeps it', () => {
    const item = { ...usual, description: undefined };
    expect(usualItem(item)).toBe(z.INVALID);
    expect(Object.keys(inputItem.parse(item))).toEqual(Object.keys(anyItem.parse(item)));
  });

  it('leaves a fraction of a VND to the schema, which knows exact decimals', () => {
    const item = { ...usual, quantity: 3, price: 0.1, totalAmount: 0.3 };
    expect(usualItem(item)).toBe(z.INVALID);
    expect(inputItem.parse(item)).toMatchObject({ totalAmount: 0.3 });
  });
});
