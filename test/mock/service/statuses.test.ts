import { beforeEach, describe, expect, test } from 'vitest';
import { createMockService, DEMO_MERCHANT } from '../../../src/mock/index.js';
import { resultStatuses } from '../../../src/protocol/result-statuses.js';
import { signPayment } from '../../../src/protocol/signature.js';
import {
  initiate,
  now,
  order,
  ordered,
  pdf,
  upload,
  withHeaders,
  without,
  type PlainRequest,
} from '../../helpers/signed-requests.js';

const idle = {
  clientId: 'idle-client',
  secretKey: 'idle-secret',
  merchantId: 'IDLE-MERCHANT',
  storeIds: ['IDLE-01'],
  active: false,
};
const mock = createMockService({
  now,
  merchants: [
    { ...DEMO_MERCHANT, storeIds: ['STORE-01', 'STORE-02'], minAmount: 1000, maxAmount: 50_000_000 },
    idle,
  ],
});

beforeEach(() => {
  mock.reset();
});

async function resultOf({ path, init }: PlainRequest): Promise<{ resultStatus: string; resultMsg: string }> {
  const response = await mock.fetch(`https://sandbox.example${path}`, init);
  expect(response.status).toBe(200);
  return (await response.json()) as { resultStatus: string; resultMsg: string };
}

const statusOf = async (request: PlainRequest) => (await resultOf(request)).resultStatus;

const demoOrder = order();
const customer = demoOrder['customer'] as object;
const items = demoOrder['items'] as object[];

/** A request of the merchant that is not active. */
function idleOrder(): PlainRequest {
  const body = JSON.stringify(order({ merchantId: idle.merchantId, storeId: 'IDLE-01' }));
  return withHeaders(initiate(body), {
    'Client-Id': idle.clientId,
    Signature: signPayment(body, idle.secretKey),
  });
}

