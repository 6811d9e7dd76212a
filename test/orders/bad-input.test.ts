import { describe, expect, test } from 'vitest';
import type { ValidationError } from '../../src/entries/index.js';
import { createOrderPayments, type OrderPayments } from '../../src/entries/orders.js';
import { memoryStorage } from './memory-storage.js';
import { eventOf, orderRequest, shop } from './support.js';

describe('wrong input', () => {
  test.each([
    ['an order of 201 items', { items: Array.from({ length: 201 }, () => orderRequest().items[0]) }],
    ['a negative amount', { amount: { value: -1 } }],
    ['an unknown field', { voucher: 'A' }],
  ])('with %s is refused before anything is stored', async (_what, changes) => {
    const { payments, sent } = shop();
    const request = { ...orderRequest(), ...changes } as never;
    const refused = { code: 'VALIDATION', $metadata: { operation: 'initiatePayment' } };
    await expect(payments.start('A-1', request)).rejects.toMatchObject(refused);
    await expect(payments.add('A-1', request)).rejects.toMatchObject(refused);
    expect(sent).toEqual([]);
    expect(await payments.list({ changedSince: new Date(0) })).toEqual([]);
  });

  test.each([undefined, null, 0])(
    'of add with the request %s changes nothing in an existing order',
    async (nothing) => {
      const { payments, turn, sent } = shop();
      await payments.add('A-1', orderRequest());
      await expect(payments.add('A-1', nothing as never)).rejects.toMatchObject({ code: 'VALIDATION' });
      expect(await payments.get('A-1')).toMatchObject({ state: 'new' });
      turn(2);
      await payments.sweep();
      const asSent = sent.map(({ referenceId, options }) => [referenceId, options?.mayHaveBeenSent ?? false]);
      expect(asSent).toEqual([['A-1-1', false]]);
    },
  );

  test.each([null, 0, ''])(
    'of start with the request %j is refused, not treated as a start without a request',
    async (nothing) => {
      const { payments } = shop();
      await payments.add('A-1', orderRequest());
      await expect(payments.start('A-1', nothing as never)).rejects.toMatchObject({ code: 'VALIDATION' });
      expect(await payments.get('A-1')).toMatchObject({ state: 'new' });
    },
  );

  test('in options and times is a typed error', async () => {
    const { payments } = shop();
    const configuration = { code: 'CONFIGURATION' };
    for (const call of [
      payments.start('A-1', orderRequest(), null as never),
      payments.sweep(5 as never),
      payments.conclude('A-1-1', 'paid', 'x' as never),
    ])
      await expect(call).rejects.toThrow('options must be an object');
    await expect(payments.list(undefined as never)).rejects.toThrow('must be { changedSince: a Date }');
    await expect(payments.list({ since: new Date() } as never)).rejects.toThrow('since is an unknown option');
    await expect(payments.restored('now' as never)).rejects.toThrow('since must be a valid Date');
    await expect(payments.sweep({ limit: 0 })).rejects.toMatchObject(configuration);
    for (const paymentUrl of ['javascript:alert(1)', 'pay.example/1', ''])
      await expect(payments.conclude('A-1-1', 'exists', { paymentUrl })).rejects.toMatchObject(configuration);
    await expect(payments.list({ changedSince: new Date(NaN) })).rejects.toMatchObject(configuration);
    await expect(payments.add('A-1', orderRequest(), { query: () => Promise.resolve([]) })).rejects.toThrow(
      'query must be left out: a custom storage does not support transactions of the caller',
    );
    expect(await payments.list({ changedSince: new Date(0) })).toEqual([]);
  });

  test.each([undefined, null, 'postgres', []])(
    'of createOrderPayments with the options %j is a typed error',
    (options) => {
      expect(() => createOrderPayments(options as never)).toThrow(
        expect.objectContaining({ code: 'CONFIGURATION', message: 'options must be an object' }) as Error,
      );
    },
  );

  test.each([
    [{ dialect: 'postgres', onPaid: 'firstPaid' }, 'query and dialect must both be passed, or storage alone'],
    [{ storage: {} }, 'storage must be an object with the functions read, insert'],
    [{ storage: memoryStorage(), tabel: 'x' }, 'did you mean table'],
    [{ storage: memoryStorage(), table: 'orders; DROP TABLE x' }, 'table must contain only letters'],
    [{ storage: memoryStorage(), claimMs: 0 }, 'claimMs'],
    [
      { storage: memoryStorage(), statusAliases: { paid: [] } },
      'statusAliases.paid must not be an empty list',
    ],
    [
      { storage: memoryStorage(), statusAliases: { paid: ['X'], declined: ['X'] } },
      'statusAliases must contain each value only once',
    ],
    [
      { storage: memoryStorage(), statusAliases: { paid: ['pending'] } },
      'statusAliases must contain each value only once',
    ],
    [{ storage: memoryStorage(), words: { paid: ['X'] } }, 'words is an unknown option'],
    [{ storage: memoryStorage(), mostPayments: 0 }, 'mostPayments'],
    [{ storage: memoryStorage() }, 'onPaid is required: a function'],
    [
      { storage: memoryStorage(), onPaid: 'later' },
      "onPaid is required: a function that ships the order, 'elsewhere'",
    ],
    [{ storage: memoryStorage(), logger: {} }, 'logger must have the methods'],
  ])('options %j are refused by name', (options, message) => {
    const { client } = shop();
    expect(() => createOrderPayments({ client, ...options } as never)).toThrow(message);
  });
});

