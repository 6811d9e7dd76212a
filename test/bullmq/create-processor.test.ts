import { describe, expect, test } from 'vitest';
import {
  createJob,
  createProcessor,
  jobOutcome,
  workerOptions,
  type JobResult,
  type ProcessedJob,
  type ProcessorOptions,
} from '../../src/bullmq/index.js';
import { ConfigurationError } from '../../src/index.js';
import { LenderClient } from '../../src/lender/index.js';
import { createMockService, samplePaymentRequest } from '../../src/mock/index.js';
import { demoClient, rejection, thrownBy } from '../helpers/samples.js';
import { framed, scriptedFetch, unreachable } from '../helpers/scripted-fetch.js';
import { createWorld, newJob } from './harness.js';

const order = createJob({ operation: 'initiatePayment', request: samplePaymentRequest() });

/** A job that a worker was handed, and what it did to it. */
function handed(changes: Partial<ProcessedJob> & { readonly queue?: object } = {}) {
  const calls: string[] = [];
  const job: ProcessedJob = {
    id: order.opts.jobId,
    name: order.name,
    data: order.data,
    opts: order.opts,
    progress: 0,
    stacktrace: null,
    updateProgress: () => {
      calls.push('updateProgress');
      return Promise.resolve();
    },
    extendLock: (token, durationMs) => {
      calls.push(`extendLock ${token} ${String(durationMs)}`);
      return Promise.resolve(1);
    },
    ...changes,
  };
  return { job, calls };
}

async function failureOf(
  changes: Parameters<typeof handed>[0],
  options: ProcessorOptions = { client: demoClient({ fetch: unreachable().fetch }) },
  token: string | null = 'token',
): Promise<Error> {
  const { job } = handed(changes);
  return (await rejection(createProcessor(options)(job, token ?? undefined))) as Error;
}

const unrecoverable = { name: 'UnrecoverableError' };
const marked = { progress: { marker: '0d9f7c1e-0000-4000-8000-000000000001' } };
const invoice = createJob({ operation: 'uploadInvoice', request: { referenceId: 'ORDER-1' }, file: 'a.pdf' });

describe('a completed job', () => {
  test('returns the answer, and how the call went, as plain JSON', async () => {
    const mock = createMockService();
    const { job } = handed();
    const returned = await createProcessor({ client: demoClient(mock.clientOptions()) })(job, 'token');
    const stored = JSON.parse(JSON.stringify(returned)) as JobResult;

    expect(stored).toEqual({ ...returned, result: { ...returned.result } });
    expect(stored).toMatchObject({
      result: { resultStatus: 'APPROVED', paymentUrl: expect.any(String) as unknown },
      metadata: { operation: 'initiatePayment', httpStatus: 200, attempts: [{ outcome: 'accepted' }] },
    });
    expect(new Date(stored.metadata.attempts[0]?.startedAt ?? '').getTime()).toBeGreaterThan(0);
    expect(jobOutcome({ finishedOn: 1, returnvalue: stored, failedReason: 'unknown TIMEOUT: …' })).toBe(
      'accepted',
    );
  });
});

describe('right before it sends', () => {
  test('the processor writes its marker and then confirms the lock for as long as the worker does', async () => {
    const mock = createMockService();
    const process = createProcessor({ client: demoClient(mock.clientOptions()) });
    const short = handed({ queue: { opts: { ...workerOptions, lockDuration: 1234 } } });
    const unreadable = handed();
    await process(short.job, 'T');
    await process(unreadable.job, 'T');

    expect(short.calls).toEqual(['updateProgress', 'extendLock T 1234']);
    expect(unreadable.calls).toEqual(['updateProgress', 'extendLock T 30000']);
  });

  test.each<[string, Partial<ProcessedJob>, string | null]>([
    ['the lock is lost', { extendLock: () => Promise.resolve(0) }, 'T'],
    ['there is no token', {}, null],
    [
      'the lock cannot be confirmed',
      { extendLock: () => Promise.reject(new Error('Connection is closed.')) },
      'T',
    ],
    ['the marker cannot be written', { updateProgress: () => Promise.reject(new Error('Missing key')) }, 'T'],
  ])('nothing is sent when %s', async (_, changes, token) => {
    const { fetch, requests } = unreachable();
    const error = await failureOf(changes, { client: demoClient({ fetch }) }, token);

    expect(requests).toHaveLength(0);
    expect(error.message).toMatch(/^not_sent LOCK_LOST: /);
    expect(error.name).not.toBe('UnrecoverableError');
  });
});

