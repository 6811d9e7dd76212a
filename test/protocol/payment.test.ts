import { describe, expect, it } from 'vitest';
import { paymentRequestSchema } from '../../src/index.js';
import { paymentRequestWireSchema } from '../../src/protocol/payment-schema.js';
import { paymentUrlProblem } from '../../src/protocol/urls.js';
import { addresses, noAddresses } from '../helpers/addresses.js';
import { brokenRules, refusal, wireOf } from '../helpers/outcomes.js';
import { credentials, paymentRequest } from '../helpers/samples.js';

const broken = (changes: object) => brokenRules('initiatePayment', { ...paymentRequest(), ...changes });
const passes = async (changes: object) => wireOf({ ...paymentRequest(), ...changes });
const item = (changes: object) => ({ items: [{ ...paymentRequest().items[0], ...changes }] });
const customer = (changes: object) => ({ customer: { ...paymentRequest().customer, ...changes } });
const shipping = (changes: object) => ({ shipping: { ...paymentRequest().shipping, ...changes } });

const notText = [null, 7, true, {}, []];
const loneSurrogates = ['\ud800', 'a\udc00', '\udc00\ud800', 'x\ud83d'];

describe('a payment is completed with', () => {
  it('every constant, every total and the defaults of the client', async () => {
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

  it('no value in place of a given one', async () => {
    const own = { merchantId: 'M', storeId: 'S', platformId: 'P', lang: 'vi', extraData: '', sendSms: false };
    expect(await passes(own)).toMatchObject(own);
  });

  it('no field that has no default, and no undefined', async () => {
    const wire = await passes({ lang: undefined, seller: undefined });
    expect(Object.keys(wire)).not.toContain('lang');
    expect(Object.keys(wire)).not.toContain('seller');
  });

  it("values in a copy, not in the caller's request", async () => {
    const request = paymentRequest();
    await wireOf(request);
    expect(request).toEqual(paymentRequest());
  });

  it('the same bytes whether a total was given or derived', async () => {
    const given = await passes(item({ totalAmount: 12_000_000 }));
    expect(JSON.stringify(given)).toBe(JSON.stringify(await wireOf(paymentRequest())));
  });

  it.each(['merchantId', 'storeId', 'platformId'])(
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
          message: 'is required; pass it here, or once as an option of the client',
          resultStatus: 'INVALID_REQUEST',
        },
      ]);
    },
  );

  it.each(['merchantId', 'storeId', 'platformId', 'lang', 'installment', 'seller', 'requestType', 'sendSms'])(
    'a refusal of null, which is a wrong value of %s',
    async (name) => {
      expect(await broken({ [name]: null })).toEqual([`${name} INVALID_REQUEST`]);
    },
  );
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

  it.each(required)('%s', async (name) => {
    const error = await refusal('initiatePayment', { ...paymentRequest(), [name]: undefined });
    expect(error.issues).toHaveLength(1);
    expect(error.issues[0]).toMatchObject({ path: [name], resultStatus: 'INVALID_REQUEST' });
    expect(error.issues[0]?.message).toMatch(/^is required/);
  });

  it.each(['phoneNumber', 'email', 'firstName', 'lastName'])('customer.%s', async (name) => {
    expect(await broken(customer({ [name]: undefined }))).toEqual([`customer.${name} INVALID_REQUEST`]);
  });

  it.each(['city', 'district', 'ward', 'street', 'houseNumber'])('shipping.%s', async (name) => {
    expect(await broken(shipping({ [name]: undefined }))).toEqual([`shipping.${name} INVALID_REQUEST`]);
  });

  it.each(['productId', 'productName', 'category', 'quantity', 'price'])('items[].%s', async (name) => {
    expect(await broken(item({ [name]: undefined }))).toEqual([`items[0].${name} INVALID_REQUEST`]);
  });

  it('installment.packageId and seller.id, if their objects are given', async () => {
    expect(await broken({ installment: {}, seller: {} })).toEqual([
      'installment.packageId INVALID_REQUEST',
      'seller.id INVALID_REQUEST',
    ]);
  });

  it('all of them at once for an empty request', async () => {
    const error = await refusal('initiatePayment', {});
    expect(error.issues.map(({ path }) => path[0])).toEqual(required);
  });
});

