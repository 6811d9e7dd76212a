import { beforeEach, describe, expect, test } from 'vitest';
import { createMockService, DEMO_MERCHANT } from '../../../src/mock/index.js';
import { signInvoice, signPayment } from '../../../src/protocol/signature.js';
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

const two = { ...DEMO_MERCHANT, storeIds: ['STORE-01', 'STORE-02'], minAmount: 1000, maxAmount: 50_000_000 };
const idle = { clientId: 'idle', secretKey: 'idle-secret', merchantId: 'IDLE', active: false };
const mock = createMockService({ now, merchants: [two, idle] });

beforeEach(() => {
  mock.reset();
});

const responseTime = '2026-11-20 10:04:05';
const reference = 'ORDER:2026-0001';

async function send({ path, init }: PlainRequest): Promise<unknown> {
  const response = await mock.fetch(`https://sandbox.example${path}`, init);
  expect([response.status, response.headers.get('content-type')]).toStrictEqual([
    200,
    'application/json; charset=utf-8',
  ]);
  return response.json();
}

const customerWith = (phoneNumber: string) =>
  ordered({ customer: { ...(order()['customer'] as object), phoneNumber } });
const amounting = (value: unknown) => ordered({ amount: { value, currency: 'VND' } });

/** A request of the merchant that is not active. */
function idleOrder(): PlainRequest {
  const body = JSON.stringify(order({ merchantId: idle.merchantId }));
  const Signature = signPayment(body, idle.secretKey);
  return withHeaders(initiate(body), { 'Client-Id': idle.clientId, Signature });
}

const badClient = 'The Client-Id header is not a registered client ID.';
const noClient = 'The Client-Id header is missing.';
const badSignature = 'The Signature header does not match the request. The inspector (/_mock) explains why.';
const badTime =
  'The Request-Time header must have the form YYYY-MM-DD hh:mm:ss, such as 2026-11-20 10:04:05.';
const badPhone = 'customer.phoneNumber must have 10 or 11 digits.';