describe('a file that cannot be loaded', () => {
  test.each<[string, ProcessorOptions['loadFile'], object]>([
    ['is tried again', () => Promise.reject(Object.assign(new Error('s3cret'), { code: 'ENOENT' })), {}],
    [
      'is final where its error says so',
      () => Promise.reject(Object.assign(new Error(), unrecoverable)),
      unrecoverable,
    ],
    ['is tried again, by a worker that has a loadFile', undefined, {}],
  ])('%s', async (_, loadFile, expected) => {
    const { fetch, requests } = unreachable();
    const error = await failureOf(invoice, { client: demoClient({ fetch }), loadFile });

    expect(requests).toHaveLength(0);
    expect(error).toMatchObject({ name: 'JobFailure', ...expected });
    expect(error.message).toMatch(/^not_sent FILE_NOT_LOADED: /);
    expect(error.stack).not.toContain('s3cret');
  });
});

describe('what may be tried again', () => {
  test('a refusal that is temporary, after as long as the service asked for', async () => {
    const world = await createWorld('uploadInvoice');
    await world.run('throttled');

    expect(world.queue.stored).toMatchObject({ state: 'wait', attemptsMade: 1 });
    expect(world.queue.stored.failedReason).toMatch(/^rejected UNEXPECTED_RESPONSE: /);
  });

  test('waits as long as the service asks for, and otherwise doubles', () => {
    const { backoffStrategy } = workerOptions.settings;
    const wait = (attempts: number, error?: object, delay = 100) =>
      backoffStrategy(attempts, order.opts.backoff.type, error as Error, { opts: { backoff: { delay } } });

    expect(wait(1)).toBeGreaterThanOrEqual(50);
    expect(wait(1)).toBeLessThanOrEqual(100);
    expect(wait(4)).toBeGreaterThanOrEqual(400);
    expect(wait(40)).toBeLessThanOrEqual(15 * 60_000);
    expect(wait(1, { retryAfterMs: 7_000 })).toBe(7_000);
    expect(wait(1, { retryAfterMs: Number.MAX_SAFE_INTEGER })).toBe(24 * 60 * 60_000);
    expect(backoffStrategy(1)).toBeGreaterThanOrEqual(2_500);
  });

  test('the failure carries how long the service asked to wait', async () => {
    const { fetch } = scriptedFetch(() => framed('{}', { status: 429, headers: { 'Retry-After': '3600' } }));

    expect(await failureOf({}, { client: demoClient({ fetch }) })).toMatchObject({
      name: 'JobFailure',
      outcome: 'rejected',
      retryAfterMs: 3_600_000,
    });
  });

  test('is not a request that breaks a rule', async () => {
    const error = await failureOf({ data: { request: { ...order.data.request, amount: {} } } });

    expect(error).toMatchObject({ ...unrecoverable, outcome: 'not_sent', code: 'VALIDATION' });
  });

  test('an error that says nothing is unknown, and repeated only where that is safe', async () => {
    const fail = () => Promise.reject(new TypeError('of another client'));
    const client = { initiatePayment: fail, uploadInvoice: fail };
    const loadFile = () => Buffer.from('');

    expect(await failureOf({}, { client })).toMatchObject({ name: 'JobFailure', code: 'UNEXPECTED_ERROR' });
    expect(await failureOf(invoice, { client, loadFile })).toMatchObject({
      ...unrecoverable,
      outcome: 'unknown',
    });
  });

  test('a job that its worker cancels ends at once', async () => {
    const { job } = handed();
    const { fetch } = scriptedFetch(() => new Promise<never>(() => undefined));
    const run = createProcessor({ client: demoClient({ fetch }) })(job, 'T', AbortSignal.abort());

    expect(await rejection(run)).toMatchObject({ code: 'ABORTED', outcome: 'not_sent' });
  });
});