describe('another word is refused for', () => {
  it.each([
    ['paymentMethod', ['APP', 'POS', 'WEB'], ['web', '', 'CARD']],
    ['lang', ['vi', 'en'], ['VI', 'fr']],
    ['terminalType', ['DESKTOP_BROWSER', 'MOBILE_BROWSER', 'MOBILE_APP'], ['TABLET']],
    ['requestType', ['installment'], ['INSTALLMENT', 'refund']],
  ])('%s', async (name, good, bad) => {
    for (const value of good) expect(await passes({ [name]: value })).toHaveProperty(name, value);
    for (const value of bad) expect(await broken({ [name]: value })).toEqual([`${name} INVALID_REQUEST`]);
  });

  it('customer.gender, every currency and shipping.country', async () => {
    for (const gender of ['M', 'F', 'U']) await expect(passes(customer({ gender }))).resolves.toBeDefined();
    expect(await broken(customer({ gender: 'X' }))).toEqual(['customer.gender INVALID_REQUEST']);
    expect(await broken({ amount: { value: 1, currency: 'USD' } })).toEqual([
      'amount.currency INVALID_REQUEST',
    ]);
    expect(await broken(item({ currency: 'vnd' }))).toEqual(['items[0].currency INVALID_REQUEST']);
    expect(await broken(shipping({ country: 'US' }))).toEqual(['shipping.country INVALID_REQUEST']);
    await expect(
      passes({ amount: { value: 1, currency: 'VND' }, ...shipping({ country: 'VN' }) }),
    ).resolves.toBeDefined();
  });
});

describe('a payment accepts or refuses', () => {
  it.each([1, 1000, Number.MAX_SAFE_INTEGER])('an amount of %d, which is accepted', async (value) => {
    expect(await passes({ amount: { value } })).toHaveProperty('amount.value', value);
  });

  it.each([0, -1, 0.5, 1e21, Number.MAX_SAFE_INTEGER + 1, NaN, Infinity, -Infinity])(
    'an amount of %d, which is INVALID_AMOUNT',
    async (value) => {
      expect(await broken({ amount: { value } })).toEqual(['amount.value INVALID_AMOUNT']);
    },
  );

  it.each(['1000', 10n, null, undefined, true, {}])(
    'an amount of %s, which is not a number',
    async (value) => {
      expect(await broken({ amount: { value } })).toEqual(['amount.value INVALID_REQUEST']);
    },
  );

  it.each([1, 2, 9007199254740991])('a quantity of %d, which is accepted', async (quantity) => {
    expect(await passes(item({ quantity, price: 1 }))).toHaveProperty('items.0.totalAmount', quantity);
  });

  it.each([0, -1, 1.5, NaN, Infinity, 9007199254740992, '1', 1n])(
    'a quantity of %s, which is refused',
    async (quantity) => {
      expect(await broken(item({ quantity }))).toEqual(['items[0].quantity INVALID_REQUEST']);
    },
  );

  it.each([0, 0.5, 1e21, -0])('a price of %d, which is accepted', async (price) => {
    expect(await passes(item({ price }))).toHaveProperty('items.0.price', price === 0 ? 0 : price);
  });

  it.each([-0.01, -1, NaN, Infinity, '1', 1n, null])('a price of %s, which is refused', async (price) => {
    expect(await broken(item({ price }))).toEqual(['items[0].price INVALID_REQUEST']);
  });

  it.each([NaN, Infinity, -1, '12000000', null])('a total of %s, which is refused', async (totalAmount) => {
    expect(await broken(item({ totalAmount }))).toEqual(['items[0].totalAmount INVALID_REQUEST']);
  });

  it.each([1, 600_000])('a transExpiredTime of %d, which is accepted', async (transExpiredTime) => {
    expect(await passes({ transExpiredTime })).toHaveProperty('transExpiredTime', transExpiredTime);
  });

  it.each([0, -1, 0.5, NaN, '600000'])(
    'a transExpiredTime of %s, which is refused',
    async (transExpiredTime) => {
      expect(await broken({ transExpiredTime })).toEqual(['transExpiredTime INVALID_REQUEST']);
    },
  );
});

