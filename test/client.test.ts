import { describe, expect, it } from 'vitest';
import { type Attempt, type UploadProgress } from '../src/entries/index.js';
import { settle } from './helpers/runtime.js';
import { recordingServer } from './helpers/recording-server.js';
import {
  approvedInvoice,
  approvedPayment,
  demo,
  demoClient,
  files,
  invoiceUpload,
  paymentRequest,
  rejection,
} from './helpers/samples.js';
import { answering, scriptedFetch } from './helpers/scripted-fetch.js';

describe('a result', () => {
  it('is the answer as plain data, unknown fields kept', async () => {
    const body = approvedPayment({ qrData: 'QR', expiresIn: 900, nested: { a: [1] } });
    const payment = await demoClient({ fetch: answering(body).fetch }).initiatePayment(paymentRequest());
    expect({ ...payment }).toEqual(body);
    expect(JSON.parse(JSON.stringify(payment))).toEqual(body);
    expect(Object.getPrototypeOf(payment)).toBe(Object.prototype);
  });

  it('has $metadata, which is not enumerable, for a payment', async () => {
    const { fetch } = answering(approvedPayment(), { status: 201 });
    const payment = await demoClient({ fetch }).initiatePayment(paymentRequest(), {
      idempotencyKey: 'key-1',
    });
    expect(Object.keys(payment)).not.toContain('$metadata');
    expect(payment.$metadata).toEqual({
      operation: 'initiatePayment',
      referenceId: 'ORDER:2026-0001',
      idempotencyKey: 'key-1',
      request: { method: 'POST', host: 'pay.example', path: '/v2/payments' },
      httpStatus: 201,
      attempts: [
        {
          startedAt: new Date('2026-11-20T03:04:05Z'),
          durationMs: 0,
          requestTime: '2026-11-20 10:04:05',
          outcome: 'accepted',
          phase: 'complete',
          httpStatus: 201,
          resultStatus: 'APPROVED',
        },
      ],
    });
    expect(payment.$metadata.attempts[0]?.startedAt).toBeInstanceOf(Date);
  });

  it('keeps our $metadata if the service has a field of that name', async () => {
    const { fetch } = answering(approvedPayment({ $metadata: 'theirs' }));
    const payment = await demoClient({ fetch }).initiatePayment(paymentRequest());
    expect(payment.$metadata.operation).toBe('initiatePayment');
    expect(JSON.stringify(payment)).not.toContain('theirs');
  });

  it('changes no prototype if __proto__ is in it', async () => {
    const body = `{"__proto__":{"polluted":true},${JSON.stringify(approvedPayment()).slice(1)}`;
    const { fetch } = scriptedFetch(() => new Response(body));
    await demoClient({ fetch }).initiatePayment(paymentRequest());
    expect({}).not.toHaveProperty('polluted');
  });
});

describe('the client', () => {
  it('has its methods and its settings, which are no secret, and no other field to look into', () => {
    const client = demoClient();
    const { merchantId, storeId, platformId } = demo;
    const settings = { merchantId, storeId, platformId, repeatUnknown: true, totalTimeoutMs: 45_000 };
    expect(Object.keys(client).toSorted()).toEqual(
      ['settings', 'initiatePayment', 'uploadInvoice', 'post', 'withOptions'].toSorted(),
    );
    expect(JSON.parse(JSON.stringify(client))).toEqual({ settings });
    expect(Object.isFrozen(client.settings)).toBe(true);
  });

  it('keeps the time of an attempt, whatever becomes of the Date that the clock gave', async () => {
    const moment = new Date('2030-06-30T16:59:59Z');
    const { fetch } = answering(approvedPayment());
    const payment = await demoClient({ fetch, now: () => moment }).initiatePayment(paymentRequest());
    moment.setTime(0);
    expect(payment.$metadata.attempts[0]?.startedAt).toEqual(new Date('2030-06-30T16:59:59Z'));
  });

  it.each<[string, () => Date, string]>([
    [
      'throws',
      () => {
        throw new Error('no clock');
      },
      'the now function failed: see error.cause',
    ],
    ['has no time', () => new Date(NaN), 'the result of the now function is not a valid Date'],
  ])('given by the caller leaves the outcome of the attempts if it %s', async (_name, broken, problem) => {
    let calls = 0;
    // One call when the client is made, one for each attempt.
    const now = () => (calls++ < 2 ? new Date() : broken());
    const { fetch, requests } = scriptedFetch(() => {
      throw new TypeError('fetch failed');
    });
    const call = demoClient({ fetch, now }).initiatePayment(paymentRequest());
    await expect(call).rejects.toMatchObject({
      code: 'HOOK',
      outcome: 'unknown',
      nextStep: 'repeat',
      message: expect.stringContaining(problem) as string,
      $metadata: { attempts: [{ outcome: 'unknown' }] },
    });
    expect(requests).toHaveLength(1);
  });
});

