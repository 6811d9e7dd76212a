import { afterEach, describe, expect, test } from 'vitest';
import { inspect } from 'node:util';
import {
  InstallmentClient,
  signPayment,
  type InstallmentError,
  type PostOptions,
} from '../../src/entries/index.js';
import type { WireResponse } from '../../src/http/transport.js';
import { judgePost } from '../../src/operations/post.js';
import { responseWith } from '../http/samples.js';
import { recordingServer, type RecordingServer, type Script } from '../helpers/recording-server.js';
import { instantRuntime } from '../helpers/runtime.js';
import { createMockService } from '../../src/entries/mock.js';
import { demo, paymentRequest } from '../helpers/samples.js';
import { unreachable } from '../helpers/scripted-fetch.js';

let server: RecordingServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function clientOf(...scripts: readonly Script[]): Promise<InstallmentClient> {
  server = await recordingServer(...scripts);
  return new InstallmentClient({ ...demo, baseUrl: `${server.url}/api` }, instantRuntime());
}

async function classifyFailure(call: Promise<unknown>): Promise<InstallmentError> {
  return call.then(
    () => {
      throw new Error('the call was expected to fail');
    },
    (error: unknown) => error as InstallmentError,
  );
}

const path = '/v2/payments/status';
const body = { referenceId: 'ORDER-1', note: 'Trả góp' };

describe('post', () => {
  test('is signed over the exact bytes, with the headers of an initiate request, below the prefix', async () => {
    const client = await clientOf({ body: { state: 'PAID' } });
    const answer = await client.post(`${path}?full=1`, body, { referenceId: 'ORDER-1' });
    expect(answer).toEqual({ httpStatus: 200, body: { state: 'PAID' } });
    expect(answer.$metadata).toMatchObject({
      operation: 'post',
      referenceId: 'ORDER-1',
      httpStatus: 200,
      request: { method: 'POST', path: `/api${path}` },
    });
    const [request] = server?.requests ?? [];
    expect(request?.path).toBe(`/api${path}?full=1`);
    expect(request?.body.toString()).toBe(JSON.stringify(body));
    expect(request?.headers).toMatchObject({
      'content-type': 'application/json',
      'client-id': demo.clientId,
      signature: signPayment(JSON.stringify(body), demo.secretKey),
    });
    expect(request?.headers['request-time']).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
    expect(request?.headers).not.toHaveProperty('idempotency-key');
  });

  test('sends the key of the caller with every attempt', async () => {
    const client = await clientOf({ status: 503 }, { body: {} });
    const { $metadata } = await client.post(path, body, { policy: 'idempotent', idempotencyKey: 'K-1' });
    expect($metadata.idempotencyKey).toBe('K-1');
    expect(server?.requests.map(({ headers }) => headers['idempotency-key'])).toEqual(['K-1', 'K-1']);
    expect(new Set(server?.requests.map((request) => request.body.toString())).size).toBe(1);
  });

  test.each([[[1, 2]], [{ resultStatus: 'INVALID_REQUEST' }], ['text'], [null]])(
    'resolves to any JSON with a 2xx status: %j',
    async (said) => {
      const client = await clientOf({ status: 201, body: JSON.stringify(said) });
      expect(await client.post(path, body)).toEqual({ httpStatus: 201, body: said });
    },
  );

  const unusable: [string, Script, PostOptions, Partial<InstallmentError>, number][] = [
    ['JSON under 500, once', { status: 500, body: {} }, {}, { outcome: 'unknown', retryable: false }, 1],
    [
      'JSON under 500, idempotent',
      { status: 500, body: {} },
      { policy: 'idempotent' },
      { outcome: 'unknown', retryable: true },
      3,
    ],
    ['a 429, once', { status: 429 }, {}, { outcome: 'rejected', retryable: true }, 3],
  ];
  test.each(unusable)('fails with %s', async (_name, script, options, expected, requests) => {
    const client = await clientOf(script);
    const error = await classifyFailure(client.post(path, body, options));
    expect(error).toMatchObject({ code: 'UNEXPECTED_RESPONSE', operation: 'post', ...expected });
    expect(server?.requests).toHaveLength(requests);
  });

  test.each([
    ['/../secret'],
    ['/a b'],
    ['/a#b'],
    ['/ả'],
    ['@other.example/'],
    [''],
    [undefined],
    [new URL('https://other.example/')],
  ])('refuses the path %s before anything is sent', async (wrong) => {
    const { fetch, requests } = unreachable();
    const error = await classifyFailure(
      new InstallmentClient({ ...demo, fetch }).post(wrong as string, body),
    );
    expect(error).toMatchObject({ code: 'VALIDATION', outcome: 'not_sent', issues: [{ path: ['path'] }] });
    expect(requests).toHaveLength(0);
  });

  const throws = () => {
    throw new Error('no');
  };
  const unreadable = 'cannot be read: one of its fields throws';
  const notJson =
    'cannot be written as JSON: it has a cycle, a BigInt, a toJSON that fails, or is nested too deeply';
  const pathRule = 'must be a path below the base URL, exactly as it is sent, such as /v2/payments/status';
  const bodyRule = 'must be an object or an array, such as { referenceId: "ORDER-1" }';
  test.each<[string, [path: unknown, body: unknown, options?: unknown], string, string]>([
    ['a path that is not a string', [7, body], 'path', 'must be a string, such as /v2/payments/status'],
    ['a path of another form', ['v2', body], 'path', pathRule],
    ['a body that is text', [path, '{}'], 'body', bodyRule],
    ['a body with a Promise inside', [path, { a: Promise.resolve(1) }], 'body', expect.any(String) as string],
    ['a body that throws', [path, { toJSON: throws }], 'body', notJson],
    ['options that throw', [path, body, new Proxy({}, { ownKeys: throws })], 'options', unreadable],
  ])('refuses %s, and says why', async (_name, [sentTo, said, options], field, message) => {
    const client = new InstallmentClient({ ...demo, fetch: unreachable().fetch });
    const error = await classifyFailure(client.post(sentTo as string, said, options as PostOptions));
    expect(error).toMatchObject({
      operation: 'post',
      issues: [{ path: [field], message, resultStatus: 'INVALID_REQUEST' }],
    });
  });

  test('names every wrong option', async () => {
    const client = await clientOf({ body: {} });
    const options = { policy: 'twice', idempotencyKey: ' ', referenceId: 'a b', mayHaveBeenSent: 1 };
    const error = await classifyFailure(client.post(path, body, options as unknown as PostOptions));
    const paths = (error as InstallmentError & { issues: { path: string[] }[] }).issues.map(
      ({ path: at }) => at,
    );
    expect(paths.sort()).toEqual(
      Object.keys(options)
        .sort()
        .map((name) => ['options', name]),
    );
  });

  test('hides its body, its query and the secret', async () => {
    server = await recordingServer({ body: {}, status: 503 });
    const client = new InstallmentClient({ ...demo, baseUrl: server.url });
    const error = await classifyFailure(client.post(`${path}?token=hidden`, body));
    const shown = inspect(error, { depth: Infinity, showHidden: true }) + JSON.stringify(error);
    for (const secret of [demo.secretKey, 'Trả góp', 'hidden']) expect(shown).not.toContain(secret);
  });
});

