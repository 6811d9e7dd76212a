import { describe, expect, test } from 'vitest';
import type { InstallmentClient } from '../../src/entries/index.js';
import type { LenderClient } from '../../src/entries/lender.js';
import type { CallOptions } from '../../src/options/call-options.js';
import { allocation, demoLender, receipt } from '../helpers/lender-samples.js';
import { manualRuntime, settle } from '../helpers/runtime.js';
import { approvedPayment, demoClient, invoiceUpload, paymentRequest, rejection } from '../helpers/samples.js';
import { refused } from '../helpers/scripted-failures.js';
import { answering, scriptedFetch } from '../helpers/scripted-fetch.js';

/** A call that may be sent within 60 seconds by the clocks of the test. */
function within60Seconds() {
  const runtime = manualRuntime();
  return { runtime, sendBefore: new Date(runtime.wallMs() + 60_000) };
}

describe('sendBefore', () => {
  test('lets a call begin before it, and end after it', async () => {
    const { runtime, sendBefore } = within60Seconds();
    const { fetch } = scriptedFetch(() => {
      runtime.advance(70_000);
      return Response.json(approvedPayment());
    });
    const limits = { attemptTimeoutMs: 100_000, totalTimeoutMs: 100_000 };
    const call = demoClient({ fetch, ...limits }, runtime).initiatePayment(paymentRequest(), { sendBefore });
    expect((await call).resultStatus).toBe('APPROVED');
  });

  test.each([
    [{}, 'not_sent', 'call_again'],
    [{ mayHaveBeenSent: true }, 'unknown', 'repeat'],
  ])('sends nothing if it has already passed: %j', async (options, outcome, nextStep) => {
    const runtime = manualRuntime();
    const { fetch, requests } = answering(approvedPayment());
    const sendBefore = new Date(runtime.wallMs());
    const call = demoClient({ fetch }, runtime).initiatePayment(paymentRequest(), { sendBefore, ...options });
    expect(await rejection(call)).toMatchObject({
      code: 'TIMEOUT',
      outcome,
      nextStep,
      retryable: true,
      message: expect.stringContaining('sendBefore has passed (by the wall clock)') as string,
      $metadata: { attempts: [] },
    });
    expect(requests).toHaveLength(0);
  });

  test.each<[string, (runtime: ReturnType<typeof manualRuntime>) => void, RegExp]>([
    ['time passes', (runtime) => runtime.advance(60_000), /by the wall clock/],
    ['the wall clock is stepped forward', (runtime) => runtime.jumpWallClock(60_000), /by the wall clock/],
    [
      'the wall clock is stepped back while time passes',
      (runtime) => {
        runtime.jumpWallClock(-3_600_000);
        runtime.advance(60_000);
      },
      /by the monotonic clock/,
    ],
  ])('is compared with both clocks right before the request: %s', async (_name, pass, message) => {
    const { runtime, sendBefore } = within60Seconds();
    const { fetch, requests } = answering(approvedPayment());
    const secretKey = () => {
      pass(runtime);
      return 'demo-secret';
    };
    const client = demoClient({ fetch, secretKey, totalTimeoutMs: 1_000_000 }, runtime);
    const error = await rejection(client.initiatePayment(paymentRequest(), { sendBefore }));
    expect(error).toMatchObject({
      code: 'TIMEOUT',
      outcome: 'not_sent',
      nextStep: 'call_again',
      $metadata: { attempts: [] },
    });
    expect((error as Error).message).toMatch(message);
    expect(requests).toHaveLength(0);
  });

  test('is the time that was passed, even if the caller changes its Date', async () => {
    const { runtime, sendBefore } = within60Seconds();
    const { fetch, requests } = answering(approvedPayment());
    const beforeSend = () => {
      sendBefore.setTime(sendBefore.getTime() + 3_600_000);
      runtime.advance(61_000);
    };
    const client = demoClient({ fetch, hooks: { beforeSend }, totalTimeoutMs: 100_000 }, runtime);
    expect(await rejection(client.initiatePayment(paymentRequest(), { sendBefore }))).toMatchObject({
      code: 'TIMEOUT',
      outcome: 'not_sent',
    });
    expect(requests).toHaveLength(0);
  });

  test('sends no body after it, and leaves the meaning of an early response open', async () => {
    const { runtime, sendBefore } = within60Seconds();
    let taken = 0;
    const fetch = async (_url: string | URL, init: RequestInit = {}) => {
      const reader = (init.body as ReadableStream<Uint8Array>).getReader();
      await reader.read(); // the empty piece
      const pull = async () => {
        runtime.advance(61_000);
        const { value } = await reader.read();
        taken += value?.length ?? 0;
      };
      return new Response(new ReadableStream({ pull }, { highWaterMark: 0 }));
    };
    const limits = { attemptTimeoutMs: 100_000, totalTimeoutMs: 100_000, maxRetries: 0 };
    const call = demoClient({ fetch, ...limits }, runtime).initiatePayment(paymentRequest(), { sendBefore });
    expect(await rejection(call)).toMatchObject({
      code: 'UNEXPECTED_RESPONSE',
      outcome: 'unknown',
      $metadata: { attempts: [{ outcome: 'unknown', phase: 'receiving', httpStatus: 200 }] },
    });
    expect(taken).toBe(0);
  });

  test('uses the clock of the machine, not the option now', async () => {
    const { runtime, sendBefore } = within60Seconds();
    const { fetch } = answering(approvedPayment());
    const now = () => new Date('2050-01-01T00:00:00Z');
    const call = demoClient({ fetch, now }, runtime).initiatePayment(paymentRequest(), { sendBefore });
    expect((await call).resultStatus).toBe('APPROVED');
  });

  test('ends a call whose next wait would exceed it, with its last error', async () => {
    const runtime = manualRuntime();
    const { fetch, requests } = scriptedFetch(refused);
    const sendBefore = new Date(runtime.wallMs() + 250);
    const call = demoClient({ fetch }, runtime).initiatePayment(paymentRequest(), { sendBefore });
    expect(await rejection(call)).toMatchObject({ code: 'CONNECTION', nextStep: 'call_again' });
    expect(requests).toHaveLength(1);
  });

  test('ends a call whose wait ends late, with the outcome so far', async () => {
    const { runtime, sendBefore } = within60Seconds();
    const { fetch, requests } = scriptedFetch(() => {
      throw new TypeError('fetch failed');
    });
    const client = demoClient({ fetch, totalTimeoutMs: 1_000_000 }, runtime);
    const ended = rejection(client.initiatePayment(paymentRequest(), { sendBefore }));
    await settle();
    runtime.advance(60_000);
    expect(await ended).toMatchObject({ code: 'TIMEOUT', outcome: 'unknown', nextStep: 'repeat' });
    expect(requests).toHaveLength(1);
  });
});

