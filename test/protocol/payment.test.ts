import { describe, expect, test } from 'vitest';
import { paymentRequestSchema } from '../../src/entries/index.js';
import { paymentRequestWireSchema } from '../../src/protocol/payment-schema.js';
import { paymentUrlProblem } from '../../src/protocol/urls.js';
import { addresses, noAddresses } from '../helpers/addresses.js';
import { brokenRules, refusal, wireOf } from '../helpers/outcomes.js';
import { credentials, paymentRequest } from '../helpers/samples.js';

const broken = (changes: object) => brokenRules('initiatePayment', { ...paymentRequest(), ...changes });
const passes = async (changes: object) => wireOf({ ...paymentRequest(), ...changes });
const item = (changes: object) => ({ items: [{ ...paymentRequest().items[0], ...changes }] });
const customer = (changes: object) => ({ customer: { ...paymentRequest().customer, ...changes } });

/** The request with a value at a path such as `items.0.price`. */
function having(path: string, value: unknown): object {
  const request: Record<string, unknown> = { ...structuredClone(paymentRequest()) };
  const names = path.split('.');
  const last = names.pop() ?? '';
  const parent = names.reduce((part, name) => (part[name] ??= {}) as Record<string, unknown>, request);
  parent[last] = value;
  return request;
}

describe('a payment is completed with', () => {
  test('every constant, every total and the defaults of the client', async () => {
    expect(await wireOf(paymentRequest())).toEqual({
      ...paymentRequest(),
      merchantId: 'DEMO-MERCHANT',
      storeId: 'STORE-01',
      platformId: 'WEBSHOP',
      requestType: 'installment',
      amount: { value: 12_000_000, currency: 'VND' },
      items: [{ ...paymentRequest().items[0], currency: 'VND', totalAmount: 12_000_000 }],
      shipping: { ...paymentRequest().shipping, country: 'VN' },
    });
  });

  test('no value instead of a given value', async () => {
    const own = { merchantId: 'M', storeId: 'S', platformId: 'P', lang: 'vi', extraData: '', sendSms: false };
    expect(await passes(own)).toMatchObject(own);
  });

  test('no field that has no default, and no undefined', async () => {
    const wire = await passes({ lang: undefined, seller: undefined });
    expect(Object.keys(wire)).not.toContain('lang');
    expect(Object.keys(wire)).not.toContain('seller');
  });

  test("values in a copy, not in the caller's request", async () => {
    const request = paymentRequest();
    await wireOf(request);
    expect(request).toEqual(paymentRequest());
  });

  test('the same bytes whether a total was given or derived', async () => {
    const given = await passes(item({ totalAmount: 12_000_000 }));
    expect(JSON.stringify(given)).toBe(JSON.stringify(await wireOf(paymentRequest())));
  });

  test.each(['merchantId', 'storeId', 'platformId'])(
    '%s, which is required if the client has none',
    async (name) => {
      const all = { merchantId: 'M', storeId: 'S', platformId: 'P' };
      const bare = { ...all, [name]: undefined };
      const request = { ...paymentRequest(), ...bare };
      const none = { ...credentials, merchantId: undefined, storeId: undefined, platformId: undefined };
      const error = await refusal('initiatePayment', request, none);
      expect(error.issues).toEqual([
        {
          path: [name],
          message: 'is required: pass it here, or once as an option of the client',
          resultStatus: 'INVALID_REQUEST',
        },
      ]);
    },
  );

  test.each([
    'merchantId',
    'storeId',
    'platformId',
    'lang',
    'installment',
    'seller',
    'requestType',
    'sendSms',
  ])('no value instead of null, which is refused for %s', async (name) => {
    expect(await broken({ [name]: null })).toEqual([`${name} INVALID_REQUEST`]);
  });
});

