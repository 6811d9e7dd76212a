import { beforeEach, describe, expect, test } from 'vitest';
import { createMockService, type MockService } from '../../../src/entries/mock.js';
import { resultStatuses } from '../../../src/protocol/result-statuses.js';
import type { ScriptedResponse } from '../../../src/mock/common/scripted-response.js';
import { initiate, now, order, receipt, upload, type PlainRequest } from '../../helpers/signed-requests.js';

let mock: MockService;

beforeEach(() => {
  mock = createMockService({ now });
});

const fetchOf = ({ path, init }: PlainRequest) => mock.fetch(`https://mock.example${path}`, init);

async function send(request: PlainRequest): Promise<unknown> {
  return (await fetchOf(request)).json();
}

const reference = 'ORDER:2026-0001';
const initiated = {
  merchantId: 'DEMO-MERCHANT',
  referenceId: reference,
  responseTime: '2026-11-20 10:04:05',
};
const json = 'application/json; charset=utf-8';

describe('a scripted result', () => {
  test('has the page of an approval, although no payment exists', async () => {
    mock.respondWith('initiatePayment', { resultStatus: 'APPROVED' });
    const paymentUrl = 'https://mock.example/pay/scripted';
    expect(await send(initiate())).toStrictEqual({
      ...initiated,
      resultStatus: 'APPROVED',
      resultMsg: 'As scripted.',
      paymentUrl,
      qrData: paymentUrl,
    });
    expect(mock.payments.all()).toStrictEqual([]);
    expect(mock.journal.get(1)).toMatchObject({
      scripted: true,
      replay: false,
      resultStatus: 'APPROVED',
      resultMsg: 'As scripted.',
    });
  });

  test('has the invoice of an approved upload, although no invoice exists', async () => {
    mock.respondWith('uploadInvoice', { resultStatus: 'APPROVED', resultMsg: 'Own words.' });
    expect(await send(upload())).toStrictEqual({
      referenceId: reference,
      invoiceId: 'INV-SCRIPTED',
      uploadedAt: '2026-11-20T03:04:05Z',
      resultStatus: 'APPROVED',
      resultMsg: 'Own words.',
    });
    expect(mock.invoices.all()).toStrictEqual([]);
  });

  test('has no additional fields for a refused upload', async () => {
    mock.respondWith('uploadInvoice', { resultStatus: 'LIMIT_EXCEEDED' });
    expect(await send(upload())).toStrictEqual({
      referenceId: reference,
      resultStatus: 'LIMIT_EXCEEDED',
      resultMsg: 'The referenceId has 3 invoices already.',
    });
  });

  test.each(['INVALID_REQUEST', 'ERROR_GENERAL'] as const)(
    'has the description of %s in the table of uploads for an upload, also if its reference selects it',
    async (resultStatus) => {
      const { meaning } = resultStatuses.uploadInvoice[resultStatus];
      expect(meaning).not.toBe(resultStatuses.initiatePayment[resultStatus].meaning);
      mock.respondWith('uploadInvoice', { resultStatus });
      expect(await send(upload())).toMatchObject({ resultStatus, resultMsg: meaning });
      const forced = upload({ fields: { referenceId: `trigger:${resultStatus}:1` } });
      expect(await send(forced)).toMatchObject({ resultStatus, resultMsg: meaning });
    },
  );

  test('can have a different status and additional headers, with lower-case names', async () => {
    mock.respondWith('initiatePayment', {
      resultStatus: 'ERROR_GENERAL',
      httpStatus: 503,
      headers: { 'Retry-After': '7', 'Content-Type': 'text/x-own' },
    });
    const response = await fetchOf(initiate());
    expect(response.status).toBe(503);
    expect(Object.fromEntries(response.headers)).toStrictEqual({
      'retry-after': '7',
      'content-type': 'text/x-own',
      'content-length': expect.stringMatching(/^\d+$/) as unknown,
    });
    expect(await response.json()).toMatchObject({ resultStatus: 'ERROR_GENERAL' });
    expect(mock.journal.get(1)?.response?.headers).toStrictEqual({
      'content-type': 'text/x-own',
      'retry-after': '7',
    });
  });
});

