import { describe, expect, test } from 'vitest';
import * as api from '../../src/entries/index.js';
import type { UploadInvoiceOptions } from '../../src/entries/index.js';
import { documentedStatuses, type DocumentedStatus } from '../helpers/documented-statuses.js';
import { instantRuntime, settle } from '../helpers/runtime.js';
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
import { transport } from './detours.js';

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

  test('that the server closed in good order is not used again, or the call succeeds by a retry', async () => {
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

describe('result statuses', () => {
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