describe('a missing field is reported:', () => {
  const required = [
    'referenceId',
    'paymentMethod',
    'description',
    'successRedirectUrl',
    'unSuccessRedirectUrl',
    'amount',
    'items',
    'customer',
    'shipping',
  ];

  test.each([
    ...required,
    ...['phoneNumber', 'email', 'firstName', 'lastName'].map((name) => `customer.${name}`),
    ...['city', 'district', 'ward', 'street', 'houseNumber'].map((name) => `shipping.${name}`),
    ...['productId', 'productName', 'category', 'quantity', 'price'].map((name) => `items.0.${name}`),
    'amount.value',
    'installment.packageId',
    'seller.id',
  ])('%s', async (path) => {
    const { issues } = await refusal('initiatePayment', having(path, undefined));
    expect(issues).toMatchObject([{ resultStatus: 'INVALID_REQUEST' }]);
    expect(issues[0]?.path.join('.')).toBe(path);
    expect(issues[0]?.message).toMatch(/^is required/);
  });

  test('all of them at once for an empty request', async () => {
    const error = await refusal('initiatePayment', {});
    expect(error.issues.map(({ path }) => path[0])).toEqual(required);
  });
});

const notText = [null, 7, true, {}, []];

describe('each valid value is sent unchanged:', () => {
  test.each<[string, readonly unknown[]]>([
    ['paymentMethod', ['APP', 'POS', 'WEB']],
    ['lang', ['vi', 'en']],
    ['terminalType', ['DESKTOP_BROWSER', 'MOBILE_BROWSER', 'MOBILE_APP']],
    ['requestType', ['installment']],
    ['amount.currency', ['VND']],
    ['shipping.country', ['VN']],
    ['amount.value', [1, 1000, Number.MAX_SAFE_INTEGER]],
    ['transExpiredTime', [1, 600_000]],
    ['items.0.price', [0, 0.5, 1e21]],
    ['referenceId', ['a', '9', '_:-', 'x'.repeat(60)]],
    ['customer.gender', ['M', 'F', 'U']],
    ['customer.phoneNumber', ['0912345678', '+84912345678', '1', '0'.repeat(40)]],
    ['customer.email', addresses],
    ['customer.dateOfBirth', ['29-02-2000', '31-12-1999', '01-01-1970']],
    // Emoji and decomposed Vietnamese are sent unchanged.
    ['description', ['', 'Tu\u0309 la\u0323nh 📄 \u0000 tủ lạnh']],
    [
      'successRedirectUrl',
      ['https://shop.example', 'http://shop.example/a?b#c', 'shopapp://paid', 'intent:paid'],
    ],
    ['unSuccessRedirectUrl', ['com.shop.app:/paid']],
  ])('%s', async (path, values) => {
    for (const value of values) expect(await wireOf(having(path, value))).toHaveProperty(path, value);
  });
});

/** IDs that are empty, or have invisible characters at an end. */
const ragged = ['', ' M', 'M\r', 'M\n', 'M\u0000', '\u00a0M'];

