import { describe, expect, test } from 'vitest';
import { isInstallmentError, type AnyInstallmentError } from '../../src/entries/index.js';
import { backoffMs } from '../../src/http/retry.js';
import { manualRuntime, instantRuntime, settle } from '../helpers/runtime.js';
import { approvedPayment, demoClient, paymentRequest, rejection } from '../helpers/samples.js';
import { http, inTurn, refused, reset } from '../helpers/scripted-failures.js';
import { sentBytes, type FetchScript } from '../helpers/scripted-fetch.js';

const approved: FetchScript = () => Response.json(approvedPayment());
const hang: FetchScript = () => new Promise(() => undefined);

async function failure(call: Promise<unknown>): Promise<AnyInstallmentError> {
  const error = await rejection(call);
  if (!isInstallmentError(error)) throw error;
  return error;
}

describe('back-off', () => {
  test.each([
    [0, 0, 250],
    [0, 1, 500],
    [1, 0, 500],
    [1, 1, 1_000],
    [3, 1, 4_000],
    [4, 1, 8_000],
    [5, 1, 8_000],
    [1_000, 0.5, 6_000],
  ])('before retry %i, with the random number %d, takes %i ms', (index, random, ms) => {
    expect(backoffMs(index, random)).toBe(ms);
  });

  test('is the wait of a call, with its jitter', async () => {
    const runtime = instantRuntime({ random: 0.5 });
    const { fetch } = inTurn(reset, reset, reset, approved);
    await demoClient({ fetch, maxRetries: 3 }, runtime).initiatePayment(paymentRequest());
    expect(runtime.skipped).toEqual([375, 750, 1_500]);
  });
});

describe('every attempt of a call', () => {
  test('has the same key, the same body and its own Request-Time', async () => {
    const { fetch, requests } = inTurn(reset, http(503), approved);
    const payment = await demoClient({ fetch }, instantRuntime({ random: 1 })).initiatePayment(
      paymentRequest(),
    );
    const bodies = await Promise.all(requests.map(sentBytes));
    expect(bodies[1]?.equals(bodies[0] ?? Buffer.of())).toBe(true);
    expect(bodies[2]?.equals(bodies[0] ?? Buffer.of())).toBe(true);
    expect(new Set(requests.map(({ headers }) => headers.get('idempotency-key')))).toEqual(
      new Set([payment.$metadata.idempotencyKey]),
    );
    expect(new Set(requests.map(({ headers }) => headers.get('signature'))).size).toBe(1);
    expect(requests.map(({ headers }) => headers.get('request-time'))).toEqual([
      '2026-11-20 10:04:05',
      '2026-11-20 10:04:05',
      '2026-11-20 10:04:06',
    ]);
    expect(payment.$metadata.attempts.map(({ requestTime }) => requestTime)).toEqual(
      requests.map(({ headers }) => headers.get('request-time')),
    );
  });

  test.each([0, 1, 5])('is at most one more than maxRetries, which is %i', async (maxRetries) => {
    const { fetch, requests } = inTurn(reset);
    const error = await failure(demoClient({ fetch, maxRetries }).initiatePayment(paymentRequest()));
    expect(requests).toHaveLength(maxRetries + 1);
    expect(error.$metadata?.attempts).toHaveLength(maxRetries + 1);
  });

  test('is limited by the option of the call', async () => {
    const { fetch, requests } = inTurn(reset);
    await failure(demoClient({ fetch, maxRetries: 5 }).initiatePayment(paymentRequest(), { maxRetries: 1 }));
    expect(requests).toHaveLength(2);
  });
});

