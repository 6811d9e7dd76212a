import { inspect } from 'node:util';
import { MessageChannel } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import * as api from '../../src/index.js';
import type { InstallmentErrorCode } from '../../src/index.js';
import { sampleError } from '../../src/mock/common/sample-error.js';
import { approvedPayment, demoClient, invoiceUpload, paymentRequest, rejection } from '../helpers/samples.js';
import { answering, framed, scriptedFetch } from '../helpers/scripted-fetch.js';

const { InstallmentError, isInstallmentError, metadataOf } = api;

const ownCodes: readonly InstallmentErrorCode[] = [
  'CONFIGURATION',
  'VALIDATION',
  'HOOK',
  'CONNECTION',
  'TIMEOUT',
  'ABORTED',
  'UNEXPECTED_RESPONSE',
  'NOTIFICATION_REJECTED',
  'UNKNOWN_RESULT',
];
const statuses = Object.values(api.resultStatuses)
  .flatMap((table) => Object.keys(table))
  .filter((status) => status !== 'APPROVED') as InstallmentErrorCode[];
const codes = [...new Set([...ownCodes, ...statuses])];

const overText = (error: unknown): unknown => JSON.parse(JSON.stringify(error));
const revived = (error: unknown) => InstallmentError.fromJSON(overText(error));

/** Everything of an error that a program can read without a stack. */
function readable(error: InstanceType<typeof InstallmentError>) {
  const { name, message, cause } = error;
  const fields: object = Object.fromEntries(Object.entries(error));
  return {
    name,
    message,
    fields,
    cause: cause instanceof Error ? [cause.name, cause.message, Object.entries(cause)] : cause,
  };
}

describe('an error of each code', () => {
  it.each(codes)('%s comes back from its JSON as it was, with its class', (code) => {
    for (const init of [{}, { retryAfterMs: 1000, mayHaveActedBefore: true, outcome: 'unknown' } as const]) {
      const error = sampleError(code, init);
      const back = revived(error);
      expect(back.constructor).toBe(error.constructor);
      expect(readable(back)).toStrictEqual(readable(error));
      expect(isInstallmentError(back) && back.code).toBe(code);
      expect(back.stack).toContain(`${error.name}: ${error.message}`);
    }
  });

  it.each(codes)('%s has JSON that survives a worker, and the same JSON when it is back', (code) => {
    const json = sampleError(code).toJSON();
    expect(structuredClone(json)).toEqual(overText(json));
    expect(revived(json).toJSON()).toEqual(json);
  });
});

