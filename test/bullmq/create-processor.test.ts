import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import {
  createJob,
  createProcessor,
  jobOutcome,
  workerOptions,
  type CheckedJob,
  type JobResult,
  type ProcessedJob,
  type ProcessorOptions,
} from '../../src/bullmq/index.js';
import {
  ConfigurationError,
  InstallmentClient,
  type InstallmentClientOptions,
  type InvoiceFileInput,
} from '../../src/index.js';
import { LenderClient } from '../../src/lender/index.js';
import { createMockService, samplePaymentRequest } from '../../src/mock/index.js';
import { demoClient, files, rejection, thrownBy } from '../helpers/samples.js';
import { framed, scriptedFetch, unreachable } from '../helpers/scripted-fetch.js';
import { processorOf } from '../../src/bullmq/create-processor.js';
import { systemRuntime } from '../../src/http/runtime.js';
import { systemError } from '../faults/detours.js';
import { createWorld, newJob, type Kind } from './harness.js';

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
    timestamp: 1,
    attemptsStarted: 1,
    updateProgress: (progress) => {
      calls.push(`progress ${(progress as { outcome: string }).outcome}`);
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

const refusal = (resultStatus: string) => Response.json({ resultStatus, resultMsg: 'no' });
const unrecoverable = { name: 'UnrecoverableError' };
const marked = { progress: { added: 1, run: 1, outcome: 'unknown' }, attemptsStarted: 2 };
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

    expect(short.calls.slice(0, 2)).toEqual(['progress unknown', 'extendLock T 1234']);
    expect(unreadable.calls.slice(0, 2)).toEqual(['progress unknown', 'extendLock T 30000']);
  });

  test('the processor asks for both at once, and sends nothing before both are answered', async () => {
    const { fetch, requests } = unreachable();
    const asked: string[] = [];
    const answers: ((answer: number) => void)[] = [];
    const asking = (what: string) => {
      asked.push(what);
      return new Promise<number>((resolve) => answers.push(resolve));
    };
    const { job } = handed({
      updateProgress: () => asking('marker'),
      extendLock: () => asking('lock'),
    });
    const run = rejection(createProcessor({ client: demoClient({ fetch, maxRetries: 0 }) })(job, 'T'));
    await expect.poll(() => asked).toEqual(['marker', 'lock']);
    answers[1]?.(1);
    await nextTurn();
    expect(requests).toEqual([]);

    answers[0]?.(1);
    await run;
    expect(requests).toHaveLength(1);
  });

  test.each([
    ['is still held', 15_001, [1, 1], 1],
    ['is lost', 15_001, [1, 0], 0],
    ['was confirmed in time', 15_000, [1], 1],
  ])(
    'a lock that may have ended before the marker was written is confirmed again: it %s',
    async (_, tookMs, answers, sent) => {
      const { fetch, requests } = unreachable();
      const confirmed = answers.map(() => 'lock');
      let nowMs = 1_000_000;
      const { job, calls } = handed({
        updateProgress: () => Promise.resolve((nowMs += tookMs)),
        extendLock: () => Promise.resolve(calls.push('lock') && answers.shift()),
      });
      const runtime = { ...systemRuntime, monotonicMs: () => nowMs };
      const client = demoClient({ fetch, maxRetries: 0 });
      const error = (await rejection(processorOf({ client }, runtime)(job, 'T'))) as Error;

      expect({ calls, sent: requests.length }).toEqual({ calls: confirmed, sent });
      if (sent === 0) expect(error.message).toMatch(/^not_sent LOCK_LOST: /);
    },
  );

  const cause = new Error('Connection is closed.');
  const fail = () => Promise.reject(cause);
  test.each<[string, ...Parameters<typeof failureOf>]>([
    ['the queue', { extendLock: fail }],
    ['the function that finds the client', {}, { client: fail }],
  ])('the error of %s is the cause where it fails', async (_, ...given) => {
    expect(await failureOf(...given)).toHaveProperty('cause', cause);
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

describe('once it has an answer', () => {
  test.each<[string, Response | undefined, readonly string[]]>([
    [
      'the answer is kept, and the next run ends with it and sends nothing',
      undefined,
      ['unknown', 'accepted'],
    ],
    ['a certain refusal takes the marker away', refusal('INVALID_AMOUNT'), ['unknown', 'rejected']],
    ['an unknown one leaves it', refusal('SOMETHING_NEW'), ['unknown']],
  ])('%s', async (_, answer, outcomes) => {
    const mock = createMockService();
    const { fetch, requests } = scriptedFetch((request) => answer ?? mock.fetch(request.url, request.init));
    const written: unknown[] = [];
    const updateProgress = (progress: unknown) => Promise.resolve(written.push(structuredClone(progress)));
    const process = createProcessor({ client: demoClient({ ...mock.clientOptions(), fetch }) });
    const returned = await process(handed({ updateProgress }).job, 'T').catch(() => undefined);

    expect(written).toMatchObject(outcomes.map((outcome) => ({ outcome })));
    if (!returned) return;
    const next = handed({ progress: JSON.parse(JSON.stringify(written.at(-1))), attemptsStarted: 2 });
    expect(await process(next.job, 'T')).toEqual({ ...returned, result: { ...returned.result } });
    expect({ calls: next.calls, requests: requests.length }).toEqual({ calls: [], requests: 1 });
  });

  test.each([
    ['a completed job', undefined, undefined],
    ['a failed one', refusal('INVALID_AMOUNT'), /^rejected INVALID_AMOUNT/],
  ])('a queue that does not take it changes nothing: %s', async (_, answer, message) => {
    const mock = createMockService();
    let writes = 0;
    const updateProgress = () => ((writes += 1) > 1 ? Promise.reject(new Error('gone')) : Promise.resolve());
    const fetch = answer ? scriptedFetch(() => answer).fetch : mock.fetch;
    const client = demoClient({ ...mock.clientOptions(), fetch });
    const ended = await createProcessor({ client })(handed({ updateProgress }).job, 'T').catch(
      (error: unknown) => error,
    );

    expect(writes).toBe(2);
    expect(ended).toMatchObject(
      message ? { message: expect.stringMatching(message) as unknown } : { metadata: { httpStatus: 200 } },
    );
  });
});

describe('what is sent once', () => {
  test.each(['uploadInvoice', 'repaymentAllocation'] as const)(
    'is not repeated by the client, whose waits would keep the marker: %s',
    async (kind) => {
      const { name, data, opts } = createJob(newJob(kind, 'R-1'));
      const { fetch, requests } = scriptedFetch(() =>
        framed('{}', { status: 429, headers: { 'Retry-After': '0' } }),
      );
      const lender = new LenderClient({
        baseUrl: 'https://service.example',
        lenderCode: 'L',
        serviceApplicationId: 'A',
        fetch,
        maxRetries: 2,
      });
      const options = { client: demoClient({ fetch, maxRetries: 2 }), lender, loadFile: () => files.pdf };
      const error = await failureOf({ name, data, opts }, options);

      expect(requests).toHaveLength(1);
      expect(error).toMatchObject({ name: 'JobFailure', outcome: 'rejected' });
    },
  );
});

describe('a payment', () => {
  test.each([
    ['repeated by the client in its first run', 1, 3],
    ['repeated by the queue alone in later runs', 2, 1],
  ])('is %s', async (_, attemptsStarted, sent) => {
    const { fetch, requests } = scriptedFetch(() => new Response('', { status: 503 }));
    await failureOf({ attemptsStarted }, { client: demoClient({ fetch }) });

    expect(requests).toHaveLength(sent);
  });
});

describe('a payment for a service that ignores repeated keys', () => {
  const once = createJob({
    operation: 'initiatePayment',
    request: samplePaymentRequest(),
    repeatUnknown: false,
  });

  test('is sent once, and not again after it may have been sent', async () => {
    const { fetch, requests } = scriptedFetch(() => new Response('', { status: 503 }));
    const client = demoClient({ fetch, maxRetries: 2 });

    expect(await failureOf({ ...once, opts: once.opts }, { client })).toMatchObject({
      ...unrecoverable,
      outcome: 'unknown',
    });
    expect(requests).toHaveLength(1);
    expect(await failureOf({ ...once, ...marked }, { client })).toMatchObject({ code: 'MAY_HAVE_BEEN_SENT' });
    expect(requests).toHaveLength(1);
  });

  const perhapsSent = { ...unrecoverable, outcome: 'unknown', code: 'MAY_HAVE_BEEN_SENT' };
  const wary = ({ fetch }: Pick<InstallmentClientOptions, 'fetch'>) =>
    demoClient({ fetch, maxRetries: 0, repeatUnknown: false });
  test.each<[string, (client: InstallmentClient) => ProcessorOptions['client']]>([
    ['the client', (client) => client],
    ['the client of a function', (client) => () => Promise.resolve(client)],
    ['a client that withOptions made', (client) => client.withOptions({ maxRetries: 1 })],
    ['a Proxy of the client', (client) => new Proxy(client, {})],
    ['a copy of the client', (client) => Object.assign({}, client)],
  ])('is not sent again after it may have been sent where %s repeats nothing unknown', async (_, made) => {
    const { fetch, requests } = unreachable();
    const options = { client: made(wary({ fetch })) };

    expect(await failureOf(marked, options)).toMatchObject(perhapsSent);
    expect(await failureOf({ data: { ...order.data, mayHaveBeenSent: true } }, options)).toMatchObject(
      perhapsSent,
    );
    expect(requests).toEqual([]);
  });

  test('is sent for the first time, and left to the queue after a 429, by a client that repeats nothing unknown', async () => {
    const busy = scriptedFetch(() => new Response('{}', { status: 429, headers: { 'Content-Length': '2' } }));
    const patient = demoClient({ fetch: busy.fetch, repeatUnknown: false });

    expect(await failureOf({}, { client: patient })).toMatchObject({
      name: 'JobFailure',
      outcome: 'rejected',
    });
    expect(busy.requests).toHaveLength(1);
  });

  test('is sent again by a client that withOptions has let repeat', async () => {
    const { fetch, requests } = unreachable();
    await failureOf(marked, { client: wary({ fetch }).withOptions({ repeatUnknown: true }) });

    expect(requests).toHaveLength(1);
  });

  test('that is a receipt keeps to the option of the lender, and an upload that may be repeated to its job', async () => {
    const { fetch, requests } = unreachable();
    const lender = new LenderClient({ baseUrl: 'https://service.example', fetch, repeatUnknown: false });
    const { name, data, opts } = createJob(newJob('paymentReceipt', 'LTC-1'));
    const upload = createJob(newJob('uploadInvoice, repeatUnknown', 'R-1'));

    expect(await failureOf({ name, data, opts, ...marked }, { lender })).toMatchObject(perhapsSent);
    expect(requests).toEqual([]);
    await failureOf({ ...upload, ...marked }, { client: wary({ fetch }), loadFile: () => files.pdf });
    expect(requests).toHaveLength(1);
  });
});

describe('a file', () => {
  async function* breaking() {
    yield Buffer.from('%PDF-1.7 ');
    await Promise.resolve();
    throw new Error('s3cret');
  }
  const stalled = () => new ReadableStream({ pull: () => new Promise(() => undefined) });
  test.each<[string, () => InvoiceFileInput, RegExp, string]>([
    ['whose stream breaks', breaking, /^not_sent FILE_NOT_LOADED: /, 'JobFailure'],
    [
      'that is not there',
      () => ({ path: '/nowhere/1.pdf' }),
      /^not_sent FILE_NOT_LOADED: .*ENOENT/,
      'JobFailure',
    ],
    ['that stalls', stalled, /^not_sent FILE_NOT_LOADED: .*120000 ms/, 'JobFailure'],
    ['of another type', () => Buffer.from('text'), /^not_sent VALIDATION: .*pdf/, 'UnrecoverableError'],
    ['that is a string', () => 'a.pdf' as never, /^not_sent VALIDATION: .*path/, 'UnrecoverableError'],
  ])('%s is found out before the marker is written', async (_, loadFile, message, name) => {
    const { fetch, requests } = unreachable();
    const { job, calls } = handed(invoice);
    const runtime = {
      ...systemRuntime,
      after: (_ms: number, work: () => void) => (setTimeout(work, 100), () => undefined),
    };
    const process = processorOf({ client: demoClient({ fetch }), loadFile }, runtime);
    const error = (await rejection(process(job, 'T'))) as Error;

    expect(error.message).toMatch(message);
    expect(error.message).not.toContain('s3cret');
    expect(error).toMatchObject({ name });
    expect({ calls, requests }).toEqual({ calls: [], requests: [] });
  });

  test('is in memory before the marker is written, and closed', async () => {
    const mock = createMockService({ uploads: 'any' });
    const client = new InstallmentClient(mock.clientOptions());
    await client.initiatePayment(samplePaymentRequest({ referenceId: 'ORDER-1' }));
    const { job, calls } = handed(invoice);
    const loadFile = () => {
      const stream = Readable.from([files.pdf]);
      stream.once('close', () => calls.push('closed'));
      return { data: stream, filename: 'hoá đơn.pdf' };
    };
    const returned = await createProcessor({ client, loadFile })(job, 'T');

    expect(returned.result).toMatchObject({ resultStatus: 'APPROVED' });
    expect(calls).toEqual(['closed', 'progress unknown', 'extendLock T 30000', 'progress accepted']);
    expect(mock.invoices.all()[0]).toMatchObject({ file: { name: 'hoá đơn.pdf' } });
  });

  test('ends at once when its worker cancels the job', async () => {
    const { job } = handed(invoice);
    const controller = new AbortController();
    const loadFile = () => {
      controller.abort();
      return new Promise<never>(() => undefined);
    };
    const process = createProcessor({ client: demoClient({ fetch: unreachable().fetch }), loadFile });

    expect(await rejection(process(job, 'T', controller.signal))).toMatchObject({
      name: 'JobFailure',
      message: expect.stringMatching(/^not_sent ABORTED: /) as unknown,
    });
  });
});

describe('a file that cannot be loaded', () => {
  test.each<[string, ProcessorOptions['loadFile'], object]>([
    ['is tried again', () => Promise.reject(Object.assign(new Error('s3cret'), { code: 'ENOENT' })), {}],
    [
      'is not tried again after an UnrecoverableError',
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
    expect(wait(1, undefined, '100' as never)).toBeGreaterThanOrEqual(2_500);
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
    const loadFile = () => files.pdf;

    expect(await failureOf({}, { client })).toMatchObject({ name: 'JobFailure', code: 'UNEXPECTED_ERROR' });
    const cautious = Object.assign(demoClient({ repeatUnknown: false }), { initiatePayment: fail });
    expect(await failureOf({}, { client: cautious })).toMatchObject({
      ...unrecoverable,
      code: 'UNEXPECTED_ERROR',
    });
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
    expect(error.message).toBe(
      'unknown MAY_HAVE_BEEN_SENT: uploadInvoice ORDER-1: an earlier run of the job may have sent it, and it is ' +
        'not sent twice. Look it up at the service. If it is not there, remove the job and add it again without ' +
        'mayHaveBeenSent.',
    );
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

  test.each([undefined, null, 0])('a job whose progress is %o has had no run', async (progress) => {
    expect(await failureOf({ ...invoice, progress })).toMatchObject({ code: 'FILE_NOT_LOADED' });
  });

  test.each<[string, unknown]>([
    ['a number', 50],
    ['an object of another make', { percent: 50 }],
    ['progress of a job that was removed', { added: 0, run: 1, outcome: 'rejected' }],
    ['an accepted end without an answer', { added: 1, run: 1, outcome: 'accepted' }],
  ])('a progress that something else wrote may have replaced a marker: %s', async (_, progress) => {
    expect((await failureOf({ ...invoice, progress })).message).toMatch(/^unknown MAY_HAVE_BEEN_SENT: /);
  });
});

describe('a repeat of an upload or allocation that may have been sent, with repeatUnknown,', () => {
  const repeated = ['uploadInvoice, repeatUnknown', 'repaymentAllocation, repeatUnknown'] as const;
  const refusals: readonly [string, () => Response, string][] = [
    ['refused', () => framed('{"resultStatus":"INVALID_SIGNATURE"}', { status: 400 }), 'UnrecoverableError'],
    ['refused for now', () => framed('{}', { status: 429 }), 'JobFailure'],
    ['answered by an error that says nothing', () => new Response('', { status: 503 }), 'JobFailure'],
  ];
  const cases = repeated.flatMap((kind) => refusals.map((row) => [kind, ...row] as const));
  test.each(cases)(
    'stays unknown, and is tried again unless it was refused for good: %s, %s',
    async (...row) => {
      const [kind, , answer, name] = row;
      const { fetch, requests } = scriptedFetch(answer);
      const lender = new LenderClient({
        baseUrl: 'https://service.example',
        lenderCode: 'L',
        serviceApplicationId: 'A',
        fetch,
      });
      const options = { client: demoClient({ fetch }), lender, loadFile: () => files.pdf };
      const { name: operation, data, opts } = createJob(newJob(kind, 'R-1'));
      const error = await failureOf({ name: operation, data, opts, ...marked }, options);

      expect(requests).toHaveLength(1);
      expect(error).toMatchObject({ name, outcome: 'unknown' });
      expect(error.message).toMatch(/The service may have acted on an earlier attempt\. /);
    },
  );
});

describe('what a job keeps of all its runs', () => {
  test.each<[string, string, Response | undefined, string]>([
    ['a refusal before a refused connection', 'rejected', undefined, 'rejected'],
    ['a refused connection before a refusal', 'not_sent', refusal('INVALID_AMOUNT'), 'rejected'],
    ['an unknown run before a refusal', 'unknown', refusal('INVALID_AMOUNT'), 'unknown'],
  ])('is the worst of them: %s', async (_, earlier, answer, kept) => {
    const { fetch } = scriptedFetch(() => {
      if (answer) return answer;
      throw new TypeError('fetch failed', { cause: systemError('ECONNREFUSED', 'connect') });
    });
    const written: unknown[] = [];
    const error = await failureOf(
      {
        progress: { added: 1, run: 1, outcome: earlier },
        attemptsStarted: 2,
        updateProgress: (progress) => Promise.resolve(written.push(progress)),
      },
      { client: demoClient({ fetch, maxRetries: 0 }) },
    );

    expect(error).toMatchObject({ outcome: kept });
    expect(written.at(-1)).toMatchObject({ outcome: kept, run: 2 });
  });
});

describe('a payment that an earlier run may have sent stays unknown where a later run ends before it sends', () => {
  const secretKey = () => Promise.reject(new Error('the vault is away'));
  test.each<[string, string, ProcessorOptions, Partial<ProcessedJob>]>([
    ['without a client for the job', 'CONFIGURATION', { client: () => undefined }, {}],
    [
      'because the secret store is away',
      'CONFIGURATION',
      { client: () => Promise.reject(new Error('away')) },
      {},
    ],
    ['because its key cannot be read', 'HOOK', { client: demoClient({ secretKey }) }, {}],
    [
      'because the request breaks a rule',
      'VALIDATION',
      {},
      { data: { request: { ...order.data.request, amount: {} } } },
    ],
    ['because it lost its lock', 'LOCK_LOST', {}, { extendLock: () => Promise.resolve(0) }],
  ])('%s', async (_, code, options, changes) => {
    const { fetch, requests } = unreachable();
    const error = await failureOf({ ...marked, ...changes }, { client: demoClient({ fetch }), ...options });

    expect(requests).toEqual([]);
    expect(error).toMatchObject({ outcome: 'unknown', code });
    expect(error.message).toMatch(
      /^unknown [A-Z_]+: an earlier run or job ended unknown, this run not_sent\. /,
    );
    expect(jobOutcome({ finishedOn: 1, returnvalue: null, failedReason: error.message })).toBe('unknown');
  });
});

describe('a certain outcome that a run which was overtaken may have written late', () => {
  const progress = { added: 1, run: 1, outcome: 'rejected' };
  const outcomeOf = async (attemptsStarted: number, job: Parameters<typeof handed>[0]) => {
    const { fetch, requests } = scriptedFetch(() => refusal('INVALID_REQUEST'));
    const options = { client: demoClient({ fetch }), loadFile: () => files.pdf };
    const { message } = await failureOf({ ...job, progress, attemptsStarted }, options);
    return { outcome: message.split(' ')[0], sent: requests.length };
  };

  test('counts for a payment only if no other run was between: it may have replaced a marker', async () => {
    expect(await outcomeOf(2, {})).toEqual({ outcome: 'rejected', sent: 1 });
    expect(await outcomeOf(3, {})).toEqual({ outcome: 'unknown', sent: 1 });
  });

  test('counts for an upload: no run sends while a marker stands', async () => {
    expect(await outcomeOf(3, invoice)).toEqual({ outcome: 'rejected', sent: 1 });
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

  test('in a sandboxed process fails the job with advice: there it has no lock to confirm', async () => {
    const { fetch, requests } = unreachable();
    const error = await failureOf(
      { ...invoice, extendLock: undefined as never },
      { client: demoClient({ fetch }) },
    );

    expect(error).toMatchObject({ ...unrecoverable, code: 'CONFIGURATION', outcome: 'not_sent' });
    expect(error.message).toMatch(/sandboxed.*new Worker\(name, createProcessor/);
    expect(requests).toHaveLength(0);
  });

  test('needs no workerOptions for a job whose back-off is another', async () => {
    const opts = { ...order.opts, backoff: { type: 'exponential' }, repeat: null };

    expect(await failureOf({ queue: { opts: {} }, opts })).toMatchObject({ code: 'CONNECTION' });
  });

  test('refuses the job of a scheduler, which would be sent again and again', async () => {
    const error = await failureOf({ ...invoice, opts: { ...invoice.opts, repeat: { every: 1000 } } });

    expect(error).toMatchObject({ ...unrecoverable, code: 'CONFIGURATION', outcome: 'not_sent' });
    expect(error.message).toContain('enqueue');
  });

  test('without the client of an operation fails the job before it is marked as sent', async () => {
    const receipt = createJob(newJob('paymentReceipt', 'LTC-1'));
    const lender = new LenderClient({ baseUrl: 'https://service.example', fetch: unreachable().fetch });
    const updateProgress = () => expect.fail('a marker was written');
    const expected = { ...unrecoverable, code: 'CONFIGURATION', outcome: 'not_sent' };

    expect(await failureOf({ ...receipt, updateProgress })).toMatchObject(expected);
    expect(await failureOf({ updateProgress }, { lender })).toMatchObject(expected);
  });

  test.each<[string, string, unknown]>([
    ['client', 'client is required when there is no lender: pass one of them', {}],
    [
      'client',
      'client must be a client, or a function of the job that returns one',
      { client: 'https://pay.example' },
    ],
    ['loadFile', 'loadFile must be a function', { client: demoClient(), loadFile: './invoices' }],
    ['clients', 'clients', { client: demoClient(), clients: [] }],
    ['options', 'options must be an object', undefined],
  ])('refuses its options by name: %s, %s', (option, message, options) => {
    const error = thrownBy(() => createProcessor(options as ProcessorOptions));

    expect(error).toBeInstanceOf(ConfigurationError);
    expect(error).toMatchObject({ option, message: expect.stringContaining(message) as unknown });
  });
});

describe('a processor that serves several merchants', () => {
  const shops = new Map(['shop-1', 'shop-2'].map((account) => [account, createMockService()]));
  const jobOf = (account: string) => {
    const { name, data, opts } = createJob({
      operation: 'initiatePayment',
      request: samplePaymentRequest(),
      account,
    });
    return { name, data, opts };
  };
  const clientOf = ({ data: { account } }: CheckedJob) => {
    const mock = shops.get(String(account));
    return mock && new InstallmentClient(mock.clientOptions());
  };

  test.each<[string, ProcessorOptions['client']]>([
    ['a function', clientOf],
    ['a function that returns a promise', (job) => Promise.resolve(clientOf(job))],
  ])('finds the client of each job by its account: %s', async (_, client) => {
    for (const mock of shops.values()) mock.reset();
    await createProcessor({ client })(handed(jobOf('shop-2')).job, 'T');

    expect([...shops.values()].map(({ payments }) => payments.all().length)).toEqual([0, 1]);
  });

  test.each<[string, string, ProcessorOptions['client'], RegExp, string]>([
    ['fails a job', 'has no client for it', clientOf, /account/, 'UnrecoverableError'],
    ['fails a job', 'returns something else', (() => 'client') as never, /account/, 'UnrecoverableError'],
    ['tries a job again', 'throws', () => JSON.parse('no') as never, /SyntaxError/, 'JobFailure'],
    ['tries a job again', 'rejects', () => Promise.reject(new Error('s3cret')), /rejected/, 'JobFailure'],
  ])(
    '%s, without a marker, where the function that finds its client %s',
    async (_does, _where, client, message, name) => {
      const { job, calls } = handed(jobOf('shop-3'));
      const error = (await rejection(createProcessor({ client })(job, 'T'))) as Error;

      expect(error.message).toMatch(/^not_sent CONFIGURATION: /);
      expect(error.message).toMatch(message);
      expect(error).toMatchObject({ name, outcome: 'not_sent' });
      expect(error.message).not.toContain('s3cret');
      expect(calls).toEqual([]);
    },
  );

  test('finds the lender of a job too', async () => {
    const mock = createMockService();
    const { name, data, opts } = createJob({ ...newJob('paymentReceipt', 'LTC-1'), account: 'bank-1' });
    const lenders = new Map([
      [
        'bank-1',
        new LenderClient({
          baseUrl: 'https://service.example',
          lenderCode: 'L',
          serviceApplicationId: 'A',
          fetch: mock.fetch,
        }),
      ],
    ]);
    await createProcessor({ lender: (job) => lenders.get(String(job.data.account)) })(
      handed({ name, data, opts }).job,
      'T',
    );

    expect(mock.receipts.all()).toHaveLength(1);
  });
});

describe('a job that is added again', () => {
  const again = (kind: Kind) => {
    const { name, data, opts } = createJob({ ...newJob(kind, 'R-1'), mayHaveBeenSent: true });
    return { name, data, opts };
  };

  test('counts its first run as a repeat: a refusal does not say that nothing was created', async () => {
    const { fetch } = scriptedFetch(() => refusal('INVALID_REQUEST'));

    expect(await failureOf(again('initiatePayment'), { client: demoClient({ fetch }) })).toMatchObject({
      outcome: 'unknown',
      code: 'INVALID_REQUEST',
    });
  });

  test('is not sent if it is an upload, unless it may be repeated', async () => {
    const { fetch, requests } = unreachable();
    const options = { client: demoClient({ fetch, maxRetries: 0 }), loadFile: () => files.pdf };

    expect(await failureOf(again('uploadInvoice'), options)).toMatchObject({
      ...unrecoverable,
      outcome: 'unknown',
      code: 'MAY_HAVE_BEEN_SENT',
      message: expect.stringMatching(
        /^unknown MAY_HAVE_BEEN_SENT: \S+ \S+: the job was added with mayHaveBeenSent: true, and it is not sent twice\./,
      ) as string,
    });
    expect(requests).toHaveLength(0);
    await failureOf(again('uploadInvoice, repeatUnknown'), options);
    expect(requests).toHaveLength(1);
  });

  test.each<[Kind, object]>([
    ['initiatePayment', {}],
    ['uploadInvoice, repeatUnknown', { maxRetries: 0 }],
    ['paymentReceipt', {}],
    ['repaymentAllocation, repeatUnknown', { maxRetries: 0 }],
  ])('is the only one that tells the client that it may have been sent: %s', async (kind, limits) => {
    const told: unknown[] = [];
    const fail = (_: unknown, options: unknown) => {
      told.push(options);
      return Promise.reject(new Error());
    };
    const client = { initiatePayment: fail, uploadInvoice: fail };
    const lender = { notifyPaymentReceipt: fail, notifyRepaymentAllocation: fail };
    const options = { client, lender, loadFile: () => files.pdf };
    const { name, data, opts } = createJob(newJob(kind, 'R-1'));
    await failureOf({ name, data, opts }, options);
    await failureOf(again(kind), options);

    const signal = undefined;
    expect(told).toEqual([
      { signal, ...limits },
      { signal, mayHaveBeenSent: true, ...limits },
    ]);
  });
});

describe('what the queue keeps of an error', () => {
  test('has no words of another client, which may have a secret in them', async () => {
    const fail = () => Promise.reject(new TypeError('s3cret'));
    const error = await failureOf({}, { client: { initiatePayment: fail, uploadInvoice: fail } });

    expect(error.message).toMatch(/^unknown UNEXPECTED_ERROR: .*TypeError/);
    expect([error.message, error.stack].join()).not.toContain('s3cret');
  });

  test('has the name and the message for a stack, without the path of this module', async () => {
    const error = await failureOf({ extendLock: () => Promise.resolve(0) });

    expect(error.stack).toBe(`JobFailure: ${error.message}`);
    expect(Object.keys(error)).toEqual(['outcome', 'code']);
    expect(error).not.toHaveProperty('cause');
    for (const name of ['name', 'stack'])
      expect(Object.getOwnPropertyDescriptor(error, name)).toMatchObject({
        enumerable: false,
        configurable: true,
        writable: true,
      });
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