describe('an initiate request', () => {
  test.each<[string, PlainRequest, string, string]>([
    ['of an unknown client', withHeaders(initiate(), { 'Client-Id': 'x' }), 'INVALID_CLIENT_ID', badClient],
    ['without a client', without(initiate(), 'Client-Id'), 'INVALID_CLIENT_ID', noClient],
    ['without a signature', without(initiate(), 'Signature'), 'INVALID_SIGNATURE', badSignature],
    [
      'with a signature of the right length',
      withHeaders(initiate(), { Signature: 'a'.repeat(64) }),
      'INVALID_SIGNATURE',
      badSignature,
    ],
    [
      'with a signature that is cut',
      withHeaders(initiate(), { Signature: initiate().init.headers['Signature']?.slice(0, 63) ?? '' }),
      'INVALID_SIGNATURE',
      badSignature,
    ],
    [
      'with a signature and more behind it',
      withHeaders(initiate(), { Signature: `${initiate().init.headers['Signature'] ?? ''}0` }),
      'INVALID_SIGNATURE',
      badSignature,
    ],
    ['without a time', without(initiate(), 'Request-Time'), 'INVALID_REQUEST', badTime],
    [
      'with a time in another form',
      withHeaders(initiate(), { 'Request-Time': '2026-11-20T10:04:05' }),
      'INVALID_REQUEST',
      badTime,
    ],
    [
      'with another content type',
      withHeaders(initiate(), { 'Content-Type': 'text/plain' }),
      'INVALID_REQUEST',
      'The Content-Type is not application/json.',
    ],
    [
      'of another merchant',
      ordered({ merchantId: 'IDLE' }),
      'INVALID_MERCHANT_ID',
      'The merchantId does not belong to the client.',
    ],
    ['of a merchant that is not active', idleOrder(), 'ACCESS_DENIED', 'The merchant is not active.'],
    [
      'for an unknown store',
      ordered({ storeId: 'S' }),
      'INVALID_STORE_ID',
      'The storeId is not a store of the merchant.',
    ],
    ['for no store', ordered({ storeId: '' }), 'INVALID_STORE_ID', 'storeId: must not be empty.'],
    [
      'over a fraction',
      amounting(1.5),
      'INVALID_AMOUNT',
      'amount.value: must be an integer from 1 to 9007199254740991; has a fraction: round to whole đồng.',
    ],
    [
      'over text',
      amounting('1'),
      'INVALID_REQUEST',
      'amount.value: must be an integer from 1 to 9007199254740991; got a string: pass a number.',
    ],
    [
      'below the minimum',
      amounting(999),
      'AMOUNT_BELOW_MINIMUM_LIMIT',
      'The amount is below the minimum of 1000 VND.',
    ],
    [
      'above the limit',
      amounting(50_000_001),
      'AMOUNT_EXCEEDED_UPPER_LIMIT',
      'The amount is above the limit of 50000000 VND.',
    ],
    ['for a phone of 9 digits', customerWith('091234567'), 'PHONE_NUMBER_UNAVAILABLE', badPhone],
    ['for a phone of 12 digits', customerWith('+841234567890'), 'PHONE_NUMBER_UNAVAILABLE', badPhone],
    [
      'for a phone with letters',
      customerWith('09x'),
      'PHONE_NUMBER_INVALID',
      'customer.phoneNumber: must be a string of digits with an optional leading +, such as 0912345678.',
    ],
  ])('%s is refused', async (_title, request, resultStatus, resultMsg) => {
    const { merchantId, referenceId } = JSON.parse(String(request.init.body)) as Record<string, string>;
    expect(await send(request)).toStrictEqual({
      merchantId,
      referenceId,
      responseTime,
      resultStatus,
      resultMsg,
    });
    expect(mock.journal.all()).toMatchObject([
      { resultStatus, resultMsg, httpStatus: 200, replay: false, scripted: false, completed: true },
    ]);
    expect(mock.payments.all()).toStrictEqual([]);
  });

  test.each(['0912345678', '09123456789', '+84912345678'])('for the phone %s is approved', async (phone) => {
    expect(await send(customerWith(phone))).toMatchObject({ resultStatus: 'APPROVED' });
  });

  test.each([1000, 50_000_000])('over %i VND, which is a limit, is approved', async (value) => {
    expect(await send(amounting(value))).toMatchObject({ resultStatus: 'APPROVED' });
  });

  test('that repeats a reference under another key is refused', async () => {
    await send(initiate(order(), { key: 'k-1' }));
    expect(await send(initiate(order(), { key: 'k-2' }))).toStrictEqual({
      merchantId: 'DEMO-MERCHANT',
      referenceId: reference,
      responseTime,
      resultStatus: 'DUPLICATE_REFERENCE_ID',
      resultMsg: 'The referenceId was used before, under another Idempotency-Key.',
    });
  });

  test('that repeats a key with another body is refused', async () => {
    await send(initiate(order(), { key: 'k-1' }));
    expect(await send(initiate(order({ lang: 'vi' }), { key: 'k-1' }))).toStrictEqual({
      merchantId: 'DEMO-MERCHANT',
      referenceId: reference,
      responseTime,
      resultStatus: 'INVALID_REQUEST',
      resultMsg: 'The Idempotency-Key was used before, with another body.',
    });
    expect(mock.journal.get(2)).toMatchObject({ replay: false });
  });

  test('that is refused leaves its key free', async () => {
    await send(initiate(order({ storeId: 'S' }), { key: 'k-1' }));
    expect(await send(initiate(order(), { key: 'k-1' }))).toMatchObject({ resultStatus: 'APPROVED' });
  });

  test('that repeats a request which is still being processed is refused', async () => {
    let finish = (): void => undefined;
    const slow = createMockService({ now, delay: () => new Promise((resolve) => (finish = resolve)) });
    const ask = async ({ path, init }: PlainRequest): Promise<unknown> =>
      (await slow.fetch(`https://sandbox.example${path}`, init)).json();
    slow.injectFault('initiatePayment', { delayMs: 1 });
    const first = ask(initiate(order(), { key: 'k-1' }));
    await slow.journal.waitFor({ idempotencyKey: 'k-1', completed: false });

    expect(await ask(initiate(order(), { key: 'k-1' }))).toStrictEqual({
      merchantId: 'DEMO-MERCHANT',
      referenceId: reference,
      responseTime,
      resultStatus: 'REQUEST_PROCESSING',
      resultMsg: 'The same request is still being processed.',
    });
    finish();
    expect(await first).toMatchObject({ resultStatus: 'APPROVED' });
  });

  test('that is approved has a page, and its repeat has the same bytes', async () => {
    const { path, init } = initiate(order(), { key: 'k-1' });
    const ask = async () => (await mock.fetch(`https://sandbox.example${path}`, init)).text();
    const first = await ask();
    const paymentUrl = 'https://sandbox.example/pay/00000001';

    expect(JSON.parse(first)).toStrictEqual({
      merchantId: 'DEMO-MERCHANT',
      referenceId: reference,
      responseTime,
      resultStatus: 'APPROVED',
      resultMsg: 'The payment was created.',
      paymentUrl,
      qrData: paymentUrl,
    });
    expect(await ask()).toBe(first);
    const facts = { resultStatus: 'APPROVED', resultMsg: 'The payment was created.', httpStatus: 200 };
    const headers = { 'content-type': 'application/json; charset=utf-8' };
    const response = { headers, body: first, bodyBytes: first.length };
    expect(mock.journal.all()).toMatchObject([
      { ...facts, response, replay: false },
      { ...facts, response, replay: true },
    ]);
  });

  test('with a wrong signature has a diagnosis in the journal, and no other refusal has one', async () => {
    const other = signPayment(String(initiate().init.body), idle.secretKey);
    await send(withHeaders(initiate(), { Signature: other }));
    await send(withHeaders(initiate(), { 'Client-Id': 'x' }));
    const [wrong, unknown] = mock.journal.all();
    expect(wrong?.diagnosis).toMatchObject({
      received: other,
      expected: initiate().init.headers['Signature'],
    });
    expect(wrong?.diagnosis?.message).toContain('idle');
    expect(unknown).not.toHaveProperty('diagnosis');
  });
});