describe('repeatUnknown: false', () => {
  const sentTimes = async (script: FetchScript, client: object, call: object) => {
    const { fetch, requests } = inTurn(script);
    const error = await failure(demoClient({ fetch, ...client }).initiatePayment(paymentRequest(), call));
    return { error, requests: requests.length };
  };

  test.each<readonly [string, requests: number, FetchScript, retryable: boolean]>([
    ['a refused connection', 3, refused, true],
    ['HTTP 429', 3, http(429), true],
    ['HTTP 429 that may be a lost response', 1, () => new Response('', { status: 429 }), false],
    ['a reset', 1, reset, false],
    ['HTTP 503', 1, http(503), false],
    ['REQUEST_PROCESSING', 1, () => Response.json({ resultStatus: 'REQUEST_PROCESSING' }), false],
  ])('ends a payment after %s, with %i requests in total', async (_name, requests, script, retryable) => {
    const no = { repeatUnknown: false };
    expect(await sentTimes(script, no, {})).toMatchObject({ requests, error: { retryable } });
    expect(await sentTimes(script, {}, no)).toMatchObject({ requests, error: { retryable } });
    expect((await sentTimes(script, no, { repeatUnknown: true })).requests).toBe(3);
  });

  test('applies to post with the policy idempotent', async () => {
    const { fetch, requests } = inTurn(reset);
    const client = demoClient({ fetch, repeatUnknown: false });
    const error = await failure(client.post('/v2/payments/status', {}, { policy: 'idempotent' }));
    expect(error).toMatchObject({ outcome: 'unknown', retryable: false });
    expect(requests).toHaveLength(1);
  });
});

describe('Retry-After', () => {
  const limits = { attemptTimeoutMs: 40_000, totalTimeoutMs: 100_000 };
  const waiting = async (value: string, status = 503, options: object = limits, skipUpToMs = 39_000) => {
    const runtime = manualRuntime({ skipUpToMs, startsAt: '2026-11-20T03:04:05Z' });
    const { fetch, requests } = inTurn(http(status, '', { 'retry-after': value }), approved);
    const call = demoClient({ fetch, ...options }, runtime).initiatePayment(paymentRequest());
    const error = await call.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    return { waits: runtime.skipped, error, requests: requests.length };
  };

  test.each([
    // No wait is shorter than the shortest back-off.
    ['0', 250],
    ['30', 30_000],
    ['Fri, 20 Nov 2026 03:04:08 GMT', 3_000],
  ])('is followed: %j', async (value, ms) => {
    const { waits, error } = await waiting(value);
    expect(error).toBeUndefined();
    expect(waits).toEqual([ms]);
  });

  test('fails the call at once if it is too long', async () => {
    const { waits, error, requests } = await waiting('31', 429);
    expect(error).toMatchObject({
      code: 'UNEXPECTED_RESPONSE',
      retryAfterMs: 31_000,
      retryable: true,
      outcome: 'rejected',
    });
    expect(waits).toEqual([]);
    expect(requests).toBe(1);
  });

  test('fails the call at once if it does not fit into the time that is left', async () => {
    const { error, requests } = await waiting('20', 503, { totalTimeoutMs: 20_000 }, 14_999);
    expect(error).toMatchObject({ retryAfterMs: 20_000, outcome: 'unknown' });
    expect(requests).toBe(1);
  });

  test('is followed with a documented status too', async () => {
    const runtime = instantRuntime();
    const script: FetchScript = () =>
      Response.json({ resultStatus: 'DOWNSTREAM_ERROR' }, { headers: { 'retry-after': '3' } });
    await demoClient({ fetch: inTurn(script, approved).fetch }, runtime).initiatePayment(paymentRequest());
    expect(runtime.skipped).toEqual([3_000]);
  });

  test('is reported even if no retry is left', async () => {
    const { fetch } = inTurn(http(429, '', { 'retry-after': '7' }));
    const error = await failure(demoClient({ fetch, maxRetries: 0 }).initiatePayment(paymentRequest()));
    expect(error).toMatchObject({ retryAfterMs: 7_000 });
  });
});

