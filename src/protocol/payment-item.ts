import * as z from 'zod';
import { compare, decimalOf, multiply, toExactNumber } from './decimal.js';
import { hasNumbers, money, positiveInteger } from './numbers.js';
import { identifier, only, record, text } from './text.js';
import { usualItem, usualWireItem } from './usual-item.js';

// totalAmount stands last, so that a total that was given and one that was derived leave the same bytes.
const itemFields = {
  productId: identifier,
  productName: text,
  category: text,
  currency: only('VND'),
  quantity: positiveInteger,
  price: money,
  description: text.optional(),
  imageUrl: text.optional(),
  totalAmount: money,
};

/** The total of a line as a number; undefined where no number is exactly price x quantity. */
function lineTotal(price: number, quantity: number): number | undefined {
  const product = price * quantity;
  // Whole amounts, which is what VND has, need no big integers.
  if (Number.isSafeInteger(product) && Number.isSafeInteger(price)) return product;
  return toExactNumber(multiply(decimalOf(price), decimalOf(quantity)));
}

/** True for a total that is exact, or that is still to be filled in. */
function totalFits(item: { price: number; quantity: number; totalAmount?: number | undefined }): boolean {
  const { price, quantity, totalAmount } = item;
  if (totalAmount === undefined || totalAmount === lineTotal(price, quantity)) return true;
  return compare(decimalOf(totalAmount), multiply(decimalOf(price), decimalOf(quantity))) === 0;
}

// Made anew for each use: zod writes into the object, and into its path, that it is given.
const wrongTotal = (advice = '') => ({
  path: ['totalAmount'],
  message: `must equal price x quantity exactly${advice}`,
  when: hasNumbers(['price', 'quantity'], ['totalAmount']),
});

/** Every rule of an item as it must stand on the wire. */
export const anyWireItem = z.strictObject(itemFields, record).refine(totalFits, wrongTotal());

/** Every rule of an item as a developer types it; the currency and the total are filled in. */
export const anyItem = z
  .strictObject(
    { ...itemFields, currency: itemFields.currency.default('VND'), totalAmount: money.optional() },
    record,
  )
  .refine(totalFits, wrongTotal('; leave it out to have it filled in'))
  .transform((item, context) => {
    const totalAmount = item.totalAmount ?? lineTotal(item.price, item.quantity);
    if (totalAmount === undefined) {
      const message = 'cannot be filled in: no number is exactly price x quantity';
      context.addIssue({ code: 'custom', path: ['totalAmount'], message, input: item });
      return z.NEVER;
    }
    // The parsed item is a fresh object: writing to it costs nothing and changes nothing of the caller's.
    return Object.assign(item, { totalAmount });
  });

/** The same rules, with a short way for the usual item. */
export const wireItem = z.withParser(anyWireItem, usualWireItem);

/** The same rules as a developer's item has, with a short way for the usual one. */
export const inputItem = z.withParser(anyItem, usualItem);
