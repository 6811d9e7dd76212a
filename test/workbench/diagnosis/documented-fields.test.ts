import { expect, test } from 'vitest';
import { hex, ofPayment } from './support.js';

/** The names of a table of the specification, in its order. */
const named = (names: string, inner: object = {}): Record<string, unknown> => ({
  ...Object.fromEntries(names.split(' ').map((name) => [name, name])),
  ...inner,
});
const item = 'productId productName category currency quantity price totalAmount description imageUrl';
const tables = named(
  'merchantId storeId referenceId platformId requestType paymentMethod description successRedirectUrl unSuccessRedirectUrl amount items customer shipping lang extraData terminalType installment seller transExpiredTime sendSms sendEmail',
  {
    amount: named('value currency'),
    items: [named(item)],
    customer: named('phoneNumber email firstName lastName rank description gender dateOfBirth'),
    shipping: named('city district ward street houseNumber country zipCode streetNumber houseExtension'),
    seller: named('id email name address'),
  },
);

function mapObjects(value: unknown, change: (entries: [string, unknown][]) => [string, unknown][]): unknown {
  if (Array.isArray(value)) return value.map((each) => mapObjects(each, change));
  if (typeof value !== 'object' || value === null) return value;
  const inner = Object.entries(value).map(([name, each]): [string, unknown] => [
    name,
    mapObjects(each, change),
  ]);
  return Object.fromEntries(change(inner));
}

test("a body that was signed in the order of the specification's tables is explained, in every object", () => {
  // An order that no library has, so that nothing simpler leads to the tables.
  const shuffled = mapObjects(tables, (entries) => {
    const sorted = entries.toSorted(([a], [b]) => (a.slice(1) < b.slice(1) ? -1 : 1));
    return sorted;
  });
  const diagnosis = ofPayment(hex(JSON.stringify(tables)), JSON.stringify(shuffled));
  expect(diagnosis).toMatchObject({ cause: 'field-order' });
  expect(diagnosis.message).toContain("the order of the specification's tables");
});