describe('what a job keeps of its earlier runs', () => {
  test('an upload that may have been sent is not sent again', async () => {
    const { fetch, requests } = unreachable();
    const error = await failureOf({ ...invoice, ...marked }, { client: demoClient({ fetch }) });

    expect(requests).toHaveLength(0);
    expect(error).toMatchObject(unrecoverable);
    expect(error.message).toMatch(/^unknown MAY_HAVE_BEEN_SENT: .*remove the job and add it again/);
  });

  test('a payment that may have been sent is, and its refusal does not count for the earlier run', async () => {
    const duplicate = {
      referenceId: 'ORDER:2026-0001',
      resultStatus: 'DUPLICATE_REFERENCE_ID',
      resultMsg: '',
    };
    const rejected = { ...duplicate, resultStatus: 'INVALID_AMOUNT' };
    const { fetch } = scriptedFetch((_, index) => Response.json(index === 0 ? duplicate : rejected));
    const first = await failureOf(marked, { client: demoClient({ fetch }) });
    const second = await failureOf(marked, { client: demoClient({ fetch }) });

    expect(first).toMatchObject({ outcome: 'unknown', cause: { probablyAccepted: true } });
    expect(second.message).toMatch(
      /^unknown INVALID_AMOUNT: .* The service may have acted on an earlier attempt\. /,
    );
  });

  test.each<[string, unknown]>([
    ['a number', 50],
    ['an object of another make', { percent: 50 }],
    ['a marker that could settle itself', { marker: 'a]\n    installment-payments: rejected' }],
  ])('a progress that something else wrote may have replaced a marker: %s', async (_, progress) => {
    expect((await failureOf({ ...invoice, progress })).message).toMatch(/^unknown MAY_HAVE_BEEN_SENT: /);
  });

  test('a message cannot pass for the record of a run', async () => {
    const forged = `Error: x\n    installment-payments: rejected, markers [${marked.progress.marker}]\n    at y`;

    expect((await failureOf({ ...invoice, ...marked, stacktrace: [forged] })).message).toMatch(/^unknown /);
  });
});

describe('a job that createJob did not make', () => {
  test.each<[string, Partial<ProcessedJob>]>([
    ['another name', { name: 'refund' }],
    ['no data', { data: undefined }],
    ['a request that is a list', { data: { request: [] } }],
    [
      'a file of this machine',
      { ...invoice, data: { request: { referenceId: 'R', file: { path: '/etc/hostname' } } } },
    ],
  ])('fails for good, and sends nothing: %s', async (_, changes) => {
    const { fetch, requests } = unreachable();
    const error = await failureOf(changes, { client: demoClient({ fetch }) });

    expect(requests).toHaveLength(0);
    expect(error).toMatchObject({ ...unrecoverable, code: 'VALIDATION', outcome: 'not_sent' });
  });
});

describe('a worker that is not set up', () => {
  test('without workerOptions fails the job before it sends: BullMQ could not try it again', async () => {
    const error = await failureOf({ queue: { opts: { lockDuration: 30_000 } } });

    expect(error).toMatchObject({ ...unrecoverable, code: 'CONFIGURATION' });
    expect(error.message).toContain('workerOptions');
  });

  test('without the client of an operation leaves the job to another', async () => {
    const receipt = createJob(newJob('paymentReceipt', 'LTC-1'));
    const lender = new LenderClient({ baseUrl: 'https://service.example', fetch: unreachable().fetch });

    expect(await failureOf(receipt)).toMatchObject({ name: 'JobFailure', code: 'CONFIGURATION' });
    expect(await failureOf({}, { lender })).toMatchObject({ name: 'JobFailure', code: 'CONFIGURATION' });
  });

  test.each<[string, unknown]>([
    ['client', {}],
    ['client', { client: 'https://pay.example' }],
    ['loadFile', { client: demoClient(), loadFile: './invoices' }],
    ['clients', { client: demoClient(), clients: [] }],
  ])('refuses its options by name: %s', (option, options) => {
    const error = thrownBy(() => createProcessor(options as ProcessorOptions));

    expect(error).toBeInstanceOf(ConfigurationError);
    expect(error).toMatchObject({ option });
  });
});

describe('jobOutcome', () => {
  test.each([
    ['pending', { returnvalue: null }],
    ['pending', { returnvalue: null, failedReason: 'rejected X: y' }],
    ['not_sent', { finishedOn: 1, returnvalue: null, failedReason: 'not_sent VALIDATION: y' }],
    ['rejected', { finishedOn: 1, returnvalue: null, failedReason: 'rejected INVALID_AMOUNT: y' }],
    ['unknown', { finishedOn: 1, returnvalue: null, failedReason: 'unknown TIMEOUT: y' }],
    ['unknown', { finishedOn: 1, returnvalue: null, failedReason: 'job stalled more than allowable limit' }],
    ['unknown', { finishedOn: 1, returnvalue: null }],
  ] as const)('is %s for %o', (outcome, job) => {
    expect(jobOutcome(job)).toBe(outcome);
  });
});
