import { beforeEach, describe, expect, test } from 'vitest';
import { InstallmentClient } from '../../../src/entries/index.js';
import { LenderClient } from '../../../src/entries/lender.js';
import {
  createMockService,
  DEMO_MERCHANT,
  MockUsageError,
  type MockService,
} from '../../../src/entries/mock.js';
import { signPayment } from '../../../src/operations/signer.js';
import type { OwnRequest } from '../../../src/mock/service/operations/own-operation.js';
import { initiate, now, type PlainRequest } from '../../helpers/signed-requests.js';

const path = '/v2/payments/status';
let mock: MockService;
let client: InstallmentClient;

beforeEach(() => {
  mock = createMockService({ now });
  client = new InstallmentClient({
    ...mock.clientOptions(),
    maxRetries: 0,
    logLevel: 'silent',
  });
});

/** A request to the custom path, with the headers of an initiate request. */
function signed(body: string, headers: Record<string, string> = {}): PlainRequest {
  return { ...initiate(body, { headers }), path };
}

async function send({ path: at, init }: PlainRequest): Promise<{ status: number; json: unknown }> {
  const response = await mock.fetch(`https://mock.example${at}`, init);
  return { status: response.status, json: await response.json() };
}

describe('a custom operation', () => {
  test('responds to a signed call with the result of its handler', async () => {
    const seen: OwnRequest[] = [];
    mock.handle(path, (request) => {
      seen.push(request);
      return Promise.resolve({ referenceId: 'ORDER-1', resultStatus: 'PAID', resultMsg: 'It is paid.' });
    });
    const { httpStatus, body } = await client.post(
      path,
      { referenceId: 'ORDER-1' },
      { idempotencyKey: 'k-1' },
    );

    expect(httpStatus).toBe(200);
    expect(body).toEqual({ referenceId: 'ORDER-1', resultStatus: 'PAID', resultMsg: 'It is paid.' });
    expect(seen).toMatchObject([
      {
        body: { referenceId: 'ORDER-1' },
        merchant: { clientId: 'demo-client', merchantId: 'DEMO-MERCHANT', storeIds: ['STORE-01'] },
        headers: { 'client-id': 'demo-client', 'content-type': 'application/json' },
      },
    ]);
    expect(JSON.stringify(seen)).not.toContain(DEMO_MERCHANT.secretKey);
  });

  test('is in the journal, with its result and references', async () => {
    mock.handle(path, () => ({ resultStatus: 'PAID', resultMsg: 'It is paid.' }));
    await client.post(path, { referenceId: 'ORDER-1' });
    const [entry] = mock.journal.all();

    expect(entry).toMatchObject({
      own: true,
      method: 'POST',
      path,
      referenceId: 'ORDER-1',
      body: '{"referenceId":"ORDER-1"}',
      resultStatus: 'PAID',
      resultMsg: 'It is paid.',
      httpStatus: 200,
      completed: true,
    });
    expect(entry).not.toHaveProperty('operation');
    const page = await (await mock.fetch('https://mock.example/_mock')).text();
    expect(page).toContain(path);
    expect(page).toContain('PAID');
  });

  test('is replaced by a later handler, and survives a reset', async () => {
    mock.handle(path, () => 1);
    mock.handle(path, () => 2);
    mock.reset();

    expect(await send(signed('{}'))).toEqual({ status: 200, json: 2 });
  });

  test.each<[string, Record<string, string>, string]>([
    ['an unknown client', { 'Client-Id': 'nobody' }, 'INVALID_CLIENT_ID'],
    ['a wrong signature', { Signature: signPayment('{ }', DEMO_MERCHANT.secretKey) }, 'INVALID_SIGNATURE'],
    ['another content type', { 'Content-Type': 'text/plain' }, 'INVALID_REQUEST'],
  ])('refuses %s, as for initiatePayment', async (_title, headers, resultStatus) => {
    mock.handle(path, () => expect.unreachable());

    expect(await send(signed('{"a":1}', headers))).toMatchObject({ status: 200, json: { resultStatus } });
  });

  test('refuses an inactive merchant', async () => {
    mock = createMockService({ now, merchants: [{ ...DEMO_MERCHANT, active: false }] });
    mock.handle(path, () => expect.unreachable());

    expect(await send(signed('{}'))).toMatchObject({ json: { resultStatus: 'ACCESS_DENIED' } });
  });

  test.each<[string, () => unknown, string]>([
    [
      'throws',
      () => {
        throw new Error('no database');
      },
      'no database',
    ],
    [
      'returns nothing',
      () => undefined,
      `The handler of ${path} must return a body that JSON can represent.`,
    ],
    [
      'returns a Response',
      () => new Response('{}'),
      `The handler of ${path} must return a body that JSON can represent.`,
    ],
    ['returns a value that JSON cannot represent', () => 1n, 'Do not know how to serialize a BigInt'],
  ])('responds with 500, and journals the error, if its handler %s', async (_title, handler, error) => {
    mock.handle(path, handler);

    expect(await send(signed('{}'))).toEqual({
      status: 500,
      json: { resultStatus: 'ERROR_GENERAL', resultMsg: `The mock failed: ${error}` },
    });
    expect(mock.journal.all()).toMatchObject([{ httpStatus: 500, error, completed: true }]);
  });
});

