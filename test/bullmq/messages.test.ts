import { describe, expect, test } from 'vitest';
import { backoffWith } from '../../src/bullmq/worker-options.js';
import {
  createJob,
  createProcessor,
  workerOptions,
  type NewJob,
  type ProcessorOptions,
} from '../../src/bullmq/index.js';
import type { ProcessedJob } from '../../src/bullmq/job-types.js';
import { ConfigurationError } from '../../src/index.js';
import { samplePaymentRequest } from '../../src/mock/index.js';
import { demoClient, files, rejection, thrownBy } from '../helpers/samples.js';
import { scriptedFetch, unreachable } from '../helpers/scripted-fetch.js';

// The reason of a failed job is what a person reads in a dashboard.

const order: NewJob = { operation: 'initiatePayment', request: samplePaymentRequest() };
const upload: NewJob = { operation: 'uploadInvoice', request: { referenceId: 'ORDER-1' }, file: 'a.pdf' };

/** How a run of a job fails. */
async function failureOf(
  job: NewJob,
  changes: Partial<ProcessedJob> & { readonly queue?: object } = {},
  options: ProcessorOptions = {},
  signal?: AbortSignal,
): Promise<string> {
  const { name, data, opts } = createJob(job);
  const handed: ProcessedJob & { readonly queue?: object } = {
    id: opts.jobId,
    name,
    data,
    opts,
    progress: 0,
    timestamp: 1,
    attemptsStarted: 1,
    updateProgress: () => Promise.resolve(),
    extendLock: () => Promise.resolve(1),
    ...changes,
  };
  const client = demoClient({ fetch: unreachable().fetch });
  const run = createProcessor({ client, loadFile: () => files.pdf, ...options })(handed, 'token', signal);
  return ((await rejection(run)) as Error).message;
}

const noJob = 'not_sent VALIDATION: the job was not made by createJob';
const broken = Object.assign(new Error('with a secret'), { code: 'EACCES' });
const noClient = () => undefined as never;
const answered = (resultStatus: string) =>
  demoClient({ fetch: scriptedFetch(() => Response.json({ resultStatus, resultMsg: '' })).fetch });