describe('each invalid value is refused at its path:', () => {
  test.each<[string, readonly unknown[], status?: string]>([
    ['paymentMethod', ['web', '', 'CARD']],
    ['lang', ['VI', 'fr']],
    ['terminalType', ['TABLET']],
    ['requestType', ['INSTALLMENT', 'refund']],
    ['amount.currency', ['USD']],
    ['items.0.currency', ['vnd']],
    ['shipping.country', ['US']],
    ['amount.value', [0, -1, 0.5, 1e21, Number.MAX_SAFE_INTEGER + 1, NaN, -Infinity], 'INVALID_AMOUNT'],
    ['amount.value', ['1000', 10n, null, true, {}]],
    ['items.0.quantity', [0, -1, 1.5, NaN, Infinity, 9007199254740992, '1', 1n]],
    ['items.0.price', [-0.01, -1, NaN, Infinity, '1', 1n, null]],
    ['items.0.totalAmount', [NaN, Infinity, -1, '12000000', null]],
    ['transExpiredTime', [0, -1, 0.5, NaN, '600000']],
    ['items', [[], 'text', {}, null, { length: 1, 0: {} }]],
    ['items.0', [null, 'SKU', []]],
    [
      'referenceId',
      ['', 'x'.repeat(61), 'ORDER-1\n', '\nORDER', 'ORDER 1', 'ĐƠN-1', '١٢٣', 'a.b', 'a/b'],
      'INVALID_REFERENCE_ID',
    ],
    ['referenceId', notText],
    ['customer.gender', ['X']],
    [
      'customer.phoneNumber',
      ['', '+', '++84', '84+', '09 12', '0912-345', '0912345678\n', '٠٩١٢٣٤٥٦٧٨', '(09)12', '0x12'],
      'PHONE_NUMBER_INVALID',
    ],
    ['customer.phoneNumber', [912345678]],
    ['customer.email', [...noAddresses, 'a\ud800@b.vn']],
    [
      'customer.dateOfBirth',
      [
        '29-02-2001',
        '31-04-2000',
        '2000-12-31',
        '1-1-2000',
        '',
        '00-01-2000',
        '01-13-2000',
        '131-12-1990',
        '31-12-19901',
      ],
    ],
    ['successRedirectUrl', ['', '/paid', 'shop.example/paid', 'https://']],
    ['unSuccessRedirectUrl', ['javascript:x']],
    ['description', [...notText, '\ud800']],
    ['items.0.description', ['\ud800']],
    ['shipping.zipCode', ['\ud800']],
    ['merchantId', ragged],
    ['platformId', ragged],
    ['storeId', ragged, 'INVALID_STORE_ID'],
    ['sendSms', ['true', 1, 0, 'yes']],
    ['sendEmail', ['yes']],
  ])('%s', async (path, values, status = 'INVALID_REQUEST') => {
    const shown = path.replace('.0', '[0]');
    for (const value of values) {
      const issues = await brokenRules('initiatePayment', having(path, value));
      expect([value, ...new Set(issues)]).toEqual([value, `${shown} ${status}`]);
    }
  });
});

describe('the total of an item:', () => {
  test.each([
    [0.1, 3, 0.3],
    [19.99, 100, 1999],
    [33.33, 3, 99.99],
    [0, 7, 0],
    [-0, 1, 0],
    [1e-7, 3, 3e-7],
    [1.1, 1.1e15, 1.21e15],
    [1, 9007199254740991, 9007199254740991],
  ])('%d x %d is %d', async (price, quantity, totalAmount) => {
    for (const total of [undefined, totalAmount])
      expect(await passes(item({ price, quantity, totalAmount: total }))).toHaveProperty(
        'items.0.totalAmount',
        totalAmount,
      );
  });

  test.each([
    [0.1, 3, 0.30000000000000004],
    [10, 2, 20.000000001],
    [10, 2, 0],
    // The total cannot be represented exactly, or overflows: it must not be sent as a different number.
    [9007199254740991, 3, undefined],
    [1e308, 100, undefined],
  ])('%d x %d has no exact total, or a different total: %s', async (price, quantity, totalAmount) => {
    expect(await broken(item({ price, quantity, totalAmount }))).toEqual([
      'items[0].totalAmount INVALID_REQUEST',
    ]);
  });

  test.each([0, -1, 0.5, NaN, '2'])(
    'is not compared with a quantity that is refused: %s',
    async (quantity) => {
      const request = { ...item({ quantity, price: 500, totalAmount: 1000 }), referenceId: '' };
      expect(await broken(request)).toEqual([
        'referenceId INVALID_REFERENCE_ID',
        'items[0].quantity INVALID_REQUEST',
      ]);
    },
  );
});

describe('the items of an order', () => {
  const many = (count: number, line: object = paymentRequest().items[0] ?? {}) => ({
    items: Array.from({ length: count }, () => line),
  });

  test('can be 200, and not 201, which are not checked one by one', async () => {
    expect((await passes(many(200)))['items']).toHaveLength(200);
    expect(await broken(many(201, {}))).toEqual(['items INVALID_REQUEST']);
  });

  test('report a hole in the list as a missing item', async () => {
    const items = [paymentRequest().items[0]];
    items[2] = paymentRequest().items[0];
    expect(await broken({ items })).toEqual(['items[1] INVALID_REQUEST']);
  });
});

