import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as api from '../../src/index.js';
import { InstallmentError, isInstallmentError, ResultError, resultStatuses } from '../../src/index.js';
import { documentedStatuses, type DocumentedStatus } from '../helpers/documented-statuses.js';
import { recordingServer, type RecordingServer } from '../helpers/recording-server.js';
import { demoClient, invoiceUpload, paymentRequest, rejection } from '../helpers/samples.js';

let server: RecordingServer;
beforeAll(async () => {
  server = await recordingServer();
});
afterAll(() => server.close());

type Operation = keyof typeof documentedStatuses;

/** Calls an operation whose every answer is the same, and gives the error and how many requests it took. */
async function answered(operation: Operation, httpStatus: number, body: object) {
  const before = server.requests.length;
  server.answer({ status: httpStatus, body });
  const client = demoClient({ baseUrl: server.url });
  const call =
    operation === 'initiatePayment'
      ? client.initiatePayment(paymentRequest())
      : client.uploadInvoice(invoiceUpload());
  const error = await rejection(call);
  if (!isInstallmentError(error)) throw error;
  return { error, requests: server.requests.slice(before) };
}

const rows = Object.entries(documentedStatuses).flatMap(([operation, statuses]) =>
  Object.entries<DocumentedStatus>(statuses).flatMap(([status, expected]) =>
    [200, 400, 500].map((httpStatus) => ({
      operation: operation as Operation,
      status,
      httpStatus,
      ...expected,
    })),
  ),
);

describe('each documented status is an error of its own, whatever HTTP says', () => {
  it.each(rows)('$operation, $status under $httpStatus is $name', async (row) => {
    const { operation, status, httpStatus, name, outcome, retryable, action } = row;
    const body = { referenceId: 'ORDER:2026-0001', resultStatus: status, resultMsg: 'said the service' };
    const { error, requests } = await answered(operation, httpStatus, body);

    const ErrorClass = Reflect.get(api, name) as abstract new () => InstallmentError;
    expect(error).toBeInstanceOf(ErrorClass);
    expect(error).toBeInstanceOf(ResultError);
    expect(error).toMatchObject({ name, code: status, resultStatus: status, outcome, retryable, operation });
    expect(error).toHaveProperty('referenceId', 'ORDER:2026-0001');
    expect(error).toHaveProperty('resultMsg', 'said the service');
    expect(error).toHaveProperty('action', expect.stringMatching(action));
    expect(requests).toHaveLength(row.requests);
    expect(error.$metadata?.attempts).toHaveLength(row.requests);
    for (const attempt of error.$metadata?.attempts ?? []) {
      expect(attempt).toMatchObject({ httpStatus, resultStatus: status, outcome, error: status });
    }
  });

  it('and its class is exported by the package', () => {
    const names = new Set(rows.map(({ name }) => name));
    expect(names.size).toBe(21);
    for (const name of names) expect(api).toHaveProperty(name);
  });
});

describe('a status of the other table', () => {
  it.each(['DOWNSTREAM_ERROR', 'REQUEST_PROCESSING'])(
    '%s for an upload is unknown and is not repeated',
    async (status) => {
      const { error, requests } = await answered('uploadInvoice', 200, { resultStatus: status });
      expect(error).toMatchObject({ code: status, outcome: 'unknown', retryable: false });
      expect(requests).toHaveLength(1);
    },
  );

  it('INVALID_SIGNATURE for an upload has the action of the initiate table', async () => {
    const { error } = await answered('uploadInvoice', 200, { resultStatus: 'INVALID_SIGNATURE' });
    expect(error).toMatchObject({
      code: 'INVALID_SIGNATURE',
      outcome: 'rejected',
      action: resultStatuses.initiatePayment.INVALID_SIGNATURE.action,
    });
  });
});

describe('a status of neither table', () => {
  it.each(['SETTLED', 'approved', 'toString', '__proto__', 'two words', 'x'.repeat(500)])(
    '%j is unknown, kept as received, and never repeated',
    async (status) => {
      const { error, requests } = await answered('initiatePayment', 500, { resultStatus: status });
      expect(error).toBeInstanceOf(api.UnknownResultError);
      expect(error).toMatchObject({
        name: 'UnknownResultError',
        code: 'UNKNOWN_RESULT',
        resultStatus: status,
        outcome: 'unknown',
        retryable: false,
      });
      expect(error).toHaveProperty('action', expect.stringContaining('Ask the service'));
      expect(requests).toHaveLength(1);
    },
  );

  it('is named in the message only if it is a word', async () => {
    const word = await answered('initiatePayment', 200, { resultStatus: 'SETTLED' });
    expect(word.error.message).toContain('(SETTLED)');
    const prose = await answered('initiatePayment', 200, { resultStatus: 'call 0912345678' });
    expect(prose.error.message).not.toContain('0912345678');
  });
});

describe('resultMsg', () => {
  it.each([undefined, null, 7, { a: 1 }])('of %j counts as empty', async (resultMsg) => {
    const { error } = await answered('initiatePayment', 200, { resultStatus: 'ERROR_GENERAL', resultMsg });
    expect(error).toHaveProperty('resultMsg', '');
  });
});