describe('a scripted response without a result', () => {
  test.each<[string, ScriptedResponse, number, Record<string, string>, string]>([
    ['a status', { httpStatus: 204 }, 204, {}, ''],
    ['a message only', { resultMsg: 'x' }, 200, {}, ''],
    ['headers', { headers: { 'X-Own': '1' } }, 200, { 'x-own': '1' }, ''],
    ['an object', { body: { a: 1 } }, 200, { 'content-type': json }, '{"a":1}'],
    ['a text', { body: 'A' }, 200, {}, 'A'],
    ['null', { body: null }, 200, { 'content-type': json }, 'null'],
  ])('is sent unchanged: %s', async (_title, answer, httpStatus, headers, body) => {
    mock.respondWith('initiatePayment', answer);
    await (await fetchOf(initiate())).text();
    const entry = mock.journal.get(1);
    expect(entry).toMatchObject({ scripted: true, httpStatus });
    expect(entry?.response).toStrictEqual({ headers, body, bodyBytes: body.length });
    expect(entry).not.toHaveProperty('resultStatus');
    expect('resultMsg' in (entry ?? {})).toBe('resultMsg' in answer);
  });

  test('adds an undocumented status in its body to the journal', async () => {
    const body = { resultStatus: 'NEW_STATUS', resultMsg: 'Own words.' };
    mock.respondWith('initiatePayment', { body });
    expect(await send(initiate())).toStrictEqual(body);
    expect(mock.journal.get(1)).toMatchObject({ ...body, httpStatus: 200, scripted: true });
  });
});

describe('a reference that begins with trigger:', () => {
  const words = [
    ...new Set([
      ...Object.keys(resultStatuses.initiatePayment),
      ...Object.keys(resultStatuses.uploadInvoice),
    ]),
  ];
  const wrongForm = `The referenceId must have the form trigger:<RESULT_STATUS>:<anything>. The result status must be one of ${words.join(', ')}.`;
  const ordered = (referenceId: string) => initiate(order({ referenceId }));

  test.each(['trigger:DOWNSTREAM_ERROR:', 'trigger:DOWNSTREAM_ERROR:1', 'trigger:DOWNSTREAM_ERROR:1:2'])(
    '%s yields the status',
    async (referenceId) => {
      expect(await send(ordered(referenceId))).toStrictEqual({
        ...initiated,
        referenceId,
        resultStatus: 'DOWNSTREAM_ERROR',
        resultMsg: 'A partner of the service timed out.',
      });
      expect(mock.journal.get(1)).toMatchObject({ scripted: true, resultStatus: 'DOWNSTREAM_ERROR' });
      expect(mock.payments.all()).toStrictEqual([]);
    },
  );

  test('creates a payment as usual if it names APPROVED', async () => {
    expect(await send(ordered('trigger:APPROVED:1'))).toMatchObject({
      resultStatus: 'APPROVED',
      resultMsg: 'The payment was created.',
    });
    expect(mock.journal.get(1)).toMatchObject({ scripted: false });
  });

  test.each(['trigger:', 'trigger:ERROR_GENERAL', 'trigger:ODD:1', 'trigger::1', 'trigger:error_general:1'])(
    '%s is refused with the required form',
    async (referenceId) => {
      expect(await send(ordered(referenceId))).toStrictEqual({
        ...initiated,
        referenceId,
        resultStatus: 'INVALID_REQUEST',
        resultMsg: wrongForm,
      });
      expect(mock.journal.get(1)).toMatchObject({ scripted: false });
    },
  );
});

test('a response to a request without identifiers has no identifiers', async () => {
  expect(await send(initiate('{}', { headers: { 'Client-Id': 'x' } }))).toStrictEqual({
    responseTime: '2026-11-20 10:04:05',
    resultStatus: 'INVALID_CLIENT_ID',
    resultMsg: 'The Client-Id header is not a registered client ID.',
  });
  expect(Object.keys((await send(receipt({ requestId: 7 }))) as object)).toStrictEqual([
    'resultStatus',
    'resultMsg',
  ]);
});
