import { getEventListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { InstallmentClient } from '../../src/entries/index.js';
import { createMockService, type MockServer } from '../../src/entries/mock.js';
import { instantRuntime, manualRuntime, settle } from '../helpers/runtime.js';
import { demo, paymentRequest, rejection } from '../helpers/samples.js';
import { over } from './detours.js';
import { FaultServer, type Step } from './fault-server.js';
import { approved, errorOf, initiatePayment, merchantOf, observe } from './harness.js';
import * as steps from './steps.js';

describe('clocks', () => {
  test.each([3_600_000, -3_600_000])(
    'time limits hold where the wall clock jumps by %i ms',
    async (jumpMs) => {
      const observed = await observe(initiatePayment, (runtime) => [
        steps.stall(() => {
          runtime.jumpWallClock(jumpMs);
          expect(runtime.pending()).toEqual([15_000]);
          runtime.advance(14_999);
          expect(runtime.pending()).toEqual([15_000]);
          runtime.advance(1);
        }),
        approved,
      ]);
      expect(observed.attempts.map(({ durationMs }) => Math.round(durationMs))).toEqual([15_000, 0]);
      expect(observed.runtime.skipped).toEqual([250]);
    },
  );
});

describe('many calls', () => {
  const mock = createMockService();
  let server: MockServer;
  beforeAll(async () => {
    server = await mock.listen();
  });
  afterAll(() => server.close());

  // Without limits in real time: a thousand calls at once may take long.
  const clientOf = () => new InstallmentClient({ ...demo, baseUrl: server.url }, instantRuntime());

  test('on one client, 1,000 in parallel, get each its own response', async () => {
    const client = clientOf();
    const references = Array.from({ length: 1_000 }, (_, index) => `PARALLEL-${String(index)}`);
    const results = await Promise.all(
      references.map((referenceId) => client.initiatePayment(paymentRequest({ referenceId }))),
    );
    expect(results.map(({ referenceId }) => referenceId)).toEqual(references);
    for (const { referenceId = '', paymentUrl } of results) {
      expect(mock.payments.get(referenceId)?.paymentUrl).toBe(paymentUrl);
    }
  }, 60_000);
});

describe('abort', () => {
  /**
   * Aborts, and gives the error if the call has ended before anything else had a turn: no timer, no socket. That is
   * sooner than any number of milliseconds, and holds on a machine that is busy with something else.
   */
  async function abortedAtOnce(call: Promise<unknown>, controller: AbortController): Promise<unknown> {
    let error: unknown = 'the call had not ended';
    call.catch((reason: unknown) => (error = reason));
    controller.abort();
    await new Promise((resolve) => process.nextTick(() => setImmediate(resolve)));
    return error;
  }

  /** Calls against a step that tells when it has been reached. */
  async function abortedDuring(
    step: (reached: () => void) => Step,
    call: (baseUrl: string, signal: AbortSignal) => Promise<unknown>,
    scheme = 'http',
  ): Promise<unknown> {
    const controller = new AbortController();
    let onReached = (): void => undefined;
    const reached = new Promise<void>((resolve) => (onReached = resolve));
    await using server = await FaultServer.start([step(onReached)]);
    const pending = call(server.url.replace('http', scheme), controller.signal);
    await reached;
    await settle();
    const error = await abortedAtOnce(pending, controller);
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
    return error;
  }

  const runtime = manualRuntime();
  const pay = (baseUrl: string, signal: AbortSignal) =>
    initiatePayment.call({ baseUrl, runtime, options: { signal } });
  const file = Buffer.alloc(5 * 1024 * 1024);
  file.write('%PDF-1.7\n');
  const send = (baseUrl: string, signal: AbortSignal) =>
    merchantOf({ baseUrl, runtime }).uploadInvoice({ referenceId: 'ORDER:2026-0001', file }, { signal });

  const aborted = { code: 'ABORTED', outcome: 'unknown', retryable: true };

  test('before the call sends nothing', async () => {
    await using server = await FaultServer.start([approved]);
    for (const call of [pay, send]) {
      const error = await rejection(call(server.url, AbortSignal.abort()));
      expect(error).toMatchObject({ code: 'ABORTED', outcome: 'not_sent' });
    }
    expect(server.connections).toBe(0);
  });

  test('while connecting ends the call at once', async () => {
    // A TLS handshake that the server never answers: no connection stands yet.
    const silent = (reached: () => void): Step => ({
      at: 'connection',
      act: (socket) => socket.once('data', reached),
    });
    // Only the default transport can tell that nothing of the request was sent.
    const outcome = over({ node: 'not_sent', fetch: 'unknown' });
    expect(await abortedDuring(silent, pay, 'https')).toMatchObject({ ...aborted, outcome });
  });

  test('while sending ends the call at once', async () => {
    const unread = (reached: () => void): Step => ({
      at: 'head',
      act: (socket) => {
        socket.pause();
        reached();
      },
    });
    // Nobody may repeat an upload that was perhaps stored.
    expect(await abortedDuring(unread, send)).toMatchObject({ ...aborted, retryable: false });
  });

  test('during back-off ends the call with the outcome of the attempts before', async () => {
    const controller = new AbortController();
    await using server = await FaultServer.start([steps.html(429), approved]);
    const waiting = manualRuntime();
    const call = initiatePayment.call({
      baseUrl: server.url,
      runtime: waiting,
      options: { signal: controller.signal },
    });
    while (waiting.pending()[0] !== 250) await pause(1);
    expect(await abortedAtOnce(call, controller)).toMatchObject({ ...aborted, outcome: 'rejected' });
    expect(waiting.pending()).toEqual([]);
    expect(server.requests).toHaveLength(1);
  });

  test('while a wait is recorded ends the call without another request', async () => {
    const controller = new AbortController();
    const ignore = () => undefined;
    const info = (message: string) => {
      if (message.includes(' follows in ')) controller.abort();
    };
    const observed = await observe(initiatePayment, [steps.html(429), approved], {
      client: { logger: { debug: ignore, info, warn: ignore, error: ignore } },
      options: { signal: controller.signal },
    });
    expect(errorOf(observed)).toMatchObject({ ...aborted, outcome: 'rejected' });
    expect(observed.requests).toHaveLength(1);
  });
});
