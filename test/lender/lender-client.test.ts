import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  LenderClient,
  NotificationRejectedError,
  type LenderClientOptions,
  type NotificationContext,
} from '../../src/entries/lender.js';
import { allocation, demoLender, receipt, transaction } from '../helpers/lender-samples.js';
import { settle } from '../helpers/runtime.js';
import { recordingServer } from '../helpers/recording-server.js';
import { rejection, thrownBy } from '../helpers/samples.js';
import { http, inTurn, reset } from '../helpers/scripted-failures.js';
import {
  answering,
  framed,
  scriptedFetch,
  sentBytes,
  unreachable,
  type FetchScript,
  type ScriptedFetch,
} from '../helpers/scripted-fetch.js';

/** A receipt without the fields that the client adds. */
const bare = () => ({
  contractNumber: 'CONTRACT-1',
  lenderTransactionCode: 'LTC-1',
  receivedAmount: 1_500_000,
  receivedDatetime: new Date('2026-11-20T02:59:58Z'),
  receivedStatus: 'SUCCESS' as const,
});

async function sentJson({ requests }: ScriptedFetch): Promise<Record<string, unknown>> {
  const [request] = requests;
  if (!request) throw new Error('a request was expected');
  return JSON.parse((await sentBytes(request)).toString()) as Record<string, unknown>;
}

describe('a notification', () => {
  test('is sent as a receipt with its missing fields added', async () => {
    const fetched = answering({ ok: true });
    const acknowledged = await demoLender({ fetch: fetched.fetch }).notifyPaymentReceipt(bare());
    const sent = await sentJson(fetched);
    expect(sent).toEqual({
      ...bare(),
      receivedDatetime: '2026-11-20T09:59:58+0700',
      requestId: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/) as string,
      requestingDatetime: '2026-11-20T10:04:05+0700',
      serviceApplicationId: 'APP-01',
      lenderCode: 'LENDER-01',
    });
    expect(new Headers(fetched.requests[0]?.headers).get('user-agent')).toMatch(/^installment-payments\//);
    expect(acknowledged).toEqual({ httpStatus: 200, body: { ok: true } });
    expect(acknowledged.$metadata).toMatchObject({
      operation: 'paymentReceipt',
      requestId: sent['requestId'],
      lenderTransactionCode: 'LTC-1',
      httpStatus: 200,
      attempts: [{ outcome: 'accepted', requestTime: '' }],
    });
    expect(acknowledged.$metadata).not.toHaveProperty('referenceId');
  });

  test('is sent as an allocation with its totals added', async () => {
    const fetched = answering(null);
    const { body, $metadata } = await demoLender({ fetch: fetched.fetch }).notifyRepaymentAllocation(
      allocation(),
    );
    expect(body).toBeNull();
    expect($metadata.operation).toBe('repaymentAllocation');
    expect(await sentJson(fetched)).toEqual({
      ...allocation(),
      repaymentTransactions: [{ ...transaction(), allocatedTotal: 1_500_000 }],
    });
    expect(fetched.requests[0]?.url).toBe('https://service.example/lender/open/notify/repayment-allocation');
  });

  test("keeps its own fields instead of the client's", async () => {
    const fetched = answering({});
    await demoLender({ fetch: fetched.fetch }).notifyPaymentReceipt(
      receipt({ lenderCode: 'OTHER', serviceApplicationId: 'OTHER-APP' }),
    );
    expect(await sentJson(fetched)).toMatchObject({
      lenderCode: 'OTHER',
      serviceApplicationId: 'OTHER-APP',
      requestId: receipt().requestId,
    });
  });

  test('contains the masked field under its real name', async () => {
    const fetched = answering({});
    await demoLender({ fetch: fetched.fetch, applicationIdField: 'acmeApplicationId' }).notifyPaymentReceipt(
      bare(),
    );
    const sent = await sentJson(fetched);
    expect(sent).toHaveProperty('acmeApplicationId', 'APP-01');
    expect(sent).not.toHaveProperty('serviceApplicationId');
    expect(Object.keys(sent).slice(0, 2)).toEqual(['requestId', 'acmeApplicationId']);
  });

  test('has a new requestId for each call, and the same requestId in all attempts of a call', async () => {
    const fetched = inTurn(reset, () => Response.json({}));
    const lender = demoLender({ fetch: fetched.fetch });
    await lender.notifyPaymentReceipt(bare());
    await lender.notifyPaymentReceipt(bare());
    const ids = await Promise.all(
      fetched.requests.map(
        async (each) => (JSON.parse((await sentBytes(each)).toString()) as { requestId: string }).requestId,
      ),
    );
    expect(ids).toHaveLength(3);
    expect(ids[1]).toBe(ids[0]);
    expect(ids[2]).not.toBe(ids[0]);
  });

  test("is sent over a real connection with the headers of JSON, without the merchant's headers", async () => {
    const server = await recordingServer({ body: { ok: true } });
    await demoLender({ baseUrl: `${server.url}/prefix`, headers: { 'X-Key': 'k' } }).notifyPaymentReceipt(
      bare(),
    );
    const [request] = server.requests;
    await server.close();
    expect(request?.path).toBe('/prefix/lender/open/notify/payment-receipt');
    expect(request?.headers).toMatchObject({ 'content-type': 'application/json', 'x-key': 'k' });
    for (const name of ['signature', 'client-id', 'request-time', 'idempotency-key'])
      expect(request?.headers).not.toHaveProperty(name);
  });
});

