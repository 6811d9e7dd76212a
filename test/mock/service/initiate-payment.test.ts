import { beforeEach, describe, expect, test } from 'vitest';
import { createMockService, DEMO_MERCHANT } from '../../../src/entries/mock.js';
import { resultStatuses } from '../../../src/protocol/result-statuses.js';
import { signPayment } from '../../../src/operations/signer.js';
import {
  initiate,
  now,
  order,
  ordered,
  withHeaders,
  without,
  type PlainRequest,
} from '../../helpers/signed-requests.js';

const stores = { storeIds: ['STORE-01', 'STORE-02'], minAmount: 1000, maxAmount: 50_000_000 };
const idle = { clientId: 'idle', secretKey: 'idle-secret', merchantId: 'IDLE', active: false };
const mock = createMockService({ now, merchants: [{ ...DEMO_MERCHANT, ...stores }, idle] });

beforeEach(() => {
  mock.reset();
});

async function answerOf(served: typeof mock, { path, init }: PlainRequest) {
  const response = await served.fetch(`https://mock.example${path}`, init);
  expect([response.status, response.headers.get('content-type')]).toStrictEqual([
    200,
    'application/json; charset=utf-8',
  ]);
  return (await response.json()) as { readonly resultStatus: string; readonly resultMsg: string };
}

const send = (request: PlainRequest) => answerOf(mock, request);

const responseTime = '2026-11-20 10:04:05';
const facts = { merchantId: 'DEMO-MERCHANT', referenceId: 'ORDER:2026-0001', responseTime };
const customer = order()['customer'] as object;
const [item] = order()['items'] as object[];
const phoned = (phoneNumber: string) => ordered({ customer: { ...customer, phoneNumber } });
const amounting = (value: unknown, currency = 'VND') => ordered({ amount: { value, currency } });
const signature = initiate().init.headers['Signature'] ?? '';
const signedAs = (Signature: string) => withHeaders(initiate(), { Signature });

/** A request of the inactive merchant. */
function idleOrder(): PlainRequest {
  const body = JSON.stringify(order({ merchantId: idle.merchantId }));
  const Signature = signPayment(body, idle.secretKey);
  return withHeaders(initiate(body), { 'Client-Id': idle.clientId, Signature });
}

const wrongSignature = /^The Signature header does not match the request\. The inspector/;
const wrongTime = /^The Request-Time header must have the form YYYY-MM-DD hh:mm:ss/;
const wrongPhone = /^customer\.phoneNumber must have 10 or 11 digits\.$/;
const wrongAmount = /^amount\.value: must be an integer from 1 to /;
const wrongReference = /^referenceId: must be 1 to 60 characters/;
const put = { ...initiate(), init: { ...initiate().init, method: 'PUT' } };
const plainText = withHeaders(initiate(), { 'Content-Type': 'text/plain' });
const isoTime = withHeaders(initiate(), { 'Request-Time': '2026-11-20T10:04:05' });
const nobody = withHeaders(initiate(), { 'Client-Id': 'nobody' });
const manyItems = ordered({ items: Array.from({ length: 201 }, () => item) });