describe('an error of a call', () => {
  const calls: readonly (readonly [string, () => Promise<unknown>])[] = [
    [
      'that was cut after a retry',
      () => {
        const { fetch } = scriptedFetch(() => {
          throw Object.assign(new TypeError('fetch failed'), {
            cause: { code: 'ECONNRESET', syscall: 'read' },
          });
        });
        return demoClient({ fetch }).initiatePayment(paymentRequest());
      },
    ],
    [
      'with an undocumented status',
      () =>
        demoClient({ fetch: answering({ resultStatus: 'SETTLED' }).fetch }).initiatePayment(paymentRequest()),
    ],
    [
      'with a page of a gateway',
      () =>
        demoClient({
          fetch: scriptedFetch(() => framed('<html>an@example.com', { status: 502 })).fetch,
          maxRetries: 0,
        }).uploadInvoice(invoiceUpload()),
    ],
    [
      'with a hook that rejects',
      () =>
        demoClient({
          fetch: answering({}).fetch,
          hooks: { beforeSend: () => Promise.reject(new RangeError('no room')) },
        }).initiatePayment(paymentRequest()),
    ],
    ['with invalid input', () => demoClient().initiatePayment(paymentRequest({ items: [] }))],
    [
      'that was refused',
      () =>
        demoClient({
          fetch: answering({ resultStatus: 'PHONE_NUMBER_INVALID', resultMsg: '0912345678?' }).fetch,
        }).initiatePayment(paymentRequest()),
    ],
  ];

  it.each(calls)('%s comes back with its attempts and its cause', async (_name, call) => {
    const error = (await rejection(call())) as InstanceType<typeof InstallmentError>;
    const back = revived(error);
    expect(back).toBeInstanceOf(error.constructor);
    expect(readable(back)).toStrictEqual(readable(error));
    expect(metadataOf(back)?.attempts[0]?.startedAt).toEqual(metadataOf(error)?.attempts[0]?.startedAt);
    expect(JSON.stringify(error)).not.toMatch(/an@example|0912345678|demo-secret/);
  });

  it('has the name, code and message of its cause in its JSON', async () => {
    const error = (await rejection(calls[0]?.[1]() ?? Promise.resolve())) as InstanceType<
      typeof InstallmentError
    >;
    expect(error.toJSON().cause).toEqual({
      name: 'Error',
      code: 'ECONNRESET',
      syscall: 'read',
      message: 'ECONNRESET (read)',
    });
  });

  it('crosses a message port', async () => {
    const { port1, port2 } = new MessageChannel();
    const arrived = new Promise((resolve) => port2.once('message', resolve));
    port1.postMessage(sampleError('TIMEOUT').toJSON());
    const back = InstallmentError.fromJSON(await arrived);
    port1.close();
    expect(back).toBeInstanceOf(api.TimeoutError);
    expect(back.outcome).toBe('unknown');
  });

  it('that a subclass of the caller names otherwise comes back as its class of the package', () => {
    class CheckoutTimeout extends api.TimeoutError {
      readonly orderToken = 'canary';
      constructor() {
        super('late', { outcome: 'unknown', retryable: true });
        this.name = 'CheckoutTimeout';
      }
    }
    const json = new CheckoutTimeout().toJSON();
    expect(json.name).toBe('CheckoutTimeout');
    const back = InstallmentError.fromJSON(json);
    expect(back.name).toBe('TimeoutError');
    expect(back).not.toHaveProperty('orderToken');
  });
});

/** The JSON of an error, changed by somebody with access to the queue or the log. */
function changed(code: InstallmentErrorCode, changes: object): InstanceType<typeof InstallmentError> {
  return InstallmentError.fromJSON({ ...sampleError(code).toJSON(), ...changes });
}

const attemptOf = (outcome: string) => ({
  startedAt: '2026-11-20T03:04:05.000Z',
  durationMs: 1,
  requestTime: '',
  outcome,
});
const withAttempt = (outcome: string) => ({
  $metadata: { operation: 'initiatePayment', attempts: [attemptOf(outcome)] },
});

