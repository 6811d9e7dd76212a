import { describe, expect, test } from 'vitest';
import * as api from '../../src/index.js';
import type { UploadInvoiceOptions } from '../../src/index.js';
import { documentedStatuses, type DocumentedStatus } from '../helpers/documented-statuses.js';
import { instantRuntime, manualRuntime, settle, type ManualRuntime } from '../helpers/runtime.js';
import { FaultServer, type Step } from './fault-server.js';
import {
  approval,
  approved,
  callers,
  errorOf,
  initiatePayment,
  merchantOf,
  observe,
  uploadInvoice,
} from './harness.js';
import * as steps from './steps.js';
import { deadPort, redirectedTo, transport } from './detours.js';

const merchantCallers = [initiatePayment, uploadInvoice];

describe('a kept-alive socket', () => {
  for (const caller of callers) {
    test(`is reset under the next request, ${caller.operation}`, async () => {
      const used = new WeakSet();
      const resetIfUsed: Step = {
        at: 'end',
        act: (socket, request) => {
          if (used.has(socket)) socket.resetAndDestroy();
          else approved.act(socket, request);
          used.add(socket);
        },
      };
      await using server = await FaultServer.start([resetIfUsed]);
      const runtime = instantRuntime();
      const setup = { baseUrl: server.url, runtime };
      await caller.call(setup);
      await settle(); // or the connection would still be at the end of its first exchange
      if (transport === 'fetch' && !caller.idempotent) {
        // A fetch chooses its connection by itself.
        await expect(caller.call(setup)).rejects.toMatchObject({ outcome: 'unknown' });
        expect(server.connections).toBe(1);
        return;
      }
      const { $metadata } = await caller.call(setup);
      const outcomes = $metadata.attempts.map(({ outcome }) => outcome);
      // Only a request that may be repeated uses the connection, and its repeat follows without back-off.
      expect(outcomes).toEqual(caller.idempotent ? ['unknown', 'accepted'] : ['accepted']);
      expect(runtime.skipped).toHaveLength(transport === 'fetch' ? 1 : 0);
      expect(server.connections).toBe(2);
    });
  }

  test('is not used again after the server closed it in good order, or the retry succeeds', async () => {
    const body = JSON.stringify(approval);
    const head = `HTTP/1.1 200 OK\r\nContent-Length: ${String(Buffer.byteLength(body))}\r\n\r\n`;
    await using server = await FaultServer.start([steps.raw(head + body, 'end')]);
    const setup = { baseUrl: server.url, runtime: instantRuntime() };
    for (let call = 0; call < 5; call++) {
      const { $metadata } = await initiatePayment.call(setup);
      expect($metadata.attempts.at(-1)?.outcome).toBe('accepted');
    }
    expect(server.connections).toBeGreaterThanOrEqual(5);
  });
});

test('an endless body is stopped near 1 MiB, and its connection closed', async () => {
  let written = 0;
  let onClosed = (): void => undefined;
  const closed = new Promise<void>((resolve) => (onClosed = resolve));
  const endless = steps.endlessBody(
    (bytes) => (written += bytes),
    () => {
      onClosed();
    },
  );
  const observed = await observe(uploadInvoice, [endless]);
  expect(errorOf(observed)).toMatchObject({ code: 'UNEXPECTED_RESPONSE', outcome: 'unknown' });
  await closed;
  // The sockets buffer more than was read.
  expect(written).toBeLessThan(16 * 1024 * 1024);
});

test('a Retry-After that came over the wire is waited for', async () => {
  const runtime = manualRuntime({ skipUpToMs: 30_000 });
  const throttled = steps.html(429, [['Retry-After', 'Fri, 20 Nov 2026 03:04:08 GMT']]);
  const client = { attemptTimeoutMs: 40_000, totalTimeoutMs: 100_000 };
  await observe(initiatePayment, [throttled, approved], { runtime, client });
  expect(runtime.skipped).toEqual([3_000]);
});

describe('result statuses', () => {
  test.each([{ paymentUrl: undefined }, { merchantId: 'ANOTHER' }])(
    'APPROVED with %j does not approve a payment, and is not repeated',
    async (changes) => {
      const observed = await observe(initiatePayment, [steps.json({ ...approval, ...changes }), approved]);
      const expected = { code: 'UNEXPECTED_RESPONSE', outcome: 'unknown', retryable: false };
      expect(errorOf(observed)).toMatchObject(expected);
      expect(observed.requests).toHaveLength(1);
    },
  );

  const documented = Object.entries(documentedStatuses).flatMap(([operation, statuses]) =>
    Object.entries<DocumentedStatus>(statuses).map(([status, expected]) => ({
      operation,
      status,
      ...expected,
    })),
  );

  test.each(documented)('$operation: $status is $name, whatever HTTP says', async (row) => {
    const { operation, status, name, outcome, retryable, action } = row;
    const caller = operation === 'initiatePayment' ? initiatePayment : uploadInvoice;
    for (const httpStatus of [200, 400, 500]) {
      const body = { ...approval, resultStatus: status, resultMsg: 'said the service' };
      const answers = Array.from({ length: 3 }, () => steps.json(body, { status: httpStatus }));
      const observed = await observe(caller, answers);
      const error = errorOf(observed);
      expect(error).toBeInstanceOf(Reflect.get(api, name));
      expect(error).toBeInstanceOf(api.ResultError);
      expect(error).toMatchObject({ name, code: status, resultStatus: status, outcome, retryable });
      expect(error).toMatchObject({ resultMsg: 'said the service', httpStatus });
      expect(error.action).toMatch(action);
      expect(observed.attempts).toHaveLength(row.requests);
      for (const attempt of observed.attempts)
        expect(attempt).toMatchObject({ httpStatus, resultStatus: status, outcome, error: status });
    }
  });

  test.each(['DOWNSTREAM_ERROR', 'REQUEST_PROCESSING'])(
    '%s, a status of payments, is unknown for an upload and is not retried',
    async (resultStatus) => {
      const observed = await observe(uploadInvoice, [steps.json({ ...approval, resultStatus }), approved]);
      expect(errorOf(observed)).toMatchObject({ code: resultStatus, outcome: 'unknown', retryable: false });
      expect(observed.requests).toHaveLength(1);
    },
  );
});

