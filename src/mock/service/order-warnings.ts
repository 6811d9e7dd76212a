import { amountUnitWarning, suspiciousExpiry } from '../../protocol/payment-warnings.js';
import type { PaymentRequestWire } from '../../protocol/payment-types.js';

/**
 * Returns a sentence for each odd value of a payment's order. The specification refuses none of these values, but a
 * merchant rarely intends them. The journal keeps the sentences as `warnings`, which the rule `order-odd` reports.
 */
export function orderWarnings(order: PaymentRequestWire): string[] {
  const amount = amountUnitWarning(order);
  return [...(amount ? [amount] : []), ...timeWarnings(order), ...emptyTexts(order)];
}

function timeWarnings({ transExpiredTime }: PaymentRequestWire): string[] {
  const odd = transExpiredTime === undefined ? undefined : suspiciousExpiry(transExpiredTime);
  if (odd === undefined) return [];
  return [
    `transExpiredTime is ${transExpiredTime} ms, ${odd}: it must be a duration in milliseconds, not a point in time. 15 minutes are 900000.`,
  ];
}

/** Returns a warning for each required text that is empty. The specification states no minimum length. */
function emptyTexts({ description, items, customer, shipping }: PaymentRequestWire): string[] {
  const { city, district, ward, street, houseNumber } = shipping;
  const inShipping = Object.entries({ city, district, ward, street, houseNumber });
  const texts = [
    ['description', description],
    ['customer.firstName', customer.firstName],
    ['customer.lastName', customer.lastName],
    ...inShipping.map(([name, text]) => [`shipping.${name}`, text] as const),
    ...items.map(({ productName }) => ['items[].productName', productName] as const),
    ...items.map(({ category }) => ['items[].category', category] as const),
  ] as const;
  const empty = texts.filter(([, text]) => text.trim() === '').map(([path]) => path);
  return [...new Set(empty)].map((path) => `${path} is empty, although it is a required field.`);
}