describe('JSON that was changed', () => {
  it.each([
    [
      'an attempt may have been acted on',
      'TIMEOUT',
      { outcome: 'not_sent', ...withAttempt('unknown') },
      'unknown',
    ],
    ['an attempt was refused', 'TIMEOUT', { outcome: 'not_sent', ...withAttempt('rejected') }, 'rejected'],
    ['an attempt was accepted', 'TIMEOUT', { outcome: 'rejected', ...withAttempt('accepted') }, 'unknown'],
    [
      'an attempt has a word that is not known',
      'TIMEOUT',
      { outcome: 'not_sent', ...withAttempt('fine') },
      'unknown',
    ],
    ['it says accepted', 'CONNECTION', { outcome: 'accepted' }, 'unknown'],
    ['it has a word that is not known', 'CONNECTION', { outcome: 'NOT_SENT' }, 'unknown'],
    ['input was refused, but something was sent', 'VALIDATION', { outcome: 'unknown' }, 'unknown'],
    ['the status is an answer', 'INVALID_SIGNATURE', { outcome: 'not_sent' }, 'rejected'],
    [
      'the status is an answer to an operation of a newer version',
      'INVALID_AMOUNT',
      { outcome: 'not_sent', operation: 'cancelPayment' },
      'rejected',
    ],
    ['the status leaves it open', 'REQUEST_PROCESSING', { outcome: 'rejected' }, 'unknown'],
    ['the status is not documented', 'UNKNOWN_RESULT', { outcome: 'not_sent' }, 'unknown'],
    ['the lender was refused', 'NOTIFICATION_REJECTED', { outcome: 'not_sent' }, 'rejected'],
    ['a payment was declined', 'ERROR_GENERAL', { outcome: 'rejected' }, 'rejected'],
    [
      'nothing says that a file was not stored',
      'ERROR_GENERAL',
      { outcome: 'rejected', operation: 'uploadInvoice' },
      'unknown',
    ],
    ['there was an answer', 'UNEXPECTED_RESPONSE', { outcome: 'not_sent', $metadata: undefined }, 'rejected'],
    [
      'a duplicate was vouched for',
      'DUPLICATE_REFERENCE_ID',
      { outcome: 'rejected', ...withAttempt('rejected') },
      'rejected',
    ],
  ] as const)('has the worst outcome: %s', (_name, code, changes, outcome) => {
    const { $metadata, ...json } = { ...sampleError(code).toJSON(), $metadata: undefined, ...changes };
    const error = InstallmentError.fromJSON({ ...json, ...($metadata && { $metadata }) });
    expect(error.outcome).toBe(outcome);
  });

  it('is not retryable where a repeat could do the same thing twice', () => {
    const init = { operation: 'uploadInvoice', outcome: 'unknown' } as const;
    const json = sampleError('CONNECTION', init).toJSON();
    expect(InstallmentError.fromJSON({ ...json, retryable: true }).retryable).toBe(false);
    expect(InstallmentError.fromJSON({ ...sampleError('CONNECTION').toJSON() }).retryable).toBe(true);
    const { operation: _, ...ofAttempts } = json;
    const $metadata = { operation: 'uploadInvoice', attempts: [] };
    expect(InstallmentError.fromJSON({ ...ofAttempts, $metadata, retryable: true }).retryable).toBe(false);
    for (const fields of [
      { operation: 'initiatePayment', outcome: 'unknown' },
      { operation: 'uploadInvoice', outcome: 'not_sent' },
      { operation: undefined, outcome: 'unknown' },
    ]) {
      const { operation: __, $metadata: ___, ...rest } = { ...json, $metadata: undefined };
      const { operation, outcome } = fields;
      const again = { ...rest, ...(operation && { operation }), outcome, retryable: true };
      expect(InstallmentError.fromJSON(again).retryable).toBe(true);
    }
  });

  it('without attempts keeps what the error is about', () => {
    const about = { operation: 'initiatePayment', referenceId: 'ORDER-1', idempotencyKey: 'KEY-1' };
    const { $metadata: _, ...json } = { ...sampleError('TIMEOUT').toJSON(), $metadata: undefined, ...about };
    const error = InstallmentError.fromJSON(json);
    expect(error).toMatchObject(about);
    expect(error).not.toHaveProperty('retryAfterMs');
    expect(metadataOf(error)).toBeUndefined();
  });

  it('keeps the outcome of each attempt, and takes a word that is not known for unknown', () => {
    const attempts = ['accepted', 'rejected', 'not_sent', 'unknown', 'lost'].map(attemptOf);
    const error = changed('TIMEOUT', { $metadata: { operation: 'initiatePayment', attempts } });
    expect(metadataOf(error)?.attempts.map(({ outcome }) => outcome)).toEqual([
      'accepted',
      'rejected',
      'not_sent',
      'unknown',
      'unknown',
    ]);
  });

  it('brings no field that errors do not have, and changes no prototype', () => {
    const json = JSON.parse(
      `{"__proto__":{"polluted":true},"constructor":"x","stack":"forged","bodyText":"x","resultMsg":"x","secretKey":"canary",${JSON.stringify(sampleError('UNKNOWN_RESULT')).slice(1)}`,
    ) as unknown;
    const error = InstallmentError.fromJSON(json);
    expect(inspect(error, { showHidden: true, depth: Infinity })).not.toMatch(/canary|polluted|forged/);
    expect(error.constructor).toBe(api.UnknownResultError);
    expect({}).not.toHaveProperty('polluted');
  });

  it('has a value for each field that its class promises', () => {
    const { issues: _, ...json } = sampleError('VALIDATION').toJSON();
    expect(InstallmentError.fromJSON(json)).toMatchObject({ issues: [] });
    expect(changed('UNEXPECTED_RESPONSE', {})).toMatchObject({ bodyText: '' });
    expect(changed('INVALID_AMOUNT', { resultStatus: 'APPROVED' })).toMatchObject({
      resultStatus: 'INVALID_AMOUNT',
      resultMsg: '',
    });
  });

  it.each([
    ['undefined', undefined, 'must be an object'],
    ['null', null, 'must be an object'],
    ['a string', '{"code":"TIMEOUT"}', 'must be an object'],
    ['an error that is not of the package', new Error('x'), 'code: must be a string'],
    [
      'without an outcome',
      { ...sampleError('TIMEOUT').toJSON(), outcome: undefined },
      'outcome: must be a string',
    ],
    [
      'without retryable',
      { ...sampleError('TIMEOUT').toJSON(), retryable: 'yes' },
      'retryable: must be true or false',
    ],
    [
      'with a time that is not one',
      {
        ...sampleError('TIMEOUT').toJSON(),
        $metadata: { operation: 'post', attempts: [{ ...attemptOf('unknown'), startedAt: 'canary' }] },
      },
      'startedAt: must be an ISO 8601 time',
    ],
    ['about a number', { ...sampleError('TIMEOUT').toJSON(), operation: 7 }, 'operation: must be a string'],
    [
      'with a time that is text',
      { ...sampleError('TIMEOUT').toJSON(), retryAfterMs: '7' },
      'must be a number',
    ],
    [
      'a list',
      [],
      'fromJSON takes what toJSON() of an error returned, such as JSON.parse(line).error: it: must be',
    ],
    [
      'with attempts that are not a list',
      { ...sampleError('TIMEOUT').toJSON(), $metadata: { operation: 'post', attempts: {} } },
      '$metadata.attempts: must be an array',
    ],
  ])('is refused if it is %s', (_name, json, problem) => {
    const refused = () => InstallmentError.fromJSON(json);
    expect(refused).toThrow(TypeError);
    expect(refused).toThrow(problem);
    expect(refused).not.toThrow('canary');
  });
});