describe('DUPLICATE_REFERENCE_ID', () => {
  const duplicate = steps.json({ ...approval, resultStatus: 'DUPLICATE_REFERENCE_ID' });

  test('after a time-out is most likely an answer about our own payment', async () => {
    const observed = await observe(initiatePayment, (runtime) => [
      steps.stall(() => {
        runtime.advance(15_000);
      }),
      duplicate,
    ]);
    expect(errorOf(observed)).toMatchObject({
      code: 'DUPLICATE_REFERENCE_ID',
      outcome: 'unknown',
      probablyAccepted: true,
    });
  });

  test.each([undefined, false])(
    'is unknown on a first attempt, and after a refused connection, with mayHaveBeenSent: %s',
    async (mayHaveBeenSent) => {
      const refused = redirectedTo(`http://127.0.0.1:${String(await deadPort())}`);
      for (const course of [[duplicate], [refused, duplicate]]) {
        const observed = await observe(initiatePayment, course, { options: { mayHaveBeenSent } });
        expect(errorOf(observed)).toMatchObject({
          code: 'DUPLICATE_REFERENCE_ID',
          outcome: 'unknown',
          retryable: false,
          probablyAccepted: false,
        });
      }
    },
  );
});

describe('after an attempt that may have been acted on', () => {
  const refusals = ['INVALID_REQUEST', 'INVALID_REFERENCE_ID', 'ERROR_GENERAL'];

  test.each(refusals)('%s leaves the outcome unknown within the same call', async (resultStatus) => {
    const lost = (runtime: ManualRuntime) =>
      steps.stall(() => {
        runtime.advance(15_000);
      });
    const refusal = steps.json({ ...approval, resultStatus });
    const observed = await observe(initiatePayment, (runtime) => [lost(runtime), refusal], {
      client: { maxRetries: 1 },
    });
    expect(errorOf(observed)).toMatchObject({ code: resultStatus, outcome: 'unknown' });
  });

  const before = { options: { mayHaveBeenSent: true }, client: { maxRetries: 0 } };

  for (const caller of merchantCallers) {
    test.each(refusals)(
      `before the call, %s leaves the outcome unknown: ${caller.operation}`,
      async (status) => {
        const observed = await observe(caller, [steps.json({ ...approval, resultStatus: status })], before);
        expect(errorOf(observed)).toMatchObject({ code: status, outcome: 'unknown' });
      },
    );
  }

  test.each(callers)(
    'before the call, no failure but of the input ends better: $operation',
    async (caller) => {
      const refused = redirectedTo(`http://127.0.0.1:${String(await deadPort())}`);
      const retryable = caller.idempotent;
      for (const [course, code, isTransient] of [
        [[refused], 'CONNECTION', true],
        [[steps.html(429)], 'UNEXPECTED_RESPONSE', true],
        [
          [steps.html(403)],
          caller.side === 'lender' ? 'NOTIFICATION_REJECTED' : 'UNEXPECTED_RESPONSE',
          false,
        ],
      ] as const) {
        const error = errorOf(await observe(caller, course, before));
        expect(error).toMatchObject({ code, outcome: 'unknown', retryable: retryable && isTransient });
        expect(error.message).toContain('The service may have acted on an earlier attempt.');
        expect(error.message).not.toMatch(/safe to call again|refused the request/);
      }
    },
  );
});

describe('an upload refused while it is still being sent', () => {
  const file = Buffer.alloc(5 * 1024 * 1024);
  file.write('%PDF-1.7\n');
  const progress: UploadInvoiceOptions = { onUploadProgress: () => undefined };

  for (const manner of ['read', 'linger', 'destroy'] as const) {
    test.each([
      ['at once', {}],
      ['in pieces', progress],
    ])(`is rejected where the server is to ${manner} after its 413, sent %s`, async (_how, options) => {
      await using server = await FaultServer.start([steps.early(413, manner)]);
      const client = merchantOf({ baseUrl: server.url, runtime: instantRuntime() });
      const call = client.uploadInvoice({ referenceId: 'ORDER:2026-0001', file }, options);
      await expect(call).rejects.toMatchObject({
        code: 'UNEXPECTED_RESPONSE',
        outcome: 'rejected',
        retryable: false,
      });
      expect(server.requests).toHaveLength(1);
    });
  }
});