describe('an unknown field:', () => {
  test.each(['refundId', '', 'constructor', 'toString', 'hasOwnProperty', '__proto__', 'MerchantId'])(
    '%j is refused at the top',
    async (name) => {
      const request: unknown = JSON.parse(
        `{${JSON.stringify(name)}:{},${JSON.stringify(paymentRequest()).slice(1)}`,
      );
      const { issues } = await refusal('initiatePayment', request);
      expect(issues).toMatchObject([{ path: [name], resultStatus: 'INVALID_REQUEST' }]);
      expect(issues[0]?.message).toMatch(/^unknown field/);
    },
  );

  test.each(['colour', '__proto__', 'constructor', 'toString'])('%s is refused inside', async (name) => {
    const json = `{"${name}":1,`;
    const nested = (value: object): unknown => JSON.parse(json + JSON.stringify(value).slice(1));
    const { amount, items, customer: buyer, shipping: address } = paymentRequest();
    const paths = await broken({
      amount: nested(amount),
      items: [nested(items[0] ?? {})],
      customer: nested(buyer),
      shipping: nested(address),
      installment: nested({ packageId: 'P' }),
      seller: nested({ id: 'S' }),
    });
    expect(paths).toEqual(
      ['amount', 'items[0]', 'customer', 'shipping', 'installment', 'seller'].map(
        (where) => `${where}.${name} INVALID_REQUEST`,
      ),
    );
  });

  test('is named individually', async () => {
    expect(await broken({ a: 1, b: 2 })).toEqual(['a INVALID_REQUEST', 'b INVALID_REQUEST']);
  });
});

describe('the schemas of a payment:', () => {
  test('a shop can check an order without the fields that its client adds', () => {
    expect(paymentRequestSchema.parse(paymentRequest())).toEqual({
      ...paymentRequest(),
      requestType: 'installment',
      amount: { value: 12_000_000, currency: 'VND' },
      items: [{ ...paymentRequest().items[0], currency: 'VND', totalAmount: 12_000_000 }],
      shipping: { ...paymentRequest().shipping, country: 'VN' },
    });
    const wrong = { ...paymentRequest(), merchantId: '', storeId: null, platformId: 7 };
    expect(paymentRequestSchema.safeParse(wrong).error?.issues).toMatchObject([
      { path: ['merchantId'], message: 'must not be empty' },
      { path: ['storeId'], message: 'must be a string; got null: leave the field out' },
      { path: ['platformId'], message: 'must be a string; got a number' },
    ]);
  });

  test('the client sends what the shop checked', async () => {
    expect(await wireOf(paymentRequestSchema.parse(paymentRequest()))).toEqual(
      await wireOf(paymentRequest()),
    );
  });

  test('the wire schema accepts the output of the input schema', () => {
    const request = { ...paymentRequest(), merchantId: 'M', storeId: 'S', platformId: 'P' };
    const wire = paymentRequestSchema.parse(request);
    expect(paymentRequestWireSchema.parse(wire)).toEqual(wire);
  });

  test('the wire schema requires constants and exact totals', () => {
    const request = { ...paymentRequest(), merchantId: 'M', storeId: 'S', platformId: 'P' };
    const paths = (value: unknown) =>
      paymentRequestWireSchema.safeParse(value).error?.issues.map(({ path }) => path.join('.'));
    expect(paths(request)).toEqual([
      'requestType',
      'amount.currency',
      'items.0.currency',
      'items.0.totalAmount',
      'shipping.country',
    ]);
    const wire = paymentRequestSchema.parse(request);
    const off = {
      ...wire,
      items: wire.items.map((line) => ({ ...line, totalAmount: line.totalAmount + 1 })),
    };
    expect(paymentRequestWireSchema.safeParse(off).error?.issues).toMatchObject([
      // The message gives no advice for users of the client.
      { path: ['items', 0, 'totalAmount'], message: 'must equal price x quantity exactly' },
    ]);
  });
});