describe('a response to post', () => {
  /** The verdict on a response, without a network. */
  function answered(text: string, changes: Partial<WireResponse> = {}) {
    return judgePost(responseWith({ text, ...changes }));
  }

  test.each(['ended', 'cut'] as const)(
    'is complete as an object or array, if its body is %s',
    (bodyState) => {
      for (const [text, body] of [
        ['{"a":1}', { a: 1 }],
        ['[1]', [1]],
      ] as const) {
        expect(answered(text, { bodyState })).toStrictEqual({
          outcome: 'accepted',
          value: { httpStatus: 200, body },
        });
      }
    },
  );

  test.each(['7', '"text"', 'true', 'null'])(
    'can be incomplete as %s, unless its body is complete',
    (text) => {
      expect(answered(text)).toMatchObject({ outcome: 'accepted' });
      for (const bodyState of ['ended', 'cut'] as const) {
        expect(answered(text, { bodyState, httpStatus: 400 })).toMatchObject({
          outcome: 'unknown',
          transient: true,
          facts: { summary: 'the response may be cut short' },
        });
      }
    },
  );

  test.each([
    ['{"resultStatus":"REQUEST_PROCESSING"}', 'unknown'],
    ['{"resultStatus":"DOWNSTREAM_ERROR"}', 'unknown'],
    ['{"resultStatus":"INVALID_REQUEST"}', 'rejected'],
    ['{"resultStatus":"FILE_TOO_LARGE"}', 'rejected'],
    ['{"resultStatus":"ERROR_GENERAL"}', 'unknown'],
    ['{"resultStatus":"REFUND_PENDING"}', 'unknown'],
    ['{"resultStatus":"APPROVED"}', 'unknown'],
    ['{"resultStatus":""}', 'unknown'],
    ['{"resultStatus":null}', 'unknown'],
    ['{"resultStatus":"toString"}', 'unknown'],
    ['{"message":"no such refund"}', 'rejected'],
    ['{"data":{"resultStatus":"REQUEST_PROCESSING"}}', 'unknown'],
    ['<html>', 'rejected'],
  ])('under HTTP 400, %s is %s and not retried', (text, outcome) => {
    expect(answered(text, { httpStatus: 400 })).toMatchObject({ outcome, transient: false });
  });
});

test('sends an order that the payment rules refuse, as it is, and the mock refuses it by those rules', async () => {
  const mock = createMockService();
  const client = new InstallmentClient(mock.clientOptions());
  const { merchantId, storeId, platformId } = client.settings;
  const [item] = paymentRequest().items;
  const line = { ...item, currency: 'VND', totalAmount: 12_000_000 };
  const body = {
    ...paymentRequest(),
    ...{ merchantId, storeId, platformId, requestType: 'installment' },
    amount: { value: 11_000_000, currency: 'VND' },
    items: [line, { ...line, productId: 'DISCOUNT', price: -1_000_000, totalAmount: -1_000_000 }],
    shipping: { ...paymentRequest().shipping, country: 'VN' },
  };

  const response = await client.post('/v2/payments', body, { policy: 'idempotent', idempotencyKey: 'k' });

  expect(response.body).toMatchObject({
    resultStatus: 'INVALID_REQUEST',
    resultMsg: expect.stringMatching(/^items\[1\]\.price: must be a number of VND, 0 or greater/) as string,
  });
});