describe('the limits of a call', () => {
  test('are 15 s for an attempt and 45 s for a call by default', async () => {
    const runtime = manualRuntime({ skipUpToMs: 1_000 });
    const { fetch, requests } = inTurn(hang);
    const call = failure(demoClient({ fetch, maxRetries: 9 }, runtime).initiatePayment(paymentRequest()));
    const limits: number[] = [];
    for (let attempt = 0; attempt < 3; attempt++) {
      await settle();
      limits.push(...runtime.pending());
      runtime.advance(15_000);
    }
    expect(await call).toMatchObject({ code: 'TIMEOUT', outcome: 'unknown' });
    // 45 s, less two attempts, less the two waits between them.
    expect(limits).toEqual([15_000, 15_000, 45_000 - 2 * 15_000 - 250 - 500]);
    expect(requests).toHaveLength(3);
  });

  test('end an attempt, and the next one begins', async () => {
    const runtime = manualRuntime({ skipUpToMs: 500 });
    const { fetch, requests } = inTurn(hang, approved);
    const call = demoClient({ fetch, attemptTimeoutMs: 1_000 }, runtime).initiatePayment(paymentRequest());
    await settle();
    runtime.advance(999);
    await settle();
    expect(requests).toHaveLength(1);
    expect(requests[0]?.init.signal?.aborted).toBe(false);
    runtime.advance(1);
    const payment = await call;
    expect(requests[0]?.init.signal?.aborted).toBe(true);
    expect(payment.$metadata.attempts).toMatchObject([
      { outcome: 'unknown', durationMs: 1_000, error: 'no response within 1000 ms' },
      { outcome: 'accepted' },
    ]);
  });

  test('give the last attempt only the time that is left of the total', async () => {
    const runtime = manualRuntime({ skipUpToMs: 500 });
    const { fetch, requests } = inTurn(hang);
    const options = { attemptTimeoutMs: 1_000, totalTimeoutMs: 2_000 };
    const call = failure(demoClient({ fetch }, runtime).initiatePayment(paymentRequest(), options));
    await settle();
    runtime.advance(1_000);
    await settle();
    expect(runtime.pending()).toEqual([750]);
    runtime.advance(750);
    const error = await call;
    expect(error).toMatchObject({ code: 'TIMEOUT', outcome: 'unknown', retryable: true });
    expect(requests).toHaveLength(2);
    expect(runtime.pending()).toEqual([]);
  });

  test('prevent a wait that would outlast the time that is left, and the last error is thrown at once', async () => {
    const runtime = manualRuntime({ skipUpToMs: 1_000 });
    const { fetch, requests } = inTurn(reset);
    const error = await failure(
      demoClient({ fetch, totalTimeoutMs: 3_000, maxRetries: 9 }, runtime).initiatePayment(paymentRequest()),
    );
    expect(error).toMatchObject({ code: 'CONNECTION' });
    expect(runtime.skipped).toEqual([250, 500, 1_000]);
    expect(requests).toHaveLength(4);
  });

  test('prevent an attempt after a wait whose timer was late', async () => {
    const runtime = manualRuntime();
    const { fetch, requests } = inTurn(reset);
    const call = failure(
      demoClient({ fetch, totalTimeoutMs: 1_000 }, runtime).initiatePayment(paymentRequest()),
    );
    await settle();
    expect(runtime.pending()).toEqual([250]);
    // The clock moves in one step: the call resumes only after its end has passed.
    runtime.advance(1_000);
    expect(await call).toMatchObject({ code: 'CONNECTION', outcome: 'unknown' });
    expect(requests).toHaveLength(1);
  });
});

describe('the caller can abort a call', () => {
  test('while an injected fetch is called', async () => {
    const stop = new AbortController();
    const fetch = () => {
      stop.abort();
      return new Promise<Response>(() => undefined);
    };

    const call = demoClient({ fetch }).initiatePayment(paymentRequest(), { signal: stop.signal });

    await expect(call).rejects.toMatchObject({ code: 'ABORTED', outcome: 'unknown' });
  });

  test.each<readonly [string, FetchScript, string]>([
    ['that would be repeated: the call was aborted', reset, 'ABORTED'],
    ['that is final: the call failed by itself', http(403), 'UNEXPECTED_RESPONSE'],
  ])('while onAttempt runs, after an attempt %s', async (_name, script, code) => {
    const stop = new AbortController();
    const runtime = instantRuntime();
    const { fetch, requests } = inTurn(script, approved);
    const hooks = {
      onAttempt: () => {
        stop.abort();
      },
    };
    const client = demoClient({ fetch, hooks }, runtime);
    const error = await failure(client.initiatePayment(paymentRequest(), { signal: stop.signal }));
    expect(runtime.skipped).toEqual([]);
    expect(error).toMatchObject({ code, outcome: script === reset ? 'unknown' : 'rejected' });
    expect(error.$metadata?.attempts).toHaveLength(1);
    expect(requests).toHaveLength(1);
  });

  test('while onAttempt runs, after an attempt that succeeded, and still gets the result', async () => {
    const stop = new AbortController();
    const hooks = {
      onAttempt: () => {
        stop.abort();
      },
    };
    const call = demoClient({ fetch: inTurn(approved).fetch, hooks }).initiatePayment(paymentRequest(), {
      signal: stop.signal,
    });
    expect((await call).resultStatus).toBe('APPROVED');
  });
});