describe('initiatePayment', () => {
  const causes: [string, string, PlainRequest][] = [
    ['APPROVED', 'nothing is wrong', initiate()],
    ['INVALID_API', 'the path is another', { ...initiate(), path: '/v2/payments/' }],
    [
      'INVALID_HTTP_METHOD',
      'the method is another',
      { ...initiate(), init: { ...initiate().init, method: 'PATCH' } },
    ],
    ['INVALID_CLIENT_ID', 'the client is unknown', withHeaders(initiate(), { 'Client-Id': 'nobody' })],
    ['INVALID_CLIENT_ID', 'the client is not named', without(initiate(), 'Client-Id')],
    ['INVALID_SIGNATURE', 'the signature is another', withHeaders(initiate(), { Signature: 'a'.repeat(64) })],
    ['INVALID_SIGNATURE', 'there is no signature', without(initiate(), 'Signature')],
    ['INVALID_REQUEST', 'the body is not JSON', initiate('{"merchantId":')],
    ['INVALID_REQUEST', 'the body is no object', initiate('[]')],
    ['INVALID_REQUEST', 'the body is empty', initiate('')],
    ['INVALID_REQUEST', 'the body is not UTF-8', initiate(Uint8Array.from([0x22, 0xff, 0x22]))],
    [
      'INVALID_REQUEST',
      'the body begins with a byte order mark',
      initiate(`\uFEFF${JSON.stringify(order())}`),
    ],
    ['INVALID_REQUEST', 'the body is larger than 1 MiB', ordered({ extraData: 'x'.repeat(1024 * 1024) })],
    [
      'INVALID_REQUEST',
      'the Content-Type is another',
      withHeaders(initiate(), { 'Content-Type': 'text/plain' }),
    ],
    ['INVALID_REQUEST', 'there is no Request-Time', without(initiate(), 'Request-Time')],
    [
      'INVALID_REQUEST',
      'the Request-Time is no such text',
      withHeaders(initiate(), { 'Request-Time': '2026-11-20T10:04:05Z' }),
    ],
    ['INVALID_REQUEST', 'a field is missing', ordered({ platformId: undefined })],
    ['INVALID_REQUEST', 'the referenceId is no text', ordered({ referenceId: 7 })],
    ['INVALID_REQUEST', 'the amount is text', ordered({ amount: { value: '1', currency: 'VND' } })],
    ['INVALID_REQUEST', 'the currency is another', ordered({ amount: { value: 1, currency: 'USD' } })],
    [
      'INVALID_REQUEST',
      'there are 201 items',
      ordered({ items: Array.from({ length: 201 }, () => items[0]) }),
    ],
    ['INVALID_REQUEST', 'a line does not add up', ordered({ items: [{ ...items[0], totalAmount: 1 }] })],
    ['INVALID_MERCHANT_ID', 'the merchant is another', ordered({ merchantId: idle.merchantId })],
    ['ACCESS_DENIED', 'the merchant is not active', idleOrder()],
    ['INVALID_STORE_ID', 'the store is unknown', ordered({ storeId: 'STORE-99' })],
    ['INVALID_STORE_ID', 'the store is empty text', ordered({ storeId: '' })],
    ['INVALID_REFERENCE_ID', 'the reference has a space', ordered({ referenceId: 'ORDER 1' })],
    ['INVALID_REFERENCE_ID', 'the reference is longer than any', ordered({ referenceId: 'x'.repeat(61) })],
    ['INVALID_AMOUNT', 'the amount is a fraction', ordered({ amount: { value: 1.5, currency: 'VND' } })],
    ['INVALID_AMOUNT', 'the amount is negative', ordered({ amount: { value: -1, currency: 'VND' } })],
    [
      'PHONE_NUMBER_INVALID',
      'the phone number has letters',
      ordered({ customer: { ...customer, phoneNumber: '09x' } }),
    ],
    [
      'PHONE_NUMBER_UNAVAILABLE',
      'it has 9 digits',
      ordered({ customer: { ...customer, phoneNumber: '091234567' } }),
    ],
    [
      'PHONE_NUMBER_UNAVAILABLE',
      'it has 12 digits',
      ordered({ customer: { ...customer, phoneNumber: '+841234567890' } }),
    ],
    [
      'APPROVED',
      'it has 11 digits with a plus',
      ordered({ customer: { ...customer, phoneNumber: '+84912345678' } }),
    ],
    [
      'AMOUNT_BELOW_MINIMUM_LIMIT',
      'the amount is below the minimum',
      ordered({ amount: { value: 999, currency: 'VND' } }),
    ],
    ['APPROVED', 'the amount is the minimum', ordered({ amount: { value: 1000, currency: 'VND' } })],
    ['APPROVED', 'the amount is the limit', ordered({ amount: { value: 50_000_000, currency: 'VND' } })],
    [
      'AMOUNT_EXCEEDED_UPPER_LIMIT',
      'it is above',
      ordered({ amount: { value: 50_000_001, currency: 'VND' } }),
    ],
  ];

  test.each(causes)('%s when %s', async (resultStatus, _cause, request) => {
    expect(await statusOf(request)).toBe(resultStatus);
    expect(mock.payments.all()).toHaveLength(resultStatus === 'APPROVED' ? 1 : 0);
    expect(mock.journal.all()).toMatchObject([{ resultStatus, completed: true, replay: false }]);
  });

  test('DUPLICATE_REFERENCE_ID when the reference was used before', async () => {
    await resultOf(initiate());
    expect(await statusOf(initiate())).toBe('DUPLICATE_REFERENCE_ID');
  });

  test('REQUEST_PROCESSING while the same request is being worked on', async () => {
    let finish = (): void => undefined;
    const slow = createMockService({ now, delay: () => new Promise((resolve) => (finish = resolve)) });
    const ask = async ({ path, init }: PlainRequest) =>
      ((await (await slow.fetch(`https://sandbox.example${path}`, init)).json()) as { resultStatus: string })
        .resultStatus;
    slow.injectFault('initiatePayment', { delayMs: 1 });
    const first = ask(initiate(order(), { key: 'k' }));
    await slow.journal.waitFor({ idempotencyKey: 'k', completed: false });

    expect(await ask(initiate(order(), { key: 'k' }))).toBe('REQUEST_PROCESSING');
    expect(await ask(initiate(order({ lang: 'vi' }), { key: 'k' }))).toBe('INVALID_REQUEST');
    finish();
    expect(await first).toBe('APPROVED');
    expect(await ask(initiate(order(), { key: 'k' }))).toBe('APPROVED');
    expect(slow.payments.all()).toHaveLength(1);
  });

  test.each(['DOWNSTREAM_ERROR', 'ERROR_GENERAL'] as const)(
    '%s when a test scripts it',
    async (resultStatus) => {
      mock.respondWith('initiatePayment', { resultStatus });
      expect(await statusOf(initiate())).toBe(resultStatus);
    },
  );

  test('every documented status has a cause here', () => {
    const elsewhere = ['DUPLICATE_REFERENCE_ID', 'REQUEST_PROCESSING', 'DOWNSTREAM_ERROR', 'ERROR_GENERAL'];
    const caused = new Set([...causes.map(([resultStatus]) => resultStatus), ...elsewhere]);
    expect([...caused].sort()).toEqual(Object.keys(resultStatuses.initiatePayment).sort());
  });

  test('the message names the field and never quotes its value', async () => {
    const { resultMsg } = await resultOf(
      ordered({ customer: { ...customer, email: 'canary' }, lang: 'canary' }),
    );
    expect(resultMsg).toContain('customer.email');
    expect(resultMsg).toContain('lang');
    expect(resultMsg).not.toContain('canary');
  });

  test('the messages have no advice that needs the client', async () => {
    const advice = /leave it out|derived|option of the client|or an object/;
    const { merchantId: _merchant, storeId: _store, platformId: _platform, ...bare } = demoOrder;
    const item = { ...items[0], totalAmount: 1 };
    const requests = [
      initiate(bare),
      ordered({ items: [item] }),
      upload({ fields: { extraData: '{' } }),
      upload({ fields: { invoiceDate: 'today' } }),
    ];
    for (const request of requests) {
      const { resultStatus, resultMsg } = await resultOf(request);
      expect(resultStatus).toBe('INVALID_REQUEST');
      expect(resultMsg).not.toMatch(advice);
    }
  });

  test('the first few of many broken rules are named', async () => {
    const { resultMsg } = await resultOf(initiate('{}'));
    expect(resultMsg).toMatch(/; and \d+ more\.$/);
  });
});