describe('the total limit', () => {
  test('counts from the call, before its input is read', async () => {
    const runtime = manualRuntime();
    const { fetch, requests } = answering(approvedPayment());
    const request = Object.defineProperty(paymentRequest(), 'description', {
      enumerable: true,
      get: () => {
        runtime.advance(45_000);
        return 'read slowly';
      },
    });
    expect(await rejection(demoClient({ fetch }, runtime).initiatePayment(request))).toMatchObject({
      code: 'TIMEOUT',
      outcome: 'not_sent',
    });
    expect(requests).toHaveLength(0);
  });
});

test.each<
  [string, (client: InstallmentClient, lender: LenderClient) => (options: CallOptions) => Promise<unknown>]
>([
  ['a payment', (client) => (options) => client.initiatePayment(paymentRequest(), options)],
  ['an upload', (client) => (options) => client.uploadInvoice(invoiceUpload(), options)],
  ['post', (client) => (options) => client.post('/v2/own', {}, options)],
  ['a receipt', (_, lender) => (options) => lender.notifyPaymentReceipt(receipt(), options)],
  ['an allocation', (_, lender) => (options) => lender.notifyRepaymentAllocation(allocation(), options)],
  ['the lender’s post', (_, lender) => (options) => lender.post('/v2/own', {}, options)],
])('%s sends nothing after sendBefore has passed', async (_name, callOf) => {
  const { fetch, requests } = answering(approvedPayment());
  const call = callOf(demoClient({ fetch }), demoLender({ fetch }));
  expect(await rejection(call({ sendBefore: new Date(0) }))).toMatchObject({
    code: 'TIMEOUT',
    outcome: 'not_sent',
    nextStep: 'call_again',
  });
  expect(requests).toEqual([]);
});

describe('a signal that fires', () => {
  test('after its check and before the listener is added ends the call at once', async () => {
    const stop = new AbortController();
    const { fetch } = scriptedFetch(() => new Promise(() => undefined));
    // Called right before each attempt is sent.
    let isMade = false;
    const now = () => {
      if (isMade) stop.abort();
      return new Date();
    };
    const client = demoClient({ fetch, now });
    isMade = true;
    const call = client.initiatePayment(paymentRequest(), { signal: stop.signal });
    expect(await rejection(call)).toMatchObject({ code: 'ABORTED' });
  });
});