const integer = 'must be an integer from 1 to 9007199254740991';

describe('a message states the expected value, its form and its place:', () => {
  test.each<readonly [string, object, string]>([
    [
      'a date of birth as a Date',
      customer({ dateOfBirth: new Date(0) }),
      'must be a string in the form DD-MM-YYYY, such as 31-12-1990; got a Date',
    ],
    [
      'a day that does not exist',
      customer({ dateOfBirth: '31-02-1990' }),
      'is not a real date: check the day and the month',
    ],
    [
      'an amount as a number',
      { amount: 12e6 },
      'must be an object, such as { value: 12000000 }; got a number',
    ],
    [
      'an amount that is not round',
      { amount: { value: 1.5 } },
      `${integer}; has a fraction: round to whole đồng`,
    ],
    [
      'a part of a unit',
      item({ quantity: 0.5 }),
      `${integer}; has a fraction: use one item with quantity 1, and put the total into its price`,
    ],
    [
      'a discount as an item',
      item({ price: -50_000, totalAmount: -50_000 }),
      'must be a number of VND, 0 or greater; is negative: for a discount, lower the prices of the other items',
    ],
    [
      'a total without equal prices',
      item({ price: 33_333.33, quantity: 3, totalAmount: 100_000 }),
      'must equal price x quantity exactly; cannot be divided into equal prices: use one item with quantity 1, and put the total into its price',
    ],
    [
      'a total that cannot be held',
      item({ price: 9007199254740991, quantity: 3 }),
      'cannot be computed: price x quantity has more digits than a number can represent',
    ],
    [
      'a misspelled field',
      { storeIdd: 'S' },
      "unknown field: did you mean storeId? If only your provider's documentation shows this field, pass it in " +
        'the option additionalFields',
    ],
    [
      'a phone number as a number',
      customer({ phoneNumber: 912345678 }),
      'must be a string of digits with an optional leading +, such as 0912345678; got a number',
    ],
    ['no items', { items: [] }, 'must be an array of 1 to 200 items'],
    [
      'a redirect to a script',
      { successRedirectUrl: 'javascript:alert(1)' },
      'must be an absolute URL, such as https://shop.example/paid; URLs with javascript:, data: or vbscript: are refused',
    ],
    [
      'an address without a host',
      customer({ email: 'an' }),
      'must be an e-mail address, such as an@example.com',
    ],
    [
      'a total that does not fit',
      item({ totalAmount: 1 }),
      'must equal price x quantity exactly; leave the field out, and it is computed',
    ],
    ['a package as text', { installment: 'P-1' }, 'must be an object, such as { packageId }; got a string'],
    [
      'a reference with a space',
      { referenceId: 'a b' },
      'must be 1 to 60 characters: digits, letters, "_", ":" and "-", such as ORDER:2026-0001',
    ],
  ])('%s', async (_name, changes, message) => {
    const { issues } = await refusal('initiatePayment', { ...paymentRequest(), ...changes });
    expect(new Set(issues.map((issue) => issue.message))).toEqual(new Set([message]));
  });
});

describe('the URL of an approved response', () => {
  test.each([
    [{}, 'has no paymentUrl'],
    [{ paymentUrl: '' }, 'has no paymentUrl'],
    [{ paymentUrl: 7 }, 'has no paymentUrl'],
    [{ paymentUrl: 'javascript:alert(1)' }, 'is a javascript: URL'],
    [{ paymentUrl: ' DATA:text/html,x' }, 'is a data: URL'],
  ])('%j is refused with its own problem', (answer, problem) => {
    expect(paymentUrlProblem(answer)).toContain(problem);
  });

  test.each(['https://pay.example/p/1', 'shopapp://pay', '/p/1'])('%s is accepted', (paymentUrl) => {
    expect(paymentUrlProblem({ paymentUrl })).toBeUndefined();
  });
});