describe('the reason of a failed job', () => {
  test.each<[string, ...Parameters<typeof failureOf>]>([
    [noJob, order, { name: 'refund' }],
    [noJob, order, { data: 7 }],
    [noJob, upload, { data: { request: { referenceId: 'R', file: { path: '/' } } } }],
    [
      'not_sent CONFIGURATION: the function that finds the client rejected: EACCES',
      order,
      {},
      { client: () => Promise.reject(broken) },
    ],
    [
      'not_sent CONFIGURATION: initiatePayment was not sent: the function that finds the client returned none for this job: check its data.account',
      order,
      {},
      { client: noClient },
    ],
    [
      'not_sent CONFIGURATION: uploadInvoice was not sent: there is no client for it',
      upload,
      {},
      { client: undefined, lender: {} as never },
    ],
    [
      'unknown UNEXPECTED_ERROR: the client failed: EACCES',
      order,
      {},
      { client: { initiatePayment: () => Promise.reject(broken), uploadInvoice: noClient } },
    ],
    [
      'not_sent CONFIGURATION: secretKey must not be empty',
      order,
      {},
      {
        client: {
          initiatePayment: () => Promise.reject(new ConfigurationError('secretKey', 'must not be empty')),
          uploadInvoice: noClient,
        },
      },
    ],
    [
      'not_sent FILE_NOT_LOADED: there is no loadFile. Nothing was sent.',
      upload,
      {},
      { loadFile: undefined },
    ],
    [
      'not_sent FILE_NOT_LOADED: the file cannot be read: EACCES. Nothing was sent.',
      upload,
      {},
      { loadFile: () => Promise.reject(broken) },
    ],
    [
      'not_sent ABORTED: the job was cancelled. Nothing was sent.',
      upload,
      {},
      { loadFile: () => new Promise(() => undefined) },
      AbortSignal.abort(),
    ],
    [
      'not_sent LOCK_LOST: another worker may have the job. Nothing was sent.',
      order,
      { extendLock: () => Promise.resolve(0) },
    ],
    [
      'not_sent LOCK_LOST: the queue did not respond. Nothing was sent.',
      order,
      { updateProgress: () => Promise.reject(broken) },
    ],
    [
      'not_sent CONFIGURATION: the processor runs in a sandboxed process, where it cannot confirm its lock. Pass it to the ' +
        'Worker as a function, new Worker(name, createProcessor(…)), and run more worker processes instead',
      order,
      { extendLock: undefined as never },
    ],
    [
      'not_sent CONFIGURATION: the job was made by a scheduler, which would send the same request again and again: add it ' +
        'with enqueue',
      order,
      { opts: { ...createJob(order).opts, repeat: { every: 1 } } },
    ],
    [
      'not_sent CONFIGURATION: the worker has no settings.backoffStrategy: spread workerOptions into its options',
      order,
      { queue: { opts: { settings: {} } } },
    ],
    [
      'unknown MAY_HAVE_BEEN_SENT: an earlier run or job may have sent it, and it is not sent twice. Look it up at the ' +
        'service, two minutes after its last run at the earliest. If it is not there, remove the job and add it again ' +
        'without mayHaveBeenSent.',
      upload,
      { progress: { added: 1, run: 1, outcome: 'unknown' }, attemptsStarted: 2 },
    ],
  ])('is %j', async (reason, ...given) => {
    expect(await failureOf(...given)).toBe(reason);
  });

  test('names the outcome of earlier runs only where it is worse', async () => {
    const progress = { added: 1, run: 1, outcome: 'not_sent' };
    const client = answered('INVALID_AMOUNT');

    expect(await failureOf(order, { progress, attemptsStarted: 2 }, { client })).toMatch(
      /^rejected INVALID_AMOUNT: (?!an earlier run)/,
    );
    const worse = { ...progress, outcome: 'rejected' };
    const extendLock = () => Promise.resolve(0);
    expect(await failureOf(order, { progress: worse, attemptsStarted: 2, extendLock })).toBe(
      'rejected LOCK_LOST: an earlier run or job ended rejected, this run not_sent. another worker may have the job. Nothing was sent.',
    );
  });
});

describe('createJob says', () => {
  const own = (fields: object) => ({ ...upload, ...fields }) as NewJob;
  test.each<[NewJob, string]>([
    [
      own({ request: { referenceId: 'R', file: 'a' } }),
      'file: must not be in the request: pass what names it beside the request, for loadFile',
    ],
    [{ ...order, file: 'a.pdf' } as NewJob, 'file: is for uploadInvoice only'],
    [
      own({ file: new Uint8Array(1) }),
      "file: must be JSON that names the file for loadFile, such as 'invoices/1.pdf': it",
    ],
    [own({ account: new Map() }), "account: must be JSON that names the merchant, such as 'shop-1': it"],
    [
      own({ operation: 'refund' }),
      'operation must be one of initiatePayment, uploadInvoice, paymentReceipt, repaymentAllocation',
    ],
    [7 as never, 'options must be an object with an operation and a request'],
  ])('the message for %j is: %s', (job, message) => {
    expect(String(thrownBy(() => createJob(job)))).toContain(message);
  });

  test('the options say how often a job is tried, and what is kept of it for how long', () => {
    expect(createJob(order).opts).toEqual({
      jobId: expect.stringMatching(/^initiatePayment\./) as unknown,
      attempts: 12,
      backoff: { type: 'installment-payments', delay: 5000 },
      removeOnComplete: { age: 7 * 24 * 60 * 60 },
      removeOnFail: false,
      stackTraceLimit: 3,
    });
  });
});

test('the wait before a job is tried again doubles up to 15 minutes, and is shortened by chance to its half', () => {
  const waits = (random: number) =>
    [1, 2, 3, 8, 9, 30].map((attempts) =>
      backoffWith(() => random)(attempts, 'installment-payments', new Error()),
    );

  expect(waits(1)).toEqual([5_000, 10_000, 20_000, 640_000, 900_000, 900_000]);
  expect(waits(0)).toEqual([2_500, 5_000, 10_000, 320_000, 450_000, 450_000]);
  expect(workerOptions.maxStalledCount).toBe(100);
});