it('is refused with the first ten of its problems', () => {
  const issues = Array.from({ length: 100 }, () => ({ path: 'customer' }));
  const refused = () => InstallmentError.fromJSON({ ...sampleError('VALIDATION').toJSON(), issues });
  expect(refused).toThrow(/issues\[0\]\.path: must be an array; .*issues\[3\]\.path: must be an array$/);
});

describe('JSON of another version', () => {
  it('with a code that is not known gives an InstallmentError with that code and outcome', () => {
    const error = changed('TIMEOUT', { code: 'FRAUD_SUSPECTED', outcome: 'unknown', name: 'FraudError' });
    expect(isInstallmentError(error)).toBe(true);
    expect(error).not.toBeInstanceOf(api.TimeoutError);
    expect(error).toMatchObject({ name: 'InstallmentError', code: 'FRAUD_SUSPECTED', outcome: 'unknown' });
  });

  it('with a phase, an operation and fields that are not known keeps what is known', () => {
    const error = changed('TIMEOUT', {
      since: 2,
      $metadata: { operation: 'cancelPayment', attempts: [{ ...attemptOf('unknown'), phase: 'queued' }] },
    });
    expect(error).toMatchObject({
      operation: 'cancelPayment',
      $metadata: { attempts: [{ phase: 'queued' }] },
    });
  });
});

describe('metadataOf', () => {
  it('is the metadata of a result and of an error, and of nothing else', async () => {
    const payment = await demoClient({ fetch: answering(approvedPayment()).fetch }).initiatePayment(
      paymentRequest(),
    );
    expect(metadataOf(payment)).toBe(payment.$metadata);
    expect(metadataOf({ ...payment })).toBeUndefined();
    expect(metadataOf(sampleError('TIMEOUT'))?.operation).toBe('initiatePayment');
    for (const other of [undefined, null, 'x', {}, { $metadata: 'theirs' }, new Error('x')]) {
      expect(metadataOf(other)).toBeUndefined();
    }
  });
});