describe('an acknowledgement', () => {
  test.each<readonly [number, string, unknown]>([
    [200, '{"a":1}', { a: 1 }],
    [201, 'plain text', 'plain text'],
    [202, '', undefined],
    [299, '<html>', '<html>'],
  ])('is HTTP %i with %j', async (status, text, body) => {
    const { fetch } = scriptedFetch(http(status, text));
    expect(await demoLender({ fetch }).notifyPaymentReceipt(bare())).toEqual({ httpStatus: status, body });
  });
});

describe('acknowledged', () => {
  const judged = (acknowledged: NonNullable<LenderClientOptions['acknowledged']>, script: FetchScript) => {
    const { fetch, requests } = scriptedFetch(script);
    const call = demoLender({ fetch, acknowledged }).notifyPaymentReceipt(bare());
    return { call, requests };
  };

  test('is called for a 2xx response, and true acknowledges it', async () => {
    const seen: unknown[] = [];
    const { call } = judged((answer) => seen.push(answer) > 0, http(201, '{"code":"00"}'));
    expect(await call).toEqual({ httpStatus: 201, body: { code: '00' } });
    expect(seen).toEqual([{ httpStatus: 201, body: { code: '00' } }]);
  });

  test('refuses the notification if it returns false, and the call is not retried', async () => {
    const { call, requests } = judged(
      ({ body }) => (body as { code: string }).code === '00',
      http(200, '{"code":"99"}'),
    );
    const error = await rejection(call);
    expect(error).toBeInstanceOf(NotificationRejectedError);
    expect(error).toMatchObject({
      outcome: 'rejected',
      retryable: false,
      httpStatus: 200,
      body: { code: '99' },
    });
    expect(requests).toHaveLength(1);
  });

  test('leaves the outcome unknown if it throws, without quoting the error', async () => {
    const { call, requests } = judged(
      () => {
        throw new Error('canary');
      },
      http(200, 'OK'),
    );
    const error = await rejection(call);
    expect(error).toMatchObject({ code: 'UNEXPECTED_RESPONSE', outcome: 'unknown', retryable: false });
    expect(String(error)).toContain('acknowledged() threw');
    expect(String(error)).not.toContain('canary');
    expect(requests).toHaveLength(1);
  });

  // A caller might pass an async function by mistake; in JavaScript, it could return anything.
  const mistaken: readonly (readonly [string, () => unknown])[] = [
    ['undefined', () => undefined],
    ['text', () => 'no'],
    ['a promise of true', () => Promise.resolve(true)],
    ['a promise that rejects', () => Promise.reject(new Error('canary'))],
  ];

  test.each(mistaken)('leaves the outcome unknown if it returns %s', async (_, returned) => {
    const { call, requests } = judged(returned as () => boolean, http(200, '{}'));
    const error = await rejection(call);
    expect(error).toMatchObject({ code: 'UNEXPECTED_RESPONSE', outcome: 'unknown', retryable: false });
    expect(String(error)).toContain('acknowledged() threw, or did not return true or false');
    expect(String(error)).not.toContain('canary');
    expect(requests).toHaveLength(1);
    // An unhandled rejection, which fails the run, is reported after a turn.
    await settle();
  });

  test('receives a copy, so that it cannot change the result', async () => {
    const { call } = judged(
      (answer) => {
        answer.body = 'changed';
        return true;
      },
      http(200, '{"a":1}'),
    );
    expect(await call).toEqual({ httpStatus: 200, body: { a: 1 } });
  });

  const gzip = (text: string) =>
    Buffer.concat([
      Buffer.from('HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nConnection: close\r\n\r\n'),
      gzipSync(text),
    ]);
  const cuts: readonly (readonly [string, string | Buffer])[] = [
    ['by close, before its first byte', 'HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n'],
    ['by close, inside a number', 'HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n12'],
    ['before its length', 'HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nfalse'],
    ['nowhere that can be seen, in gzip', gzip('OK')],
  ];

  test.each(cuts)('is not called for a response that may have been cut %s', async (_, answer) => {
    let asked = 0;
    const server = await recordingServer((socket) => socket.end(answer));
    const lender = demoLender({
      baseUrl: server.url,
      acknowledged: () => {
        asked++;
        return false;
      },
    });
    const error = await rejection(lender.notifyRepaymentAllocation(allocation()));
    await server.close();
    expect(error).toMatchObject({ outcome: 'unknown', retryable: false });
    expect(asked).toBe(0);
    expect(server.requests).toHaveLength(1);
  });

  test('is called for JSON that is closed, however its response ended', async () => {
    const server = await recordingServer((socket) => socket.end(gzip('{"code":"99"}')));
    const lender = demoLender({ baseUrl: server.url, acknowledged: () => false });
    expect(await rejection(lender.notifyPaymentReceipt(bare()))).toMatchObject({
      outcome: 'rejected',
      body: { code: '99' },
    });
    await server.close();
  });

  test('is not called for a redirect that fetch has followed', async () => {
    const followed = () => Object.defineProperty(framed('{}'), 'redirected', { value: true });
    const { call } = judged(() => true, followed);
    expect(await rejection(call)).toMatchObject({ code: 'UNEXPECTED_RESPONSE', outcome: 'unknown' });
  });
});

