import { expect, test } from 'vitest';
import { hex, ofPayment } from './support.js';

/** Every field of the specification's tables, in their order. */
const tables = {
  merchantId: 'DEMO-MERCHANT',
  storeId: 'STORE-01',
  referenceId: 'ORDER-1',
  platformId: 'WEBSHOP',
  requestType: 'installment',
  paymentMethod: 'WEB',
  description: 'd',
  successRedirectUrl: 'https://shop.example/paid',
  unSuccessRedirectUrl: 'https://shop.example/failed',
  amount: { value: 1, currency: 'VND' },
  items: [
    {
      productId: 'P',
      productName: 'n',
      category: 'c',
      currency: 'VND',
      quantity: 1,
      price: 1,
      totalAmount: 1,
      description: 'd',
      imageUrl: 'i',
    },
  ],
  customer: {
    phoneNumber: '0912345678',
    email: 'an@example.com',
    firstName: 'An',
    lastName: 'B',
    rank: 'r',
    description: 'd',
    gender: 'M',
    dateOfBirth: '31-12-1990',
  },
  shipping: {
    city: 'c',
    district: 'd',
    ward: 'w',
    street: 's',
    houseNumber: '1',
    country: 'VN',
    zipCode: 'z',
    streetNumber: '2',
    houseExtension: 'e',
  },
  lang: 'vi',
  extraData: 'x',
  terminalType: 'MOBILE_APP',
  installment: { packageId: 'P' },
  seller: { id: 'S', email: 'e', name: 'n', address: 'a' },
  transExpiredTime: 5,
  sendSms: true,
  sendEmail: false,
};

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