describe('an upload', () => {
  const fiveMiB = 5 * 1024 * 1024;
  const url = (fileUrl: string) => upload({ file: null, fields: { fileUrl } });
  const onlyFile = 'The only file of the form must be in the field file.';
  const badFile =
    'The content of the file must be jpg, png, pdf or xml, and its name and declared type must match.';

  beforeEach(async () => {
    await send(initiate());
    mock.settle(reference, 'paid');
  });

  test.each<[string, PlainRequest, string, string]>([
    [
      'of another type',
      upload({ headers: { 'content-type': 'application/json' } }),
      'INVALID_REQUEST',
      'The Content-Type is not multipart/form-data with a boundary.',
    ],
    ['with another signature', upload({ signature: 'a' }), 'INVALID_SIGNATURE', badSignature],
    ['without a time', without(upload(), 'Request-Time'), 'INVALID_REQUEST', badTime],
    [
      'of another merchant',
      upload({ fields: { merchantId: 'IDLE' } }),
      'INVALID_MERCHANT_ID',
      'The merchantId does not belong to the client.',
    ],
    ['of no file', upload({ file: null }), 'INVALID_REQUEST', 'Either file or fileUrl is required.'],
    [
      'of an empty file',
      upload({ file: { data: Buffer.alloc(0) } }),
      'INVALID_REQUEST',
      'The file is empty.',
    ],
    ['of a file in another field', upload({ file: { data: pdf, field: 'x' } }), 'INVALID_REQUEST', onlyFile],
    [
      'of a fileUrl that is not https',
      url('http://files.example/a.pdf'),
      'INVALID_REQUEST',
      'fileUrl: must be an absolute https URL, such as https://files.example/invoice.pdf.',
    ],
    [
      'of a fileUrl of another type',
      url('https://files.example/a.exe'),
      'INVALID_FILE_TYPE',
      'fileUrl: must end in pdf, png, jpg, jpeg, or have no extension.',
    ],
    [
      'for an unknown store',
      upload({ fields: { storeId: 'S' } }),
      'INVALID_STORE_ID',
      'The storeId is not a store of the merchant.',
    ],
    [
      'for no payment',
      upload({ fields: { referenceId: 'OTHER' } }),
      'INVALID_REFERENCE_ID',
      'No payment has this referenceId.',
    ],
    [
      'for a reference with a space',
      upload({ fields: { referenceId: 'a b' } }),
      'INVALID_REFERENCE_ID',
      'referenceId: must be 1 to 60 characters: digits, letters, "_", ":" and "-", such as ORDER:2026-0001.',
    ],
    [
      'of more than 5 MiB',
      upload({ file: { data: Buffer.concat([pdf, Buffer.alloc(fiveMiB + 1 - pdf.length)]) } }),
      'FILE_TOO_LARGE',
      'The file is larger than 5 MB.',
    ],
    [
      'of a file of another type',
      upload({ file: { data: Buffer.from('GIF89a') } }),
      'INVALID_FILE_TYPE',
      badFile,
    ],
    [
      'of a file with another name',
      upload({ file: { data: pdf, filename: 'a.png' } }),
      'INVALID_FILE_TYPE',
      badFile,
    ],
    [
      'of a file with another declared type',
      upload({ file: { data: pdf, contentType: 'image/png' } }),
      'INVALID_FILE_TYPE',
      badFile,
    ],
  ])('%s is refused', async (_title, request, resultStatus, resultMsg) => {
    expect(await send(request)).toMatchObject({ resultStatus, resultMsg });
    expect(mock.journal.get(2)).toMatchObject({ resultStatus, resultMsg, httpStatus: 200, completed: true });
    expect(mock.invoices.all()).toStrictEqual([]);
  });

  test('of two files is refused', async () => {
    const form = new FormData();
    form.append('merchantId', 'DEMO-MERCHANT');
    form.append('referenceId', reference);
    form.append('file', new Blob([pdf], { type: 'application/pdf' }), 'a.pdf');
    form.append('file2', new Blob([pdf], { type: 'application/pdf' }), 'b.pdf');
    const { path, init } = upload();
    const response = await mock.fetch(`https://sandbox.example${path}`, {
      ...without({ path, init }, 'content-type').init,
      body: form,
    });
    expect(await response.json()).toStrictEqual({
      referenceId: reference,
      resultStatus: 'INVALID_REQUEST',
      resultMsg: onlyFile,
    });
  });

  test('of a body that is larger than 6 MiB is refused unread', async () => {
    expect(await send(upload({ file: { data: Buffer.alloc(6 * 1024 * 1024) } }))).toStrictEqual({
      resultStatus: 'FILE_TOO_LARGE',
      resultMsg: 'The body is larger than 6 MiB.',
    });
  });

  test('without a merchantId is refused as malformed', async () => {
    const form = `--B\r\nContent-Disposition: form-data; name="referenceId"\r\n\r\n${reference}\r\n--B--\r\n`;
    const Signature = signInvoice({ referenceId: reference }, DEMO_MERCHANT.secretKey);
    const { path, init } = upload();
    const headers = { ...init.headers, 'content-type': 'multipart/form-data; boundary=B', Signature };
    expect(await send({ path, init: { ...init, headers, body: form } })).toStrictEqual({
      referenceId: reference,
      resultStatus: 'INVALID_REQUEST',
      resultMsg: 'merchantId: is required and must be a string.',
    });
  });

  test.each(['declined', 'expired'] as const)('for a payment that was %s is refused', async (settlement) => {
    const referenceId = 'SETTLED';
    await send(ordered({ referenceId }));
    mock.settle(referenceId, settlement);
    expect(await send(upload({ fields: { referenceId } }))).toStrictEqual({
      referenceId,
      resultStatus: 'INVALID_REFERENCE_ID',
      resultMsg: `The payment is ${settlement}: an invoice needs a paid payment.`,
    });
  });

  test('for a pending payment is refused with a hint', async () => {
    const referenceId = 'PENDING';
    await send(ordered({ referenceId }));
    expect(await send(upload({ fields: { referenceId } }))).toStrictEqual({
      referenceId,
      resultStatus: 'INVALID_REFERENCE_ID',
      resultMsg:
        'The payment is pending: an invoice needs a paid payment. In the mock, settle the payment first.',
    });
  });

  test.each<[string, Record<string, string>, string, string]>([
    ['without a store', {}, 'INVALID_REQUEST', 'storeId is required for an in-store payment.'],
    [
      'with another store',
      { storeId: 'STORE-02' },
      'INVALID_STORE_ID',
      'The storeId is not the store of the in-store payment.',
    ],
    ['with its store', { storeId: 'STORE-01' }, 'APPROVED', 'The invoice was stored.'],
  ])('for an in-store payment %s is %4$s', async (_title, fields, resultStatus, resultMsg) => {
    const referenceId = 'IN-STORE';
    await send(ordered({ referenceId, paymentMethod: 'POS' }));
    mock.settle(referenceId, 'paid');
    expect(await send(upload({ fields: { referenceId, ...fields } }))).toMatchObject({
      resultStatus,
      resultMsg,
    });
  });

  test('may name any store of the merchant for a payment that is not in a store', async () => {
    expect(await send(upload({ fields: { storeId: 'STORE-02' } }))).toMatchObject({
      resultStatus: 'APPROVED',
    });
  });

  test('is stored three times for one payment, and refused the fourth time', async () => {
    const uploadedAt = '2026-11-20T03:04:05Z';
    for (const invoiceId of ['INV-00000001', 'INV-00000002', 'INV-00000003']) {
      expect(await send(upload())).toStrictEqual({
        referenceId: reference,
        invoiceId,
        paymentTransId: 'PT-00000001',
        uploadedAt,
        resultStatus: 'APPROVED',
        resultMsg: 'The invoice was stored.',
      });
    }
    expect(await send(upload())).toStrictEqual({
      referenceId: reference,
      resultStatus: 'LIMIT_EXCEEDED',
      resultMsg: 'The referenceId already has 3 invoices.',
    });
  });

  test('of a file is stored with its fields and the facts of the file', async () => {
    await send(upload({ fields: { description: 'Tivi', paymentTransId: 'PT-7' } }));
    expect(mock.invoices.all()).toStrictEqual([
      {
        invoiceId: 'INV-00000001',
        referenceId: reference,
        merchantId: 'DEMO-MERCHANT',
        uploadedAt: now(),
        paymentTransId: 'PT-7',
        fields: {
          merchantId: 'DEMO-MERCHANT',
          referenceId: reference,
          description: 'Tivi',
          paymentTransId: 'PT-7',
        },
        file: {
          field: 'file',
          name: 'invoice.pdf',
          type: 'application/pdf',
          size: pdf.length,
          sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
        },
      },
    ]);
  });

  test('of a fileUrl is stored with the URL', async () => {
    const fileUrl = 'https://files.example/a.pdf';
    expect(await send(url(fileUrl))).toMatchObject({ resultStatus: 'APPROVED' });
    expect(mock.invoices.all()).toStrictEqual([
      {
        invoiceId: 'INV-00000001',
        referenceId: reference,
        merchantId: 'DEMO-MERCHANT',
        uploadedAt: now(),
        paymentTransId: 'PT-00000001',
        fields: { merchantId: 'DEMO-MERCHANT', referenceId: reference, fileUrl },
        fileUrl,
      },
    ]);
  });

  test('for a pending payment, where that is allowed, has no transaction', async () => {
    const any = createMockService({ now, uploads: 'any' });
    const ask = async ({ path, init }: PlainRequest): Promise<unknown> =>
      (await any.fetch(`https://sandbox.example${path}`, init)).json();
    await ask(initiate());
    expect(await ask(upload())).toStrictEqual({
      referenceId: reference,
      invoiceId: 'INV-00000001',
      uploadedAt: '2026-11-20T03:04:05Z',
      resultStatus: 'APPROVED',
      resultMsg: 'The invoice was stored.',
    });
    expect(any.invoices.all()[0]).not.toHaveProperty('paymentTransId');
  });

  test('has a journal entry with its identifiers, its fields and its files', async () => {
    await send(upload());
    expect(mock.journal.get(2)).toMatchObject({
      operation: 'uploadInvoice',
      merchantId: 'DEMO-MERCHANT',
      referenceId: reference,
      bodyBytes: upload().init.body.length,
      fields: { merchantId: 'DEMO-MERCHANT', referenceId: reference },
      files: [{ field: 'file', name: 'invoice.pdf', type: 'application/pdf', size: pdf.length }],
    });
  });

  test('that is delayed is stored after the delay, or before it where the fault strikes afterwards', async () => {
    const stored: number[] = [];
    const slow = createMockService({
      now,
      uploads: 'any',
      delay: () => {
        stored.push(slow.invoices.all().length);
        return Promise.resolve();
      },
    });
    const ask = ({ path, init }: PlainRequest) => slow.fetch(`https://sandbox.example${path}`, init);
    await ask(initiate());
    slow.injectFault('uploadInvoice', { delayMs: 1 });
    slow.injectFault('uploadInvoice', { delayMs: 1 }, { phase: 'after' });
    await ask(upload());
    await ask(upload());
    expect(stored).toStrictEqual([0, 2]);
  });

  test('with a wrong signature has the canonical string in its diagnosis', async () => {
    await send(upload({ signature: 'a'.repeat(64) }));
    expect(mock.journal.get(2)?.diagnosis).toMatchObject({
      received: 'a'.repeat(64),
      expected: upload().init.headers['Signature'],
    });
  });
});