describe('the total of an item:', () => {
  it.each([
    [0.1, 3, 0.3],
    [19.99, 100, 1999],
    [33.33, 3, 99.99],
    [0, 7, 0],
    [1e-7, 3, 3e-7],
    [1.1, 1.1e15, 1.21e15],
    [5_999_000, 2, 11_998_000],
  ])('%d x %d is %d', async (price, quantity, totalAmount) => {
    expect(await passes(item({ price, quantity }))).toHaveProperty('items.0.totalAmount', totalAmount);
    expect(await passes(item({ price, quantity, totalAmount }))).toHaveProperty(
      'items.0.totalAmount',
      totalAmount,
    );
  });

  it.each([
    [0.1, 3, 0.30000000000000004],
    [10, 2, 20.000000001],
    [10, 2, 19],
    [10, 2, 0],
  ])('%d x %d is not %d', async (price, quantity, totalAmount) => {
    expect(await broken(item({ price, quantity, totalAmount }))).toEqual([
      'items[0].totalAmount INVALID_REQUEST',
    ]);
  });

  it('a product that a number cannot represent exactly has no total', async () => {
    const beyond = { price: 9007199254740991, quantity: 3 };
    expect(await broken(item(beyond))).toEqual(['items[0].totalAmount INVALID_REQUEST']);
  });

  it('a product that overflows is refused, not sent as null', async () => {
    expect(await broken(item({ price: 1e308, quantity: 100 }))).toEqual([
      'items[0].totalAmount INVALID_REQUEST',
    ]);
  });
});

describe('the items of an order', () => {
  const many = (count: number) => ({ items: Array.from({ length: count }, () => paymentRequest().items[0]) });

  it.each([1, 200])('may be %i', async (count) => {
    expect((await passes(many(count)))['items']).toHaveLength(count);
  });

  it.each([0, 201])('cannot be %i', async (count) => {
    expect(await broken(many(count))).toEqual(['items INVALID_REQUEST']);
  });

  it('are not checked one by one if there are too many', async () => {
    expect(await broken({ items: Array.from({ length: 201 }, () => ({})) })).toEqual([
      'items INVALID_REQUEST',
    ]);
  });

  it.each(['text', {}, null, { length: 1, 0: {} }])('cannot be %j', async (items) => {
    expect(await broken({ items })).toEqual(['items INVALID_REQUEST']);
  });

  it('report the index of an invalid item', async () => {
    const items = [paymentRequest().items[0], null, 'SKU', []];
    expect(await broken({ items })).toEqual([
      'items[1] INVALID_REQUEST',
      'items[2] INVALID_REQUEST',
      'items[3] INVALID_REQUEST',
    ]);
  });

  it('report a hole in the list as a missing item', async () => {
    const items = [paymentRequest().items[0]];
    items[2] = paymentRequest().items[0];
    expect(await broken({ items })).toEqual(['items[1] INVALID_REQUEST']);
  });
});

describe('a referenceId', () => {
  it.each(['a', '9', '_:-', 'x'.repeat(60)])('may be %s', async (referenceId) => {
    expect(await passes({ referenceId })).toHaveProperty('referenceId', referenceId);
  });

  it.each(['', 'x'.repeat(61), 'ORDER-1\n', '\nORDER', 'ORDER 1', 'ĐƠN-1', '١٢٣', 'a.b', 'a/b', '\ud800'])(
    'is INVALID_REFERENCE_ID as %j',
    async (referenceId) => {
      expect(new Set(await broken({ referenceId }))).toEqual(new Set(['referenceId INVALID_REFERENCE_ID']));
    },
  );

  it.each(notText)('is not a string as %j', async (referenceId) => {
    expect(await broken({ referenceId })).toEqual(['referenceId INVALID_REQUEST']);
  });
});

describe("a customer's data:", () => {
  it.each(['0912345678', '+84912345678', '1', '0'.repeat(40)])(
    'the phone number %s is accepted',
    async (phoneNumber) => {
      await expect(passes(customer({ phoneNumber }))).resolves.toBeDefined();
    },
  );

  it.each(['', '+', '++84', '84+', '09 12', '0912-345', '0912345678\n', '٠٩١٢٣٤٥٦٧٨', '(09)12', '0x12'])(
    'the phone number %j is PHONE_NUMBER_INVALID',
    async (phoneNumber) => {
      expect(await broken(customer({ phoneNumber }))).toEqual(['customer.phoneNumber PHONE_NUMBER_INVALID']);
    },
  );

  it('a phone number that is a number is INVALID_REQUEST', async () => {
    expect(await broken(customer({ phoneNumber: 912345678 }))).toEqual([
      'customer.phoneNumber INVALID_REQUEST',
    ]);
  });

  it.each(addresses)('%s is an e-mail address', async (email) => {
    await expect(passes(customer({ email }))).resolves.toBeDefined();
  });

  it.each([...noAddresses, 'a\ud800@b.vn'])('%j is not an e-mail address', async (email) => {
    expect(await broken(customer({ email }))).toEqual(['customer.email INVALID_REQUEST']);
  });

  it.each(['29-02-2000', '31-12-1999', '01-01-1970'])(
    'a date of birth of %s is accepted',
    async (dateOfBirth) => {
      await expect(passes(customer({ dateOfBirth }))).resolves.toBeDefined();
    },
  );

  it.each(['29-02-2001', '31-04-2000', '2000-12-31', '1-1-2000', '', '00-01-2000', '01-13-2000'])(
    'a date of birth of %j is refused',
    async (dateOfBirth) => {
      expect(await broken(customer({ dateOfBirth }))).toEqual(['customer.dateOfBirth INVALID_REQUEST']);
    },
  );
});