describe('headers of a lender', () => {
  const signed = {
    Signature: 'abc',
    'Client-Id': 'lender',
    'Request-Time': '2026-11-20 10:04:05',
    'Idempotency-Key': 'LTC-1',
    Authorization: 'Bearer t',
  };

  test.each<readonly [string, typeof signed | (() => typeof signed)]>([
    ['given once', signed],
    ['made for each notification', () => signed],
  ])('can contain a signature that was agreed, %s', async (_name, headers) => {
    const server = await recordingServer({ body: { ok: true } });
    await demoLender({ baseUrl: server.url, headers }).notifyPaymentReceipt(bare());
    await server.close();
    expect(server.requests[0]?.headers).toMatchObject({
      signature: 'abc',
      'client-id': 'lender',
      'request-time': '2026-11-20 10:04:05',
      'idempotency-key': 'LTC-1',
      authorization: 'Bearer t',
    });
  });

  test.each(['Content-Type', 'content-length', 'HOST'])('cannot be %s', async (name) => {
    const headers = { [name]: 'x' };
    const { fetch, requests } = unreachable();
    const options = { baseUrl: 'https://service.example', headers };
    expect(thrownBy(() => new LenderClient(options))).toMatchObject({ option: 'headers' });
    expect(
      await rejection(demoLender({ fetch, headers: () => headers }).notifyPaymentReceipt(bare())),
    ).toMatchObject({
      code: 'HOOK',
      outcome: 'not_sent',
    });
    expect(requests).toHaveLength(0);
  });
});