describe('the order of the checks', () => {
  const wrong = {
    shape: { lang: 'fr' },
    merchant: { merchantId: 'OTHER' },
    store: { storeId: 'OTHER' },
    reference: { referenceId: 'has space' },
    amount: { amount: { value: 0.5, currency: 'VND' } },
    phone: { customer: { ...customer, phoneNumber: '1' } },
  };
  const limit = { amount: { value: 1, currency: 'VND' } };

  test.each([
    ['shape', wrong, 'INVALID_REQUEST'],
    ['merchant', { ...wrong, shape: {} }, 'INVALID_MERCHANT_ID'],
    ['store', { ...wrong, shape: {}, merchant: {} }, 'INVALID_STORE_ID'],
    [
      'reference',
      { reference: wrong.reference, amount: wrong.amount, phone: wrong.phone },
      'INVALID_REFERENCE_ID',
    ],
    ['amount', { amount: wrong.amount, phone: wrong.phone }, 'INVALID_AMOUNT'],
    ['phone', { phone: wrong.phone, limit }, 'PHONE_NUMBER_UNAVAILABLE'],
    ['limits', { limit }, 'AMOUNT_BELOW_MINIMUM_LIMIT'],
  ])('%s is checked before the rest', async (_check, changes, resultStatus) => {
    await resultOf(initiate());
    const request = ordered(Object.assign({}, ...Object.values(changes)) as object);
    expect(await statusOf(request)).toBe(resultStatus);
  });

  test('path, method, client and signature are checked before the body', async () => {
    const base = withHeaders(ordered(wrong.shape), { Signature: 'no' });
    const stranger = withHeaders(base, { 'Client-Id': 'nobody' });
    const put = { ...stranger, init: { ...stranger.init, method: 'PUT' } };

    expect(await statusOf(base)).toBe('INVALID_SIGNATURE');
    expect(await statusOf(stranger)).toBe('INVALID_CLIENT_ID');
    expect(await statusOf(put)).toBe('INVALID_HTTP_METHOD');
    expect(await statusOf({ ...put, path: '/v2' })).toBe('INVALID_API');
  });
});