describe('a custom notification', () => {
  const schedule = '/lender/open/notify/schedule';
  const notify = (body: string) => {
    const headers = { 'Content-Type': 'application/json' };
    return send({ path: schedule, init: { method: 'POST', headers, body } });
  };

  test('is accepted without a signature, and its handler gets no merchant', async () => {
    const lender = new LenderClient({
      ...{ baseUrl: 'https://mock.example', fetch: mock.fetch },
      ...{ lenderCode: 'L-1', serviceApplicationId: 'APP-1', headers: { 'X-Key': 'k' } },
    });
    const seen: object[] = [];
    mock.handle(schedule, (request) => ({ received: seen.push(request) }), { sender: 'lender' });
    const body = { contractNumber: 'CONTRACT-1' };

    expect(await lender.post(schedule, body)).toMatchObject({ httpStatus: 200, body: { received: 1 } });
    expect(seen).toEqual([{ body, headers: expect.objectContaining({ 'x-key': 'k' }) as unknown }]);
    expect(mock.journal.all()).toMatchObject([{ own: true, path: schedule, contractNumber: 'CONTRACT-1' }]);
  });

  test('is refused with status 400, like a notification of the specification', async () => {
    mock = createMockService({ now, lender: { authenticate: () => false } });
    mock.handle(schedule, () => expect.unreachable(), { sender: 'lender' });
    expect(await notify('{"requestId":"R-1"}')).toEqual({
      status: 400,
      json: {
        requestId: 'R-1',
        resultStatus: 'ACCESS_DENIED',
        resultMsg: 'The request is not authenticated.',
      },
    });
  });

  test('is not acknowledged by JSON that a fault has cut', async () => {
    mock.handle(schedule, () => ({ ok: true }), { sender: 'lender' });
    mock.injectFault(schedule, 'invalid-json', { phase: 'after' });
    expect((await mock.fetch(`https://mock.example${schedule}`, signed('{}').init)).status).toBe(500);
  });

  test('is refused by handle() with an unknown sender', () => {
    expect(() => mock.handle(schedule, () => 1, { sender: 'bank' as 'lender' })).toThrow(
      new MockUsageError("handle: sender must be 'merchant' or 'lender'."),
    );
  });
});

describe('a script for a custom operation', () => {
  test('injects a fault before or after the handler', async () => {
    let calls = 0;
    mock.handle(path, () => (calls += 1));
    mock.injectFault(path, 'connection-reset');
    mock.injectFault(path, 'html-502', { phase: 'after' });

    await expect(client.post(path, {})).rejects.toMatchObject({ outcome: 'unknown' });
    expect(calls).toBe(0);
    expect((await mock.fetch(`https://mock.example${path}`, signed('{}').init)).status).toBe(502);
    expect(calls).toBe(1);
  });

  test('responds instead of the handler, for one reference, if the signature is valid', async () => {
    mock.handle(path, () => ({ status: 'paid' }));
    mock.respondWith(path, { httpStatus: 409, body: { status: 'gone' } }, { referenceId: 'ORDER-1' });
    mock.respondWith('initiatePayment', { resultStatus: 'ERROR_GENERAL' });

    expect(await send(signed('{"referenceId":"ORDER-2"}'))).toEqual({
      status: 200,
      json: { status: 'paid' },
    });
    expect(await send(signed('{"referenceId":"ORDER-1"}'))).toEqual({
      status: 409,
      json: { status: 'gone' },
    });
    expect(mock.journal.get(2)).toMatchObject({ scripted: true, path });
  });

  test('refuses a path without a handler', () => {
    const rule = 'no handler is registered for this path: call handle() first.';
    expect(() => mock.injectFault('/v2/other', 'hang')).toThrow(rule);
    expect(() => mock.respondWith('/v2/other', { httpStatus: 500 })).toThrow(rule);
    expect(() => mock.injectFault('refund' as '/refund', 'hang')).toThrow(MockUsageError);
  });
});

describe('the path of a custom operation', () => {
  test.each([
    '/v2/payments',
    '/lender/open/notify/payment-receipt',
    '/',
    '/_mock',
    '/pay/00000001',
    '/openapi.json',
    '',
    '/v2/../v2/payments',
    '/v2/trả-góp',
    '/v2/status?x=1',
    '/v2/status#',
    7,
  ])('%j is refused', (wrong) => {
    expect(() => mock.handle(wrong as '/', () => ({}))).toThrow(MockUsageError);
  });

  test('is refused without a function', () => {
    expect(() => mock.handle(path, {} as () => unknown)).toThrow(MockUsageError);
  });
});
