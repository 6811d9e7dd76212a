import { amountUnitWarning, oddExpiry } from '../../protocol/payment-warnings.js';
import type { PaymentRequestWire } from '../../protocol/payment-types.js';

/**
 * The oddities of a payment's order, a sentence each. The specification refuses none of them, and a merchant hardly means
 * them. The journal has them as `warnings`; the rule `order-odd` of the findings reads them there.
 */
export function orderWarnings(order: PaymentRequestWire): string[] {
  const amount = amountUnitWarning(order);
  return [...(amount ? [amount] : []), ...timeWarnings(order), ...emptyTexts(order)];
}

function timeWarnings({ transExpiredTime }: PaymentRequestWire): string[] {
  const odd = transExpiredTime === undefined ? undefined : oddExpiry(transExpiredTime);
  if (odd === undefined) return [];
  return [
    `transExpiredTime is ${transExpiredTime} ms, ${odd}: it is a time in milliseconds, not a moment, so 15 minutes are 900000.`,
  ];
}

/** The required texts that may be empty; the specification states no shortest length. */
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
  return [...new Set(empty)].map((path) => `${path} is empty, and it is a required field.`);
}
