import { describe, expect, test } from 'vitest';
import {
  additionalPaymentFields,
  additionalUploadFields,
  withAdditionalFields,
} from '../../src/protocol/additional-fields.js';
import { paymentRequestSchema } from '../../src/protocol/payment-schema.js';
import { demo, paymentRequest } from '../helpers/samples.js';

const { merchantId, storeId, platformId } = demo;
const wire = paymentRequestSchema.parse({ merchantId, storeId, platformId, ...paymentRequest() });

type Rule = typeof additionalPaymentFields | typeof additionalUploadFields;

const issues = (rule: Rule, value: unknown) =>
  rule.safeParse(value).error?.issues.map(({ path, message }) => [path.join('.'), message]);

describe('the additional fields of a payment', () => {
  test('come after the known fields, in the given order, and are merged into objects', () => {
    const fields = { voucher: 'A', customer: { idNumber: '1' }, seller: { rank: 1 }, cart: [{ a: null }] };
    const body = withAdditionalFields(wire, additionalPaymentFields.parse(fields));

    expect(body).toEqual({
      ...wire,
      ...fields,
      customer: { ...wire.customer, idNumber: '1' },
    });
    expect(Object.keys(body)).toEqual([...Object.keys(wire), 'voucher', 'seller', 'cart']);
    expect(Object.keys(body.customer)).toEqual([...Object.keys(wire.customer), 'idNumber']);
  });

  test.each([undefined, {}, { customer: {} }, { voucher: undefined }])(
    'change no byte if they are %j',
    (fields) => {
      const checked = fields && additionalPaymentFields.parse(fields);
      expect(JSON.stringify(withAdditionalFields(wire, checked))).toBe(JSON.stringify(wire));
    },
  );

  test('do not change the body or the fields of the caller', () => {
    const before = structuredClone(wire);
    const fields = { customer: { idNumber: '1' } };
    withAdditionalFields(wire, additionalPaymentFields.parse(fields));
    expect(wire).toEqual(before);
    expect(fields).toEqual({ customer: { idNumber: '1' } });
  });

  test('are copied, so that a later change by the caller is not sent', () => {
    const fields = { cart: { total: 1 } };
    const checked = additionalPaymentFields.parse(fields);
    fields.cart.total = 2;
    expect(checked).toEqual({ cart: { total: 1 } });
  });

  test.each<readonly [object, string, string]>([
    [{ merchantId: 'M' }, 'merchantId', 'belongs in the request itself, as merchantId'],
    [{ lang: 'vi' }, 'lang', 'belongs in the request itself, as lang'],
    [{ items: [{ sku: 1 }] }, 'items', 'belongs in the request itself, as items'],
    [{ customer: { rank: 1 } }, 'customer.rank', 'belongs in the request itself, as customer.rank'],
    [{ seller: { id: 'S' } }, 'seller.id', 'belongs in the request itself, as seller.id'],
    [
      { installment: { packageId: 1 } },
      'installment.packageId',
      'belongs in the request itself, as installment.packageId',
    ],
    [{ amount: { currency: 'VND' } }, 'amount.currency', 'belongs in the request itself, as amount.currency'],
    [{ shipping: 7 }, 'shipping', 'must be an object, which is merged into shipping; got a number'],
    [{ customer: [] }, 'customer', 'must be an object, which is merged into customer; got an array'],
    [{ customer: null }, 'customer', 'must be an object, which is merged into customer; got null'],
  ])('cannot be a field that the specification shows in the same place: %j', (fields, path, message) => {
    expect(issues(additionalPaymentFields, fields)).toEqual([[path, message]]);
  });

  test('can have the name of a field that the specification shows in a different place', () => {
    const fields = { phoneNumber: '1', cart: { items: [], amount: 1 }, customer: { zipCode: '1' } };
    expect(additionalPaymentFields.parse(fields)).toEqual(fields);
  });

  test.each(['{"__proto__":{"a":1}}', '{"constructor":{"a":1}}', '{"customer":{"__proto__":1}}'])(
    'change no prototype: %s',
    (json) => {
      const body = withAdditionalFields(wire, additionalPaymentFields.parse(JSON.parse(json)));
      expect(Object.getPrototypeOf(body)).toBe(Object.prototype);
      expect(Object.getPrototypeOf(body.customer)).toBe(Object.prototype);
    },
  );

  test('report every problem at once', () => {
    const fields = { lang: 'vi', customer: { email: 'a', rank: 1 }, items: 1 };
    expect(issues(additionalPaymentFields, fields)?.map(([path]) => path)).toEqual([
      'lang',
      'customer.email',
      'customer.rank',
      'items',
    ]);
  });

  const rule = "must be a plain object of JSON data, such as { voucher: 'A' }";

  test.each<readonly [unknown, string]>([
    [null, `${rule}; got null`],
    ['voucher', `${rule}; got a string`],
    [[], `${rule}; got an array`],
    [new Map(), `${rule}; got a Map`],
    [new Date(0), `${rule}; got a Date`],
    [{ toJSON: () => [] }, rule],
    [{ a: NaN }, 'cannot be written as JSON: a is not a finite number'],
  ])('%#: must be plain JSON data', (value, message) => {
    expect(issues(additionalPaymentFields, value)).toEqual([['', message]]);
  });
});

describe('the additional fields of an upload', () => {
  test('are text, in the given order', () => {
    const fields = { voucher: 'A', 'ghi chú': 'hóa đơn\n', empty: '', left: undefined };
    expect(Object.entries(additionalUploadFields.parse(fields))).toEqual([
      ['voucher', 'A'],
      ['ghi chú', 'hóa đơn\n'],
      ['empty', ''],
    ]);
  });

  test.each(['merchantId', 'storeId', 'extraData', 'file', 'fileUrl'])(
    'cannot be %s, which the specification shows',
    (name) => {
      expect(issues(additionalUploadFields, { [name]: 'a' })).toEqual([
        [name, `belongs in the request itself, as ${name}`],
      ]);
    },
  );

  test.each<readonly [string, unknown, string]>([
    ['a', 7, 'must be a string; got a number'],
    ['a', { b: 1 }, 'must be a string; got an object'],
    ['a', null, 'must be a string; got null'],
    ['a', '\ud800', 'must be well-formed Unicode'],
    ['', 'a', 'has a name that is empty or contains quotes, backslashes or control characters'],
    [
      'a"; filename="b',
      'a',
      'has a name that is empty or contains quotes, backslashes or control characters',
    ],
    ['a\r\nX: b', 'a', 'has a name that is empty or contains quotes, backslashes or control characters'],
    ['a\\', 'a', 'has a name that is empty or contains quotes, backslashes or control characters'],
    ['\ud800', 'a', 'has a name that is empty or contains quotes, backslashes or control characters'],
  ])('%#: the field %j cannot be %j', (name, value, message) => {
    expect(issues(additionalUploadFields, { [name]: value })).toEqual([[name, message]]);
  });

  test.each([null, 'a', [], new Map(), new FormData()])('%#: must be a plain object', (value) => {
    expect(issues(additionalUploadFields, value)).toMatchObject([
      [
        '',
        expect.stringMatching(
          /^must be a plain object of strings, such as \{ voucher: 'A' \}; got a?n? ?\w+$/,
        ),
      ],
    ]);
  });
});
