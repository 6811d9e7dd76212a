import * as z from 'zod';
import type { PaymentRequestWire } from './payment-types.js';

type WireItem = PaymentRequestWire['items'][number];

const fields: ReadonlySet<string> = new Set([
  'productId',
  'productName',
  'category',
  'currency',
  'quantity',
  'price',
  'description',
  'imageUrl',
  'totalAmount',
]);

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.isWellFormed();
}

/** True for a field that is absent or holds text; one that is there and undefined is a rarity. */
function mayHoldText(item: object, name: string, value: unknown): value is string | undefined {
  return isText(value) || !(name in item);
}

/** A number that needs no exact decimals, which is what VND has. */
function isWhole(value: unknown): value is number {
  return Number.isSafeInteger(value);
}

/**
 * An item with nothing unusual in it, parsed in one go: an order may hold 200, and then their fields one by one are
 * most of what a payment costs. Whatever is wrong, or only rare, is `INVALID` here and left to the schema, which has
 * the last word and the messages.
 */
export function usualItem(input: unknown): WireItem | typeof z.INVALID {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return z.INVALID;
  for (const name in input) if (!fields.has(name)) return z.INVALID;
  const item: Partial<Record<keyof WireItem, unknown>> = input;
  const { productId, productName, category, currency = 'VND' } = item;
  if (!isText(productId) || productId === '' || !isText(productName) || !isText(category)) return z.INVALID;
  const { quantity, price, description, imageUrl } = item;
  if (!isWhole(quantity) || quantity <= 0 || !isWhole(price) || price < 0) return z.INVALID;
  if (currency !== 'VND') return z.INVALID;
  if (!mayHoldText(item, 'description', description) || !mayHoldText(item, 'imageUrl', imageUrl))
    return z.INVALID;
  const { totalAmount = quantity * price } = item;
  if (!isWhole(totalAmount) || totalAmount !== quantity * price) return z.INVALID;
  // In the schema's order: the same order is the same bytes, whichever of the two parsed it.
  return {
    productId,
    productName,
    category,
    currency,
    quantity,
    price,
    ...(description !== undefined && { description }),
    ...(imageUrl !== undefined && { imageUrl }),
    totalAmount,
  };
}

/** The same for an item that stands on the wire, where nothing is filled in any more. */
export function usualWireItem(input: unknown): WireItem | typeof z.INVALID {
  const item = usualItem(input);
  if (item === z.INVALID) return item;
  const { currency, totalAmount }: { currency?: unknown; totalAmount?: unknown } = Object(input) as object;
  return currency === undefined || totalAmount === undefined ? z.INVALID : item;
}