describe('uploadInvoice', () => {
  const fiveMiB = 5 * 1024 * 1024;
  const pdfOf = (size: number) => Buffer.concat([Buffer.from('%PDF-'), Buffer.alloc(size - 5)]);
  const url = (fileUrl: string) => upload({ file: null, fields: { fileUrl } });
  const causes: [string, string, PlainRequest][] = [
    ['APPROVED', 'nothing is wrong', upload()],
    [
      'APPROVED',
      'every field is there',
      upload({
        fields: {
          paymentTransId: 'PT-1',
          storeId: 'STORE-01',
          invoiceNumber: 'INV-1',
          invoiceDate: '2026-11-20T03:04:05Z',
          description: 'Tivi',
          extraData: '{"till":4}',
          fileUrl: 'https://x.example/i.png',
        },
      }),
    ],
    ['APPROVED', 'a fileUrl stands for the file', url('https://files.example/invoice.pdf?signature=x')],
    ['APPROVED', 'the file has exactly 5 MiB', upload({ file: { data: pdfOf(fiveMiB) } })],
    ['FILE_TOO_LARGE', 'the file has one byte more', upload({ file: { data: pdfOf(fiveMiB + 1) } })],
    ['FILE_TOO_LARGE', 'the body has more than 6 MiB', upload({ file: { data: pdfOf(6 * 1024 * 1024) } })],
    ['INVALID_CLIENT_ID', 'the client is unknown', upload({ headers: { 'Client-Id': 'nobody' } })],
    ['INVALID_SIGNATURE', 'the signature is another', upload({ signature: 'a'.repeat(64) })],
    [
      'INVALID_REQUEST',
      'the Content-Type is another',
      upload({ headers: { 'content-type': 'application/json' } }),
    ],
    ['INVALID_REQUEST', 'there is no Request-Time', without(upload(), 'Request-Time')],
    ['INVALID_REQUEST', 'there is neither a file nor a fileUrl', upload({ file: null })],
    ['INVALID_REQUEST', 'the file is empty', upload({ file: { data: Buffer.alloc(0) } })],
    ['INVALID_REQUEST', 'the file is in another field', upload({ file: { data: pdf, field: 'invoice' } })],
    ['INVALID_REQUEST', 'the extraData is not JSON', upload({ fields: { extraData: '{' } })],
    [
      'INVALID_REQUEST',
      'the invoiceDate is no moment',
      upload({ fields: { invoiceDate: '2026-02-30T00:00:00Z' } }),
    ],
    ['INVALID_REQUEST', 'the fileUrl is not https', url('http://files.example/invoice.pdf')],
    ['INVALID_MERCHANT_ID', 'the merchant is another', upload({ fields: { merchantId: 'OTHER' } })],
    ['INVALID_STORE_ID', 'the store is unknown', upload({ fields: { storeId: 'STORE-99' } })],
    ['INVALID_REFERENCE_ID', 'no payment has the reference', upload({ fields: { referenceId: 'OTHER' } })],
    ['INVALID_REFERENCE_ID', 'the reference is malformed', upload({ fields: { referenceId: 'a b' } })],
    ['INVALID_FILE_TYPE', 'the file is something else', upload({ file: { data: Buffer.from('GIF89a') } })],
    ['INVALID_FILE_TYPE', 'its name says otherwise', upload({ file: { data: pdf, filename: 'a.png' } })],
    [
      'INVALID_FILE_TYPE',
      'its declared type says otherwise',
      upload({ file: { data: pdf, contentType: 'image/png' } }),
    ],
    ['INVALID_FILE_TYPE', 'the fileUrl ends in .exe', url('https://files.example/invoice.exe')],
  ];

  beforeEach(async () => {
    await resultOf(initiate());
    mock.settle('ORDER:2026-0001', 'paid');
  });

  test.each(causes)('%s when %s', async (resultStatus, _cause, request) => {
    expect(await statusOf(request)).toBe(resultStatus);
    expect(mock.invoices.all()).toHaveLength(resultStatus === 'APPROVED' ? 1 : 0);
  });

  test('INVALID_REFERENCE_ID when the payment is another merchant’s', async () => {
    const other = { ...DEMO_MERCHANT, clientId: 'other-client', merchantId: 'OTHER-MERCHANT' };
    const two = createMockService({ now, uploads: 'any', merchants: [DEMO_MERCHANT, other] });
    const send = async ({ path, init }: PlainRequest) =>
      (await two.fetch(`https://sandbox.example${path}`, init)).json();
    await send(initiate());

    const fields = { merchantId: other.merchantId };
    const request = upload({ fields, headers: { 'Client-Id': other.clientId } });
    expect(await send(request)).toMatchObject({ resultStatus: 'INVALID_REFERENCE_ID' });
    const sameReference = order({ merchantId: other.merchantId });
    const second = initiate(sameReference, { headers: { 'Client-Id': other.clientId } });
    expect(await send(second)).toMatchObject({ resultStatus: 'APPROVED' });
    expect(await send(request)).toMatchObject({ resultStatus: 'APPROVED' });
    expect(two.payments.get('ORDER:2026-0001', other.merchantId)?.merchantId).toBe('OTHER-MERCHANT');
    expect(two.payments.get('ORDER:2026-0001')?.merchantId).toBe('DEMO-MERCHANT');
  });

  test('LIMIT_EXCEEDED from the fourth invoice on', async () => {
    const results = [];
    for (let index = 0; index < 5; index += 1) results.push(await statusOf(upload()));
    expect(results).toEqual(['APPROVED', 'APPROVED', 'APPROVED', 'LIMIT_EXCEEDED', 'LIMIT_EXCEEDED']);
  });

  test('ACCESS_DENIED when the merchant is not active', async () => {
    const inactive = createMockService({ merchants: [{ ...DEMO_MERCHANT, active: false }] });
    const { path, init } = upload();
    const response = await inactive.fetch(`https://sandbox.example${path}`, init);
    expect(await response.json()).toMatchObject({ resultStatus: 'ACCESS_DENIED' });
  });

  test('ERROR_GENERAL when a test scripts it', async () => {
    mock.respondWith('uploadInvoice', { resultStatus: 'ERROR_GENERAL' });
    expect(await statusOf(upload())).toBe('ERROR_GENERAL');
  });

  test('every documented status has a cause here', () => {
    const elsewhere = ['LIMIT_EXCEEDED', 'ACCESS_DENIED', 'ERROR_GENERAL'];
    const caused = new Set<string>([...causes.map(([resultStatus]) => resultStatus), ...elsewhere]);
    expect(Object.keys(resultStatuses.uploadInvoice).filter((status) => !caused.has(status))).toEqual([]);
  });

  test.each(['http://files.example/invoice.pdf', 'https://files.example/invoice.exe', 'no URL'])(
    'a fileUrl that would be refused is not judged beside a file: %s',
    async (fileUrl) => {
      expect(await resultOf(upload({ fields: { fileUrl } }))).toMatchObject({ resultStatus: 'APPROVED' });
    },
  );

  test('a file is used in place of a fileUrl beside it', async () => {
    await resultOf(upload({ fields: { fileUrl: 'https://files.example/invoice.pdf' } }));
    const [invoice] = mock.invoices.all();
    expect(invoice?.file?.size).toBe(pdf.length);
    expect(invoice?.fileUrl).toBeUndefined();
  });

  test('a fileUrl does not replace a refused file', async () => {
    const fields = { fileUrl: 'https://files.example/invoice.pdf' };
    expect(await statusOf(upload({ fields, file: { data: Buffer.from('GIF89a') } }))).toBe(
      'INVALID_FILE_TYPE',
    );
    expect(await statusOf(upload({ fields, file: { data: Buffer.alloc(0) } }))).toBe('INVALID_REQUEST');
  });

  test('a paid payment answers with its transaction, unless the upload names one', async () => {
    const paymentTransId = mock.payments.get('ORDER:2026-0001')?.paymentTransId;
    expect(paymentTransId).toBe('PT-00000001');
    expect(await resultOf(upload())).toMatchObject({ paymentTransId });
    expect(await resultOf(upload({ fields: { paymentTransId: 'PT-778' } }))).toMatchObject({
      paymentTransId: 'PT-778',
    });
  });

  const settled = ['declined', 'expired'] as const;

  describe.each(['paid', 'any'] as const)("with uploads: '%s'", (uploads) => {
    const other = createMockService({ now, uploads });
    const send = async ({ path, init }: PlainRequest) =>
      (await other.fetch(`https://sandbox.example${path}`, init)).json() as Promise<object>;

    beforeEach(async () => {
      other.reset();
      await send(initiate());
    });

    test.each(settled)('a payment that was %s takes no invoice', async (settlement) => {
      other.settle('ORDER:2026-0001', settlement);
      expect(await send(upload())).toMatchObject({
        resultStatus: 'INVALID_REFERENCE_ID',
        resultMsg: expect.stringContaining(settlement) as unknown,
      });
      expect(other.invoices.all()).toEqual([]);
    });

    test('a paid payment takes one', async () => {
      other.settle('ORDER:2026-0001', 'paid');
      expect(await send(upload())).toMatchObject({ resultStatus: 'APPROVED' });
    });

    test(`a pending payment ${uploads === 'any' ? 'takes one' : 'is refused by name'}`, async () => {
      const expected =
        uploads === 'any'
          ? { resultStatus: 'APPROVED' }
          : {
              resultStatus: 'INVALID_REFERENCE_ID',
              resultMsg: expect.stringContaining('pending') as unknown,
            };
      expect(await send(upload())).toMatchObject(expected);
    });
  });

  test('an in-store payment needs the store that processed it', async () => {
    const referenceId = 'IN-STORE';
    await resultOf(ordered({ referenceId, paymentMethod: 'POS' }));
    mock.settle(referenceId, 'paid');

    expect(await statusOf(upload({ fields: { referenceId } }))).toBe('INVALID_REQUEST');
    expect(await statusOf(upload({ fields: { referenceId, storeId: 'STORE-02' } }))).toBe('INVALID_STORE_ID');
    expect(await statusOf(upload({ fields: { referenceId, storeId: 'STORE-01' } }))).toBe('APPROVED');
  });
});