describe('the base URL of a lender', () => {
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  test("is read from the lender's variable of the environment by default", async () => {
    vi.stubEnv('INSTALLMENT_LENDER_BASE_URL', 'https://lender.example/api');
    const fetched = answering({});
    await new LenderClient({ fetch: fetched.fetch }).notifyPaymentReceipt(receipt());
    expect(fetched.requests[0]?.url).toBe('https://lender.example/api/lender/open/notify/payment-receipt');
  });

  test("is not the merchant's", () => {
    vi.stubEnv('INSTALLMENT_LENDER_BASE_URL', '');
    vi.stubEnv('INSTALLMENT_BASE_URL', 'https://merchant.example');
    expect(thrownBy(() => new LenderClient())).toMatchObject({
      option: 'baseUrl',
      message: 'baseUrl is required: pass it, or set INSTALLMENT_LENDER_BASE_URL',
    });
  });
});

describe('a refusal', () => {
  test.each([400, 401, 403, 404, 413, 422])('is HTTP %i, and is not retried', async (status) => {
    const { fetch, requests } = scriptedFetch(http(status, '{"why":"no"}'));
    const error = await rejection(demoLender({ fetch }).notifyPaymentReceipt(bare()));
    expect(error).toBeInstanceOf(NotificationRejectedError);
    expect(error).toMatchObject({
      code: 'NOTIFICATION_REJECTED',
      outcome: 'rejected',
      retryable: false,
      httpStatus: status,
      lenderTransactionCode: 'LTC-1',
      operation: 'paymentReceipt',
    });
    expect(error).toHaveProperty('body', { why: 'no' });
    expect(error).toHaveProperty('requestId', expect.any(String));
    expect(JSON.stringify(error)).not.toContain('why');
    expect((error as Error).message).toContain(
      `: the notification was refused with HTTP ${String(status)}. Correct the notification, or ask the provider: `,
    );
    expect(error).toHaveProperty('$metadata.attempts.0.error', `refused with HTTP ${String(status)}`);
    expect(requests).toHaveLength(1);
  });

  test.each<readonly [string, FetchScript, RegExp]>([
    ['HTTP 500', http(500, '{}'), /the notification was not acknowledged/],
    ['HTTP 500 with a page', http(500, '<html>'), /the notification was not acknowledged/],
    ['HTTP 400 of unknown length', () => new Response('', { status: 400 }), /the response may be cut short/],
    ['HTTP 400 cut short', http(400, '{"resultSta'), /the response may be cut short/],
  ])('is not %s, and the message says so', async (_name, script, message) => {
    const lender = demoLender({ fetch: scriptedFetch(script).fetch, maxRetries: 0 });
    const error = await rejection(lender.notifyPaymentReceipt(bare()));
    expect(error).toMatchObject({ code: 'UNEXPECTED_RESPONSE', outcome: 'unknown' });
    expect((error as Error).message).toMatch(message);
  });

  test('names a receipt by its code and an allocation by its request, if the input is wrong', async () => {
    const lender = demoLender({ fetch: unreachable().fetch });
    const options = { maxRetries: -1 };
    expect(await rejection(lender.notifyPaymentReceipt(bare(), options))).toMatchObject({
      issues: [{ path: ['options', 'maxRetries'] }],
      lenderTransactionCode: 'LTC-1',
    });
    const closed = {
      get maxRetries(): number {
        throw new Error('closed');
      },
    };
    expect(await rejection(lender.notifyPaymentReceipt(bare(), closed))).toMatchObject({
      issues: [{ path: ['options'], message: 'cannot be read: one of its fields throws' }],
    });
    const error = await rejection(lender.notifyRepaymentAllocation(allocation(), options));
    expect(error).toMatchObject({ issues: [{ path: ['options', 'maxRetries'] }] });
    expect(error).not.toHaveProperty('lenderTransactionCode');
  });
});