describe('a redirect URL', () => {
  it.each([
    'https://shop.example',
    'http://shop.example/a?b#c',
    'shopapp://paid',
    'intent:paid',
    'com.shop.app:/paid',
  ])('may be %s', async (url) => {
    expect(await passes({ successRedirectUrl: url })).toHaveProperty('successRedirectUrl', url);
  });

  it.each([
    '',
    '/paid',
    'shop.example/paid',
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    ' javascript:x',
    'java\nscript:x',
    'data:text/html,x',
    'vbscript:x',
    'https://',
  ])('cannot be %j', async (url) => {
    expect(await broken({ successRedirectUrl: url, unSuccessRedirectUrl: url })).toEqual([
      'successRedirectUrl INVALID_REQUEST',
      'unSuccessRedirectUrl INVALID_REQUEST',
    ]);
  });
});

describe('a text:', () => {
  it.each(loneSurrogates)('half a surrogate pair is refused in a deep field: %j', async (text) => {
    expect(await broken({ ...item({ description: text }), ...shipping({ zipCode: text }) })).toEqual([
      'items[0].description INVALID_REQUEST',
      'shipping.zipCode INVALID_REQUEST',
    ]);
  });

  it('emoji and decomposed Vietnamese are sent as they were given', async () => {
    const description = 'Tu\u0309 la\u0323nh 📄 \u0000 tủ lạnh';
    expect(await passes({ description })).toHaveProperty('description', description);
  });

  it.each(['merchantId', 'storeId', 'platformId'])('%s must not be empty', async (name) => {
    const status = name === 'storeId' ? 'INVALID_STORE_ID' : 'INVALID_REQUEST';
    expect(await broken({ [name]: '' })).toEqual([`${name} ${status}`]);
  });

  it('a field may be empty unless it identifies something', async () => {
    await expect(passes({ description: '', ...item({ category: '' }) })).resolves.toBeDefined();
  });

  it.each(notText)('%j is not a string', async (value) => {
    expect(await broken({ description: value })).toEqual(['description INVALID_REQUEST']);
  });

  it.each(['true', 1, 0, 'yes'])('%j is neither true nor false', async (value) => {
    expect(await broken({ sendSms: value, sendEmail: value })).toEqual([
      'sendSms INVALID_REQUEST',
      'sendEmail INVALID_REQUEST',
    ]);
  });
});