describe('settling', () => {
  test('ends a payment once; the same ending again changes nothing', async () => {
    await resultOf(initiate());
    const paid = mock.settle('ORDER:2026-0001', 'paid');

    expect(paid).toMatchObject({ status: 'paid', settledAt: now() });
    expect(mock.settle('ORDER:2026-0001', 'paid')).toEqual(paid);
    expect(() => mock.settle('ORDER:2026-0001', 'declined')).toThrow('paid already');
  });

  test('a payment that is not there is an error', () => {
    expect(() => mock.settle('OTHER', 'paid')).toThrow('no payment');
  });

  test('a payment whose time is over is expired', async () => {
    let clock = now();
    const timed = createMockService({ now: () => clock });
    const { path, init } = ordered({ transExpiredTime: 60_000 });
    await timed.fetch(`https://sandbox.example${path}`, init);

    clock = new Date(now().getTime() + 59_999);
    const pending = timed.payments.get('ORDER:2026-0001');
    expect(pending?.status).toBe('pending');
    expect(pending).not.toHaveProperty('settledAt');
    const end = new Date(now().getTime() + 60_000);
    for (const later of [0, 1000]) {
      clock = new Date(end.getTime() + later);
      expect(timed.payments.get('ORDER:2026-0001')).toMatchObject({
        status: 'expired',
        expiresAt: end,
        settledAt: end,
      });
      expect(timed.settle('ORDER:2026-0001', 'expired').settledAt).toEqual(end);
    }
    expect(() => timed.settle('ORDER:2026-0001', 'paid')).toThrow('expired');
  });
});