describe('input', () => {
  const refusal = async (notification: unknown, options?: unknown) => {
    const { fetch, requests } = unreachable();
    const lender = demoLender({ fetch });
    const error = await rejection(
      lender.notifyPaymentReceipt(notification as ReturnType<typeof bare>, options as object),
    );
    expect(error).toMatchObject({ code: 'VALIDATION', outcome: 'not_sent' });
    expect(requests).toHaveLength(0);
    return error;
  };

  test('names every broken rule, of the notification and of the options', async () => {
    const error = await refusal(
      { ...bare(), receivedAmount: -1, colour: 1, requestId: null },
      { maxRetries: -1 },
    );
    expect(error).toHaveProperty('issues.length', 4);
    expect(error).toMatchObject({ lenderTransactionCode: 'LTC-1', operation: 'paymentReceipt' });
    expect(error).not.toHaveProperty('requestId');
  });

  test('refuses options that only a merchant has', async () => {
    expect(await refusal(bare(), { idempotencyKey: 'k' })).toMatchObject({
      issues: [{ path: ['options', 'idempotencyKey'] }],
    });
  });
});

describe('headers that are made for each notification', () => {
  test('are made once for the whole call, with the exact bytes', async () => {
    const contexts: NotificationContext[] = [];
    const fetched = inTurn(reset, () => Response.json({}));
    const headers = (context: NotificationContext) => {
      contexts.push(context);
      return Promise.resolve({ Authorization: `Digest ${String(context.body.length)}` });
    };
    await demoLender({ fetch: fetched.fetch, headers }).notifyPaymentReceipt(receipt());
    expect(contexts).toHaveLength(1);
    const [first] = fetched.requests;
    if (!first) throw new Error('a request was expected');
    expect(contexts[0]).toMatchObject({ operation: 'paymentReceipt', requestId: receipt().requestId });
    expect(Buffer.from(contexts[0]?.body ?? []).equals(await sentBytes(first))).toBe(true);
    expect(fetched.requests.map((each) => each.headers.get('authorization'))).toEqual(
      Array(2).fill(`Digest ${String((await sentBytes(first)).length)}`),
    );
  });

  test('cannot change the bytes', async () => {
    const fetched = answering({});
    const headers = ({ body }: NotificationContext) => {
      body.fill(0);
      return {};
    };
    await demoLender({ fetch: fetched.fetch, headers }).notifyPaymentReceipt(receipt());
    expect(await sentJson(fetched)).toMatchObject({ requestId: receipt().requestId });
  });

  test.each<readonly [string, () => unknown, string, string]>([
    [
      'throw',
      () => {
        throw new Error('no token');
      },
      'the headers function failed: see error.cause.',
      'call_again',
    ],
    [
      'reject',
      () => Promise.reject(new Error('no token')),
      'the headers function failed: see error.cause.',
      'call_again',
    ],
    ['are undefined', () => undefined, 'headers function must be a plain object', 'fix'],
    ['cannot be sent', () => ({ 'X-Key': 'a\r\nb' }), 'printable Latin-1 characters', 'fix'],
    ['are ours', () => ({ 'Content-Type': 'text/plain' }), 'the client sets this header itself', 'fix'],
  ])('end the call if they %s: nothing is sent', async (_name, headers, problem, nextStep) => {
    const { fetch, requests } = unreachable();
    const error = await rejection(
      demoLender({ fetch, headers: headers as () => Record<string, string> }).notifyPaymentReceipt(bare()),
    );
    expect(error).toMatchObject({
      code: 'HOOK',
      outcome: 'not_sent',
      nextStep,
      message: expect.stringContaining(problem) as string,
    });
    expect(requests).toHaveLength(0);
  });
});