describe('an initiate request', () => {
  const refused: [string, string, PlainRequest, RegExp][] = [
    ['INVALID_HTTP_METHOD', 'another method', put, /^The method must be POST\.$/],
    ['INVALID_REQUEST', '1 MiB and more', ordered({ extraData: 'x'.repeat(2 ** 20) }), /larger than 1 MiB/],
    ['INVALID_CLIENT_ID', 'an unknown client', nobody, /^The Client-Id header is not a registered client ID/],
    ['INVALID_CLIENT_ID', 'no client', without(initiate(), 'Client-Id'), /^The Client-Id header is missing/],
    ['INVALID_SIGNATURE', 'no signature', without(initiate(), 'Signature'), wrongSignature],
    ['INVALID_SIGNATURE', 'another signature', signedAs('a'.repeat(64)), wrongSignature],
    ['INVALID_SIGNATURE', 'a signature in upper case', signedAs(signature.toUpperCase()), wrongSignature],
    ['INVALID_SIGNATURE', 'no JSON and no signature', without(initiate('{'), 'Signature'), wrongSignature],
    ['INVALID_REQUEST', 'no JSON', initiate('{"merchantId":'), /^The body is not JSON\.$/],
    ['INVALID_REQUEST', 'a list', initiate('[]'), /^The body: must be an object/],
    ['INVALID_REQUEST', 'no UTF-8', initiate(Uint8Array.of(0x22, 0xff, 0x22)), /^The body is not UTF-8/],
    ['INVALID_REQUEST', 'a byte order mark', initiate(`\uFEFF${JSON.stringify(order())}`), /is not JSON/],
    ['INVALID_REQUEST', 'another content type', plainText, /^The Content-Type is not application\/json/],
    ['INVALID_REQUEST', 'no time', without(initiate(), 'Request-Time'), wrongTime],
    ['INVALID_REQUEST', 'a time in another form', isoTime, wrongTime],
    ['INVALID_REQUEST', 'a missing field', ordered({ platformId: undefined }), /^platformId: is required/],
    ['INVALID_REQUEST', 'many broken rules', initiate('{}'), /^[^;]+; [^;]+; [^;]+; and \d+ more\.$/],
    ['INVALID_REQUEST', 'a reference that is a number', ordered({ referenceId: 7 }), wrongReference],
    ['INVALID_REQUEST', 'another currency', amounting(1000, 'USD'), /^amount\.currency: must be 'VND'/],
    ['INVALID_REQUEST', '201 items', manyItems, /^items: must be an array of 1 to 200 items\.$/],
    ['INVALID_MERCHANT_ID', 'another merchant', ordered({ merchantId: 'IDLE' }), /does not belong to the cl/],
    ['ACCESS_DENIED', 'a merchant that is not active', idleOrder(), /^The merchant is not active\.$/],
    ['INVALID_STORE_ID', 'an unknown store', ordered({ storeId: 'S' }), /does not belong to the merchant/],
    ['INVALID_STORE_ID', 'an empty store', ordered({ storeId: '' }), /^storeId: must not be empty\.$/],
    ['INVALID_REFERENCE_ID', 'a space in its reference', ordered({ referenceId: 'ORDER 1' }), wrongReference],
    ['INVALID_AMOUNT', 'a fraction of a đồng', amounting(1.5), wrongAmount],
    [
      'PHONE_NUMBER_INVALID',
      'letters in its phone',
      phoned('09x'),
      /phoneNumber: must be a string of digits/,
    ],
    ['PHONE_NUMBER_UNAVAILABLE', 'a phone of 9 digits', phoned('091234567'), wrongPhone],
    ['AMOUNT_BELOW_MINIMUM_LIMIT', 'too little', amounting(999), /is below the minimum of 1000 VND\.$/],
    ['AMOUNT_EXCEEDED_UPPER_LIMIT', 'too much', amounting(50_000_001), /above the limit of 50000000 VND\.$/],
  ];

  test.each(refused)('is refused with %s for %s', async (resultStatus, _cause, request, message) => {
    const answer = await send(request);
    expect(answer.resultStatus).toBe(resultStatus);
    expect(answer.resultMsg).toMatch(message);
    expect(mock.payments.all()).toStrictEqual([]);
    const { resultMsg } = answer;
    expect(mock.journal.all()).toMatchObject([
      { resultStatus, resultMsg, httpStatus: 200, replay: false, scripted: false, completed: true },
    ]);
    expect(mock.journal.get(1)).not.toHaveProperty('unknownFields');
  });

  test.each<[string, PlainRequest]>([
    ['a phone of 10 digits', phoned('0912345678')],
    ['a phone of 11 digits with a plus', phoned('+84912345678')],
    ['the smallest amount', amounting(1000)],
    ['the largest amount', amounting(50_000_000)],
  ])('is approved with %s', async (_title, request) => {
    expect(await send(request)).toMatchObject({ resultStatus: 'APPROVED' });
  });

  test('has a cause in this test for every documented status', () => {
    const elsewhere = [
      'APPROVED',
      'INVALID_API',
      'DUPLICATE_REFERENCE_ID',
      'REQUEST_PROCESSING',
      'DOWNSTREAM_ERROR',
      'ERROR_GENERAL',
    ];
    const caused = new Set([...refused.map(([resultStatus]) => resultStatus), ...elsewhere]);
    expect([...caused].sort()).toEqual(Object.keys(resultStatuses.initiatePayment).sort());
  });

  test('is refused without quoting its values, and without advice that needs the client', async () => {
    const { merchantId: _merchant, storeId: _store, platformId: _platform, ...bare } = order();
    const canary = ordered({ customer: { ...customer, email: 'canary' }, lang: 'canary' });
    expect((await send(canary)).resultMsg).toMatch(/^lang: .*customer\.email: |^customer\.email: .*lang: /);
    const requests = [canary, initiate(bare), ordered({ items: [{ ...item, totalAmount: 1 }] })];
    for (const request of requests) {
      expect((await send(request)).resultMsg).not.toMatch(/canary|leave it out|derived|option of the client/);
    }
  });

  test('is accepted with unknown fields, which its entry lists and its payment keeps', async () => {
    const items = [item, item].map((each) => ({ ...each, sku: 'X' }));
    const request = ordered({ voucher: 'A', customer: { ...customer, idNumber: '1' }, items });
    expect(await send(request)).toMatchObject({ resultStatus: 'APPROVED' });
    expect(mock.journal.get(1)?.unknownFields?.toSorted()).toEqual([
      'customer.idNumber',
      'items[].sku',
      'voucher',
    ]);
    expect(mock.payments.all()[0]?.request).toMatchObject({ voucher: 'A', customer: { idNumber: '1' } });
  });

  test('has at most 20 unknown fields in its entry, each with its first 120 characters', async () => {
    const names = Array.from({ length: 21 }, (_, index) => `field${index}`.padEnd(121, 'x'));
    await send(ordered(Object.fromEntries(names.map((name) => [name, 1]))));
    const kept = names.slice(0, 20).map((name) => name.slice(0, 120));
    expect(mock.journal.get(1)?.unknownFields).toEqual(kept);
  });

  test('has warnings only in its entry if the order is odd', async () => {
    await send(initiate());
    await send(ordered({ referenceId: 'ODD', description: '' }));
    const [plain, odd] = mock.journal.all();
    expect(plain).not.toHaveProperty('warnings');
    expect(odd).toMatchObject({
      resultStatus: 'APPROVED',
      warnings: ['description is empty, although it is a required field.'],
    });
  });

  test('has a diagnosis in the journal only if its signature is wrong', async () => {
    const other = signPayment(String(initiate().init.body), idle.secretKey);
    await send(signedAs(other));
    await send(withHeaders(initiate(), { 'Client-Id': 'nobody' }));
    const [wrong, unknown] = mock.journal.all();
    expect(wrong?.hasDiagnosis).toBe(true);
    expect(wrong?.diagnosis).toMatchObject({
      received: other,
      expected: signature,
      message: 'The secret key belongs to the client idle.',
    });
    expect(unknown).not.toHaveProperty('diagnosis');
  });

  test.each([
    ['the path', '/v2/payments'],
    ['the Request-Time', '2026-11-20 10:04:05'],
  ])('has %s in its diagnosis if it was also signed, until a reset', async (name, along) => {
    const signed = signedAs(signPayment(`${String(initiate().init.body)}${along}`, DEMO_MERCHANT.secretKey));
    await send(signed);
    await send(signed);
    const [read, unread] = mock.journal.all();
    expect(read?.diagnosis?.message).toBe(`The signed text consists of the text and ${name}.`);
    mock.reset();
    expect(unread?.diagnosis).toMatchObject({ cause: 'request-not-kept', expected: signature });
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
    limit: { amount: { value: 1, currency: 'VND' } },
    duplicate: {},
  };
  const names = Object.keys(wrong) as (keyof typeof wrong)[];

  test.each([
    ['shape', 'INVALID_REQUEST'],
    ['merchant', 'INVALID_MERCHANT_ID'],
    ['store', 'INVALID_STORE_ID'],
    ['reference', 'INVALID_REFERENCE_ID'],
    ['amount', 'INVALID_AMOUNT'],
    ['phone', 'PHONE_NUMBER_UNAVAILABLE'],
    ['limit', 'AMOUNT_BELOW_MINIMUM_LIMIT'],
    ['duplicate', 'DUPLICATE_REFERENCE_ID'],
  ] as const)('begins with %s', async (check, resultStatus) => {
    await send(initiate());
    const left = names.slice(names.indexOf(check)).filter((name) => name !== 'limit' || check !== 'amount');
    const changes = Object.assign({}, ...left.map((name) => wrong[name])) as object;
    expect(await send(ordered(changes))).toMatchObject({ resultStatus });
  });
});

describe('an Idempotency-Key', () => {
  const keyed = (changes: object = {}, key = 'k-1') => initiate(order(changes), { key });

  test('returns the stored response again, byte for byte', async () => {
    const { path, init } = keyed();
    const ask = async () => (await mock.fetch(`https://mock.example${path}`, init)).text();
    const first = await ask();
    const paymentUrl = 'https://mock.example/pay/00000001';
    const result = { resultStatus: 'APPROVED', resultMsg: 'The payment was created.' };
    expect(JSON.parse(first)).toStrictEqual({ ...facts, ...result, paymentUrl, qrData: paymentUrl });
    expect(await ask()).toBe(first);
    expect(mock.journal.all()).toMatchObject([
      { ...result, acted: true, replay: false, response: { body: first, bodyBytes: first.length } },
      { ...result, acted: false, replay: true, response: { body: first, bodyBytes: first.length } },
    ]);
  });

  test('is looked up after all other checks', async () => {
    await send(keyed());
    expect(await send(without(keyed(), 'Request-Time'))).toMatchObject({ resultStatus: 'INVALID_REQUEST' });
    expect(await send(keyed({ storeId: 'S' }))).toMatchObject({ resultStatus: 'INVALID_STORE_ID' });
    expect(await send(keyed())).toMatchObject({ resultStatus: 'APPROVED' });
    expect(mock.journal.all().map(({ replay }) => replay)).toEqual([false, false, false, true]);
  });

  test('is refused with a different body', async () => {
    await send(keyed());
    expect(await send(keyed({ lang: 'vi' }))).toStrictEqual({
      ...facts,
      resultStatus: 'INVALID_REQUEST',
      resultMsg: 'The Idempotency-Key was used before with a different body.',
    });
  });

  test('does not allow a different key for the same reference', async () => {
    await send(keyed());
    expect(await send(keyed({}, 'k-2'))).toStrictEqual({
      ...facts,
      resultStatus: 'DUPLICATE_REFERENCE_ID',
      resultMsg: 'The referenceId was used before with a different Idempotency-Key.',
    });
  });

  test('can be used again after a refusal', async () => {
    await send(keyed({ storeId: 'S' }));
    expect(await send(keyed())).toMatchObject({ resultStatus: 'APPROVED' });
  });

  test('is in progress until its first request has a response', async () => {
    let finish = (): void => undefined;
    const slow = createMockService({ now, delay: () => new Promise((resolve) => (finish = resolve)) });
    slow.injectFault('initiatePayment', { delayMs: 1 });
    const first = answerOf(slow, keyed());
    await slow.journal.waitFor({ idempotencyKey: 'k-1', completed: false });

    expect(await answerOf(slow, keyed())).toStrictEqual({
      ...facts,
      resultStatus: 'REQUEST_PROCESSING',
      resultMsg: 'The same request is being processed.',
    });
    expect(await answerOf(slow, keyed({ lang: 'vi' }))).toMatchObject({ resultStatus: 'INVALID_REQUEST' });
    finish();
    expect(await first).toMatchObject({ resultStatus: 'APPROVED' });
    expect(await answerOf(slow, keyed())).toMatchObject({ resultStatus: 'APPROVED' });
    expect(slow.payments.all()).toHaveLength(1);
  });
});