const event = eventOf('A-1-1');

/** Wrong arguments of a JavaScript caller. */
const wrongCalls: readonly (readonly [
  title: string,
  call: (payments: OrderPayments) => Promise<unknown>,
  code: string,
  message: string,
])[] = [
  [
    'an unknown option of handleEvent',
    (p) => p.handleEvent(event, { acount: 'A' } as never),
    'CONFIGURATION',
    'did you mean account',
  ],
  [
    'a query that is no function',
    (p) => p.handleEvent(event, { query: 'tx' } as never),
    'CONFIGURATION',
    'query must be a function',
  ],
  ['an empty account', (p) => p.handleEvent(event, { account: '' }), 'CONFIGURATION', 'account'],
  [
    'an unknown conclusion',
    (p) => p.conclude('A-1-1', 'gone' as never),
    'CONFIGURATION',
    "conclusion must be 'absent', 'exists', 'paid', 'over' or 'accept'",
  ],
  [
    'an unknown conclusion of an invoice',
    (p) => p.concludeInvoice('A-1', 1, 'exists' as never),
    'CONFIGURATION',
    "conclusion must be 'stored' or 'absent'",
  ],
  [
    'a link that cannot be opened',
    (p) => p.conclude('A-1-1', 'exists', { paymentUrl: 'javascript:alert(1)' }),
    'CONFIGURATION',
    'paymentUrl must be the URL of a payment page',
  ],
  [
    'an empty name in by',
    (p) => p.conclude('A-1-1', 'paid', { by: '' }),
    'CONFIGURATION',
    'by must not be empty',
  ],
  [
    'a long name in by',
    (p) => p.lookUp('A-1-1', { by: 'x'.repeat(101) }),
    'CONFIGURATION',
    'by must have 100 characters at most',
  ],
  ['a number in by', (p) => p.cancel('A-1', { by: 5 } as never), 'CONFIGURATION', 'by'],
  ['by of markRefunded', (p) => p.markRefunded('A-1-1', { by: '' }), 'CONFIGURATION', 'by must not be empty'],
  [
    'by of concludeInvoice',
    (p) => p.concludeInvoice('A-1', 1, 'stored', { by: '' }),
    'CONFIGURATION',
    'by must not be empty',
  ],
  [
    'a language without texts',
    (p) => p.forReview({ lang: 'fr' as never }),
    'CONFIGURATION',
    "lang must be 'en' or 'vi'",
  ],
  [
    'additionalFields that are no object',
    (p) => p.start('A-1', orderRequest(), { additionalFields: 'A' as never }),
    'VALIDATION',
    'additionalFields',
  ],
  [
    'additionalFields in the place of a field',
    (p) => p.start('A-1', orderRequest(), { additionalFields: { lang: 'vi' } }),
    'VALIDATION',
    'lang',
  ],
  ['an order that is not there', (p) => p.start('B-1'), 'UNKNOWN_ORDER', 'call start with a request'],
  [
    'an invoice that is not there',
    (p) => p.concludeInvoice('A-1', 2, 'stored'),
    'UNKNOWN_ORDER',
    'no invoice with this number: pass the `number` of the item in forReview()',
  ],
  ['an invoice without a file', (p) => p.addInvoice('A-1', { invoiceNumber: 'I-1' }), 'VALIDATION', 'file'],
  [
    'a file that is no name',
    (p) => p.addInvoice('A-1', { invoiceNumber: 'I-1', file: { path: '1.pdf' } as never }),
    'VALIDATION',
    'must be the name of the file for loadFile, such as invoices/1.pdf',
  ],
  [
    'a file name that is empty',
    (p) => p.addInvoice('A-1', { invoiceNumber: 'I-1', file: '' }),
    'VALIDATION',
    'must be the name of the file for loadFile',
  ],
  [
    'a file name that is not well-formed',
    (p) => p.addInvoice('A-1', { invoiceNumber: 'I-1', file: '\ud800.pdf' }),
    'VALIDATION',
    'must be the name of the file for loadFile',
  ],
  [
    'a file name without the option loadFile',
    (p) => p.addInvoice('A-1', { invoiceNumber: 'I-1', file: '1.pdf' }),
    'VALIDATION',
    'needs the option loadFile of createOrderPayments',
  ],
  [
    'a referenceId in the request',
    (p) => p.start('A-1', { ...orderRequest(), referenceId: 'A-1-2' } as never),
    'VALIDATION',
    'is generated from the orderId: leave it out',
  ],
  ['an empty orderId', (p) => p.get(''), 'VALIDATION', 'must not be empty'],
  ['an orderId with NUL', (p) => p.get('A\0'), 'VALIDATION', 'must not contain NUL'],
  ['an orderId that is no text', (p) => p.get(5 as never), 'VALIDATION', 'orderId'],
  ['an orderId with half a character', (p) => p.get('\ud800'), 'VALIDATION', 'well-formed Unicode'],
  ['an orderId that is too long', (p) => p.history('x'.repeat(181)), 'VALIDATION', '180 characters'],
];