describe('hooks', () => {
  test('apply to a lender too: a beforeSend that rejects ends the call, and onAttempt is called', async () => {
    const { fetch, requests } = unreachable();
    const beforeSend = () => Promise.reject(new Error('the outbox is full'));
    const error = await rejection(
      demoLender({ fetch, hooks: { beforeSend } }).notifyPaymentReceipt(receipt()),
    );
    expect(error).toMatchObject({
      code: 'HOOK',
      outcome: 'not_sent',
      requestId: receipt().requestId,
      cause: { message: 'the outbox is full' },
    });
    expect(requests).toHaveLength(0);
    const seen: unknown[] = [];
    const onAttempt = (_attempt: unknown, context: unknown) => void seen.push(context);
    await demoLender({ fetch: answering({}).fetch, hooks: { onAttempt } }).notifyPaymentReceipt(receipt());
    expect(seen).toEqual([
      { operation: 'paymentReceipt', requestId: receipt().requestId, lenderTransactionCode: 'LTC-1' },
    ]);
  });
});

describe('constructor options', () => {
  test('can be only a base URL, if the notification contains the rest', async () => {
    const fetched = answering({});
    await new LenderClient({ baseUrl: 'https://service.example', fetch: fetched.fetch }).notifyPaymentReceipt(
      receipt(),
    );
    expect(await sentJson(fetched)).toMatchObject({ lenderCode: 'LENDER-01' });
    const error = await rejection(
      new LenderClient({
        baseUrl: 'https://service.example',
        fetch: unreachable().fetch,
      }).notifyPaymentReceipt(bare()),
    );
    expect(error).toMatchObject({ issues: [{ path: ['serviceApplicationId'] }, { path: ['lenderCode'] }] });
  });
});

describe('post of a lender', () => {
  test('sends any notification unsigned, with the headers that were agreed', async () => {
    const contexts: NotificationContext[] = [];
    const headers = (context: NotificationContext) => {
      contexts.push(context);
      return { Authorization: 'of-the-lender', Signature: 'agreed' };
    };
    const { fetch, requests } = answering({ ok: true });
    const lender = demoLender({ fetch, headers });
    const answer = await lender.post(
      '/lender/open/notify/schedule',
      { contractNumber: 'C-1' },
      { idempotencyKey: 'K-1', headers: { 'X-Own': '1' } },
    );
    expect(answer).toEqual({ httpStatus: 200, body: { ok: true } });
    const [request] = requests;
    if (!request) throw new Error('a request was expected');
    expect(new URL(request.url).pathname).toBe('/lender/open/notify/schedule');
    const sent = ['authorization', 'signature', 'x-own', 'idempotency-key', 'content-type', 'client-id'];
    expect(sent.map((name) => request.headers.get(name))).toEqual([
      'of-the-lender',
      'agreed',
      '1',
      'K-1',
      'application/json',
      null,
    ]);
    expect(
      contexts.map(({ operation, requestId, body }) => [operation, requestId, String(Buffer.from(body))]),
    ).toEqual([['post', undefined, '{"contractNumber":"C-1"}']]);
  });

  test('fails like the merchant’s post, and is sent once by default', async () => {
    const { fetch, requests } = scriptedFetch(() => framed('<html>', { status: 503 }));
    const call = demoLender({ fetch }).post('/lender/open/notify/schedule', {});
    expect(await rejection(call)).toMatchObject({
      code: 'UNEXPECTED_RESPONSE',
      operation: 'post',
      outcome: 'unknown',
      nextStep: 'look_up',
    });
    expect(requests).toHaveLength(1);
  });
});
