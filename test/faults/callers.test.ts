import { getEventListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { InstallmentClient } from '../../src/index.js';
import { createMockService, type MockServer } from '../../src/mock/index.js';
import { instantRuntime, manualRuntime, settle } from '../helpers/runtime.js';
import { demo, paymentRequest, rejection } from '../helpers/samples.js';
import { over } from './detours.js';
import { FaultServer, type Step } from './fault-server.js';
import { approved, errorOf, initiatePayment, merchantOf, observe, uploadInvoice } from './harness.js';
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

  test('report both outcomes if two differ for one reference', async () => {
    const client = clientOf();
    const outcomes = await Promise.all(
      ['One', 'Another'].map((description) =>
        client.initiatePayment(paymentRequest({ referenceId: 'TWICE-2', description })).then(
          () => 'accepted',
          (error: unknown) => (error as { outcome: string }).outcome,
        ),
      ),
    );
    // A duplicate on a first attempt proves nothing: the payment may be this caller's own.
    expect(outcomes.sort()).toEqual(['accepted', 'unknown']);
  });
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

  test('before the headers, and inside the body, ends the call at once', async () => {
    expect(await abortedDuring((reached) => steps.stall(reached), pay)).toMatchObject(aborted);
    const head = 'HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{"resultStatus":';
    expect(await abortedDuring((reached) => steps.stall(reached, head), pay)).toMatchObject(aborted);
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
      if (message.includes('waits')) controller.abort();
    };
    const observed = await observe(initiatePayment, [steps.html(429), approved], {
      client: { logger: { debug: ignore, info, warn: ignore, error: ignore } },
      options: { signal: controller.signal },
    });
    expect(errorOf(observed)).toMatchObject({ ...aborted, outcome: 'rejected' });
    expect(observed.requests).toHaveLength(1);
  });

  test('after the end changes nothing', async () => {
    const controller = new AbortController();
    const { result } = await observe(initiatePayment, [approved], { options: { signal: controller.signal } });
    controller.abort();
    await settle();
    expect(result).toMatchObject({ resultStatus: 'APPROVED' });
  });
});

describe('code of the caller', () => {
  const fail = (): never => {
    throw new Error('of the caller');
  };
  const throwing = { debug: fail, info: fail, warn: fail, error: fail };

  test.each([initiatePayment, uploadInvoice])(
    'a logger and an onAttempt that throw change nothing, $operation',
    async (caller) => {
      for (const onAttempt of [fail, () => Promise.reject(new Error('later'))]) {
        const client = { logger: throwing, logLevel: 'debug', hooks: { onAttempt } } as const;
        const { result } = await observe(caller, [steps.html(429), approved], { client });
        expect(result).toMatchObject({ resultStatus: 'APPROVED' });
      }
    },
  );

  test.each(['secretKey', 'now'] as const)(
    'a %s that fails before the second attempt leaves the outcome of the first',
    async (hook) => {
      let isLost = false;
      const lost: Step = {
        ...steps.reset,
        act: (...args) => {
          isLost = true;
          steps.reset.act(...args);
        },
      };
      const secretKey = () => (isLost ? fail() : demo.secretKey);
      const now = () => (isLost ? fail() : new Date());
      const observed = await observe(initiatePayment, [lost, approved], {
        client: hook === 'now' ? { now } : { secretKey },
      });
      expect(errorOf(observed)).toMatchObject({
        code: 'HOOK',
        outcome: 'unknown',
        cause: new Error('of the caller'),
      });
    },
  );

  test('a call that meets faults to the end names every attempt', async () => {
    const observed = await observe(initiatePayment, [steps.reset, steps.html(502), steps.close]);
    expect(errorOf(observed).$metadata?.attempts.map(({ error, httpStatus }) => [error, httpStatus])).toEqual(
      [
        ['ECONNRESET (read)', undefined],
        ['the response is not JSON', 502],
        [over({ node: 'ECONNRESET', fetch: 'UND_ERR_SOCKET' }), undefined],
      ],
    );
  });
});