describe('a wrong call', () => {
  test.each(wrongCalls)(
    'with %s is a typed error, and nothing is stored or sent',
    async (_title, call, code, message) => {
      const { payments, storage, sent } = shop();
      await payments.start('A-1', orderRequest());
      const before = (await storage.read('A-1')).row;
      await expect(call(payments)).rejects.toMatchObject({
        code,
        message: expect.stringContaining(message) as string,
      });
      expect((await storage.read('A-1')).row).toEqual(before);
      expect(await payments.list({ changedSince: new Date(0) })).toHaveLength(1);
      expect(sent).toHaveLength(1);
    },
  );

  test('names the field and the operation in its error, so that a form can show the problem', async () => {
    const { payments } = shop();
    const named = async (call: Promise<unknown>) => {
      const error = (await call.catch((reason: unknown) => reason)) as ValidationError;
      return [error.$metadata?.operation, error.issues.map(({ path }) => path.join('.'))];
    };
    expect(await named(payments.start('', orderRequest()))).toEqual(['initiatePayment', ['orderId']]);
    const request = { ...orderRequest(), referenceId: 'A-1-1' } as never;
    expect(await named(payments.start('A-1', request))).toEqual(['initiatePayment', ['referenceId']]);
    const invoice = { invoiceNumber: 'I-1', file: '' };
    expect(await named(payments.addInvoice('A-1', invoice))).toEqual(['uploadInvoice', ['file']]);
  });

  test.each(['B-1-1', 'A-1-2', 'not ours', ''])(
    'with the referenceId %j of no payment is refused',
    async (referenceId) => {
      const { payments, storage } = shop();
      await payments.start('A-1', orderRequest());
      const before = (await storage.read('A-1')).row;
      for (const call of [
        payments.handleEvent(eventOf(referenceId)),
        payments.lookUp(referenceId),
        payments.conclude(referenceId, 'paid'),
        payments.conclude(referenceId, 'accept'),
        payments.markRefunded(referenceId),
      ])
        await expect(call).rejects.toMatchObject({
          name: 'OrderError',
          code: 'UNKNOWN_REFERENCE',
          message: 'no payment has this referenceId',
        });
      expect((await storage.read('A-1')).row).toEqual(before);
    },
  );
});

test('a referenceId that no payment can have causes no statement', async () => {
  const storage = memoryStorage();
  const keys: string[] = [];
  const read: typeof storage.read = (key) => {
    keys.push(key);
    return storage.read(key);
  };
  const { payments } = shop({ storage: { ...storage, read } });
  await expect(payments.lookUp('not ours')).rejects.toMatchObject({ code: 'UNKNOWN_REFERENCE' });
  expect(await payments.find('not ours')).toBeUndefined();
  expect(keys).toEqual([]);
});

describe('a stored order of a later form', () => {
  const calls: readonly (readonly [string, (payments: OrderPayments) => Promise<unknown>])[] = [
    ['start', (p) => p.start('A-1', orderRequest())],
    ['add', (p) => p.add('A-1', orderRequest())],
    ['handleEvent', (p) => p.handleEvent(event)],
    ['lookUp', (p) => p.lookUp('A-1-1')],
    ['conclude', (p) => p.conclude('A-1-1', 'paid')],
    ['markRefunded', (p) => p.markRefunded('A-1-1')],
    ['cancel', (p) => p.cancel('A-1')],
    ['addInvoice', (p) => p.addInvoice('A-1', { fileUrl: 'https://shop.example/1.pdf' })],
    ['concludeInvoice', (p) => p.concludeInvoice('A-1', 1, 'stored')],
    ['get', (p) => p.get('A-1')],
    ['find', (p) => p.find('A-1-1')],
    ['history', (p) => p.history('A-1')],
  ];

  test.each(calls)('is refused by %s and not written, and the error says to update', async (_title, call) => {
    const { payments, storage, sent } = shop();
    await payments.start('A-1', orderRequest());
    const { row } = await storage.read('A-1');
    if (!row) throw new Error('nothing is stored');
    const data = JSON.stringify({ ...(JSON.parse(row.data) as object), form: 2 });
    const later = {
      ...row,
      key: 'A-1',
      orderId: 'A-1',
      token: 'by hand',
      reviewAt: null,
      changedAt: 1,
      data,
    };
    await storage.replace(later, row.version);
    await expect(call(payments)).rejects.toThrow(
      'was written by a later version of this package: update this process',
    );
    expect((await storage.read('A-1')).row).toMatchObject({ data, version: 2 + 1 });
    expect(sent).toHaveLength(1);
  });
});