describe('an unknown field:', () => {
  it.each(['refundId', '', 'constructor', 'toString', 'hasOwnProperty', '__proto__', 'MerchantId'])(
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

  it.each(['colour', '__proto__', 'constructor', 'toString'])('%s is refused inside', async (name) => {
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

  it('does not change a prototype', async () => {
    const before = Object.getOwnPropertyNames(Object.prototype);
    await refusal('initiatePayment', JSON.parse('{"__proto__":{"polluted":true}}'));
    expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(before);
    expect({}).not.toHaveProperty('polluted');
  });

  it('is named individually', async () => {
    expect(await broken({ a: 1, b: 2 })).toEqual(['a INVALID_REQUEST', 'b INVALID_REQUEST']);
  });
});

describe('the schemas of a payment:', () => {
  it('a shop checks an order that lacks what its client fills in', () => {
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

  it('what the shop checked is what its client sends', async () => {
    expect(await wireOf(paymentRequestSchema.parse(paymentRequest()))).toEqual(
      await wireOf(paymentRequest()),
    );
  });

  it('the wire schema accepts the output of the input schema', () => {
    const request = { ...paymentRequest(), merchantId: 'M', storeId: 'S', platformId: 'P' };
    const wire = paymentRequestSchema.parse(request);
    expect(paymentRequestWireSchema.parse(wire)).toEqual(wire);
  });

  it('a total that cannot be derived is an issue of the total', () => {
    const request = { ...paymentRequest(), merchantId: 'M', storeId: 'S', platformId: 'P' };
    const [line] = request.items;
    const items = [{ ...line, price: 9007199254740991, quantity: 3 }];
    expect(paymentRequestSchema.safeParse({ ...request, items }).error?.issues).toMatchObject([
      { code: 'custom', path: ['items', 0, 'totalAmount'] },
    ]);
  });

  it('the wire schema requires constants and exact totals', () => {
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
    expect(paths(off)).toEqual(['items.0.totalAmount']);
  });
});

it('a total that does not fit, on the wire, is refused without advice for users of the client', async () => {
  const wire = await wireOf(paymentRequest());
  const items = [{ ...(wire['items'] as object[])[0], totalAmount: 1 }];
  const { error } = paymentRequestWireSchema.safeParse({ ...wire, items });
  expect(error?.issues).toMatchObject([
    { path: ['items', 0, 'totalAmount'], message: 'must equal price x quantity exactly' },
  ]);
});

const integer = 'must be an integer from 1 to 9007199254740991';

class Big {
  readonly toNumber = () => 12;
}

describe('a message states the expected value, its form and its place:', () => {
  it.each<readonly [string, object, string]>([
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
    ['an amount as text', { amount: { value: '12' } }, `${integer}; got a string: pass a number`],
    ['a bigint', { amount: { value: 12n } }, `${integer}; got a bigint: pass a number`],
    [
      'a BigNumber',
      { amount: { value: new Big() } },
      `${integer}; got an object (a BigNumber? pass a number)`,
    ],
    [
      'an amount that is not round',
      { amount: { value: 1.5 } },
      `${integer}; has a fraction: round to whole đồng`,
    ],
    ['a part of a unit', item({ quantity: 0.5 }), `${integer}; has a fraction: one line with quantity 1`],
    [
      'a discount as an item',
      item({ price: -50_000, totalAmount: -50_000 }),
      'must be a number of VND, 0 or greater; is negative: put the discount into the prices',
    ],
    [
      'a total without equal prices',
      item({ price: 33_333.33, quantity: 3, totalAmount: 100_000 }),
      'must equal price x quantity exactly; cannot be divided into equal prices: one line with quantity 1',
    ],
    ['null', { lang: null }, "must be 'vi' or 'en'; got null: leave the field out"],
    [
      'a total that cannot be held',
      item({ price: 9007199254740991, quantity: 3 }),
      'cannot be derived: price x quantity has more digits than a number can hold',
    ],
    [
      'a misspelled field',
      { storeIdd: 'S' },
      'unknown field: did you mean storeId? A field that only your own documents show goes into the option additionalFields',
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
      'must be an absolute URL, such as https://shop.example/paid; javascript:, data:, vbscript: are refused',
    ],
    ['a switch that is text', { sendSms: 'yes' }, 'must be true or false; got a string'],
    [
      'an address without a host',
      customer({ email: 'an' }),
      'must be an e-mail address, such as an@example.com',
    ],
    [
      'a total that does not fit',
      item({ totalAmount: 1 }),
      'must equal price x quantity exactly; leave it out to have it derived',
    ],
    ['a package as text', { installment: 'P-1' }, 'must be an object, such as { packageId }; got a string'],
    [
      'a reference with a space',
      { referenceId: 'a b' },
      'must be 1 to 60 characters: digits, letters, "_", ":" and "-", such as ORDER:2026-0001',
    ],
    [
      'more than a day',
      customer({ dateOfBirth: '131-12-1990' }),
      'must be a string in the form DD-MM-YYYY, such as 31-12-1990',
    ],
    [
      'more than a year',
      customer({ dateOfBirth: '31-12-19901' }),
      'must be a string in the form DD-MM-YYYY, such as 31-12-1990',
    ],
  ])('%s', async (_name, changes, message) => {
    const { issues } = await refusal('initiatePayment', { ...paymentRequest(), ...changes });
    expect(new Set(issues.map((issue) => issue.message))).toEqual(new Set([message]));
  });
});

describe('the address of an approved answer', () => {
  it.each([
    [{}, 'has no paymentUrl'],
    [{ paymentUrl: '' }, 'has no paymentUrl'],
    [{ paymentUrl: 7 }, 'has no paymentUrl'],
    [{ paymentUrl: 'javascript:alert(1)' }, 'is a javascript: URL'],
    [{ paymentUrl: ' DATA:text/html,x' }, 'is a data: URL'],
  ])('%j is refused with its own problem', (answer, problem) => {
    expect(paymentUrlProblem(answer)).toContain(problem);
  });

  it.each(['https://pay.example/p/1', 'shopapp://pay', '/p/1'])('%s is accepted', (paymentUrl) => {
    expect(paymentUrlProblem({ paymentUrl })).toBeUndefined();
  });
});