describe('beforeSend', () => {
  it('is awaited once per call, with what the call is about, before the first byte', async () => {
    const seen: unknown[] = [];
    const { fetch, requests } = scriptedFetch((_request, index) => {
      if (index === 0) throw new TypeError('fetch failed');
      return Response.json(approvedPayment());
    });
    const beforeSend = async (context: unknown) => {
      await settle(3);
      seen.push(context, requests.length);
    };
    const payment = await demoClient({ fetch, hooks: { beforeSend } }).initiatePayment(paymentRequest());
    const { idempotencyKey } = payment.$metadata;
    expect(seen).toEqual([
      { operation: 'initiatePayment', referenceId: 'ORDER:2026-0001', idempotencyKey },
      0,
    ]);
    expect(requests).toHaveLength(2);
  });

  it('cannot change what is sent', async () => {
    const { fetch, requests } = answering(approvedPayment());
    const beforeSend = (context: object) => {
      Reflect.set(context, 'idempotencyKey', 'forged');
    };
    await demoClient({ fetch, hooks: { beforeSend } }).initiatePayment(paymentRequest(), {
      idempotencyKey: 'mine',
    });
    expect(requests[0]?.headers.get('idempotency-key')).toBe('mine');
  });
});

describe('onAttempt', () => {
  it('is told of each attempt, with what the call is about', async () => {
    const seen: [Attempt, unknown][] = [];
    const { fetch } = scriptedFetch((_request, index) => {
      if (index === 0) throw new TypeError('fetch failed');
      return Response.json({ resultStatus: 'INVALID_AMOUNT' });
    });
    const hooks = { onAttempt: (attempt: Attempt, context: unknown) => void seen.push([attempt, context]) };
    await rejection(demoClient({ fetch, hooks }).initiatePayment(paymentRequest()));
    expect(seen.map(([attempt]) => attempt)).toMatchObject([
      { outcome: 'unknown', error: 'TypeError' },
      { outcome: 'rejected', httpStatus: 200, resultStatus: 'INVALID_AMOUNT', error: 'INVALID_AMOUNT' },
    ]);
    expect(seen[0]?.[1]).toMatchObject({ operation: 'initiatePayment', referenceId: 'ORDER:2026-0001' });
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('no');
      },
    ],
    ['rejects', () => Promise.reject(new Error('no'))],
    ['never ends', () => new Promise<void>(() => undefined)],
  ])('changes nothing if it %s', async (_name, onAttempt) => {
    const { fetch } = answering(approvedPayment());
    const payment = await demoClient({ fetch, hooks: { onAttempt } }).initiatePayment(paymentRequest());
    expect(payment.resultStatus).toBe('APPROVED');
    await settle();
  });
});

describe('onUploadProgress', () => {
  async function progressOf(onUploadProgress: (progress: UploadProgress) => void, size: number) {
    const server = await recordingServer({ body: approvedInvoice() });
    const file = Buffer.concat([files.pdf, Buffer.alloc(size)]);
    await demoClient({ baseUrl: server.url }).uploadInvoice(invoiceUpload({ file }), { onUploadProgress });
    const [request] = server.requests;
    await server.close();
    return request;
  }

  it.each<readonly [string, () => unknown]>([
    [
      'throws',
      () => {
        throw new Error('no');
      },
    ],
    ['rejects', () => Promise.reject(new Error('no'))],
  ])('changes nothing if it %s', async (_name, onUploadProgress) => {
    expect((await progressOf(onUploadProgress, 10))?.path).toBe('/v2/payments/upload-invoice');
    await settle();
  });
});
