import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import {
  createJob,
  createProcessor,
  jobOutcome,
  workerOptions,
  type ProcessorOptions,
} from '../../src/bullmq/index.js';
import type { ProcessedJob } from '../../src/bullmq/job-store.js';
import { backoffWith } from '../../src/bullmq/worker-options.js';
import { ConfigurationError } from '../../src/index.js';
import { createMockService, samplePaymentRequest } from '../../src/mock/index.js';
import { demoClient, files, rejection, thrownBy } from '../helpers/samples.js';
import { scriptedFetch, unreachable } from '../helpers/scripted-fetch.js';

const order = createJob({ operation: 'initiatePayment', request: samplePaymentRequest() });
const invoice = createJob({ operation: 'uploadInvoice', request: { referenceId: 'ORDER-1' }, file: 'a.pdf' });

type Changes = Partial<ProcessedJob> & { readonly queue?: object };

/** A job that a worker was handed, and what the processor did to it. */
function handed(changes: Changes = {}) {
  const calls: string[] = [];
  const job: ProcessedJob = {
    id: order.id,
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
      return Promise.resolve(token === '' ? 0 : 1);
    },
    ...changes,
  };
  return { job, calls };
}

async function failureOf(
  changes: Changes,
  options: Partial<ProcessorOptions> = {},
  token: string | null = 'token',
): Promise<Error> {
  const client = demoClient({ fetch: unreachable().fetch });
  const process = createProcessor({ client, loadFile: () => files.pdf, ...options });
  return (await rejection(process(handed(changes).job, token ?? undefined))) as Error;
}

const unrecoverable = { name: 'UnrecoverableError' };
const perhapsSent = { ...unrecoverable, outcome: 'unknown', code: 'MAY_HAVE_BEEN_SENT' };
const misconfigured = { ...unrecoverable, outcome: 'not_sent', code: 'CONFIGURATION' };

describe('right before it sends', () => {
  test('the processor writes its marker and confirms the lock for as long as the worker does, then keeps the answer', async () => {
    const mock = createMockService();
    const process = createProcessor({ client: demoClient(mock.clientOptions()) });
    const short = handed({ queue: { opts: { ...workerOptions, lockDuration: 1234 } } });
    const unreadable = handed();
    await process(short.job, 'T');
    await process(unreadable.job, 'T');

    expect(short.calls).toEqual(['progress unknown', 'extendLock T 1234', 'progress accepted']);
    expect(unreadable.calls[1]).toBe('extendLock T 30000');
  });

  test('the processor asks for its lock once its marker is stored, and sends nothing before both are answered', async () => {
    const { fetch, requests } = unreachable();
    const asked: string[] = [];
    const answers: ((answer: number) => void)[] = [];
    const asking = (what: string) => {
      asked.push(what);
      return new Promise<number>((resolve) => answers.push(resolve));
    };
    const { job } = handed({ updateProgress: () => asking('marker'), extendLock: () => asking('lock') });
    const run = rejection(createProcessor({ client: demoClient({ fetch, maxRetries: 0 }) })(job, 'T'));
    await expect.poll(() => asked).toEqual(['marker']);
    await nextTurn();
    expect(asked).toEqual(['marker']);

    answers[0]?.(1);
    await expect.poll(() => asked).toEqual(['marker', 'lock']);
    await nextTurn();
    expect(requests).toEqual([]);

    answers[1]?.(1);
    await run;
    expect(requests).toHaveLength(1);
  });

  test('the processor owns the job until the lock ends, counted from before it asked for it', async () => {
    const handedOver: Date[] = [];
    const initiatePayment = (_: unknown, { sendBefore }: { sendBefore?: Date | undefined } = {}) => {
      if (sendBefore) handedOver.push(sendBefore);
      return Promise.reject(new Error());
    };
    const client = { initiatePayment, uploadInvoice: initiatePayment };
    let askedMs = 0;
    const extendLock = () => {
      askedMs = Date.now();
      return new Promise<number>((resolve) => setTimeout(resolve, 50, 1));
    };
    const startedMs = Date.now();
    await failureOf({ extendLock }, { client });

    expect(handedOver).toHaveLength(1);
    expect(handedOver[0]?.getTime()).toBeGreaterThanOrEqual(startedMs + 30_000);
    expect(handedOver[0]?.getTime()).toBeLessThanOrEqual(askedMs + 30_000);
  });

  const closed = () => Promise.reject(new Error('Connection is closed.'));
  test.each<[string, Changes, string | null]>([
    ['the lock is lost', { extendLock: () => Promise.resolve(0) }, 'T'],
    ['there is no token', {}, null],
    ['the lock cannot be confirmed', { extendLock: closed }, 'T'],
    ['the marker cannot be written', { updateProgress: closed }, 'T'],
  ])('nothing is sent when %s', async (_, changes, token) => {
    const { fetch, requests } = unreachable();
    const error = await failureOf(changes, { client: demoClient({ fetch }) }, token);

    expect(requests).toEqual([]);
    expect(error).toMatchObject({ name: 'JobFailure', code: 'LOCK_LOST', outcome: 'not_sent' });
  });
});

describe('an upload', () => {
  test.each([undefined, null, 0])('whose progress is %o has had no run', async (progress) => {
    expect(await failureOf({ ...invoice, progress })).toMatchObject({ code: 'CONNECTION' });
  });

  test.each<[string, unknown]>([
    ['a number', 50],
    ['an object of another make', { percent: 50 }],
    ['progress of a job that was removed', { added: 0, run: 1, outcome: 'rejected' }],
    ['an accepted end without an answer', { added: 1, run: 1, outcome: 'accepted' }],
  ])('whose progress is not the processor’s was perhaps sent: %s', async (_, progress) => {
    expect(await failureOf({ ...invoice, progress })).toMatchObject(perhapsSent);
  });

  test.each([
    ['UnrecoverableError: unknown TIMEOUT: …', 'MAY_HAVE_BEEN_SENT'],
    ['JobFailure: rejected UNEXPECTED_RESPONSE: …', 'MAY_HAVE_BEEN_SENT'],
    ['JobFailure: not_sent LOCK_LOST: …', 'CONNECTION'],
    ['Error: of code around the processor', 'CONNECTION'],
  ])('whose progress was erased was perhaps sent if a run says so: %s', async (trace, code) => {
    expect(await failureOf({ ...invoice, progress: 0, stacktrace: [trace] })).toMatchObject({ code });
    const asInSandbox = JSON.stringify([trace]);
    expect(await failureOf({ ...invoice, progress: 0, stacktrace: asInSandbox })).toMatchObject({ code });
  });

  test.each([true, 0, { count: 0 }])(
    'an upload that would be removed when it fails is not sent: %o',
    async (removeOnFail) => {
      const { fetch, requests } = unreachable();
      const client = demoClient({ fetch });
      const opts = { ...invoice.opts, removeOnFail };
      const ofWorker = {
        queue: { opts: { ...workerOptions, removeOnFail } },
        opts: { ...opts, removeOnFail: undefined },
      };

      expect(await failureOf({ ...invoice, opts }, { client })).toMatchObject({
        ...misconfigured,
        message: expect.stringMatching(/removeOnFail.* uploadInvoice may have been sent/) as unknown,
      });
      expect(await failureOf({ ...invoice, ...ofWorker }, { client })).toMatchObject(misconfigured);
      expect(requests).toEqual([]);
      await failureOf(
        { opts: { ...order.opts, removeOnFail } },
        { client: demoClient({ fetch, maxRetries: 0 }) },
      );
      expect(requests).toHaveLength(1);
    },
  );
});

describe('a certain outcome that a run which was overtaken may have written late', () => {
  const progress = { added: 1, run: 1, outcome: 'rejected' };
  const outcomeOf = async (attemptsStarted: number, job: Changes) => {
    const { fetch, requests } = scriptedFetch(() =>
      Response.json({ resultStatus: 'INVALID_REQUEST', resultMsg: 'no' }),
    );
    const { message } = await failureOf(
      { ...job, progress, attemptsStarted },
      { client: demoClient({ fetch }) },
    );
    return { outcome: message.split(' ')[0], sent: requests.length };
  };

  test('counts for a payment only if no other run was between: it may have replaced a marker', async () => {
    expect(await outcomeOf(2, {})).toEqual({ outcome: 'rejected', sent: 1 });
    expect(await outcomeOf(3, {})).toEqual({ outcome: 'unknown', sent: 1 });
  });

  test('counts for an upload: no run sends while a marker stands', async () => {
    expect(await outcomeOf(3, invoice)).toEqual({ outcome: 'rejected', sent: 1 });
  });

  test('counts whichever run wrote it if it is the answer: the job returns it and sends nothing', async () => {
    const { fetch, requests } = unreachable();
    const answer = { result: { resultStatus: 'APPROVED' }, metadata: {} };
    const { job } = handed({ attemptsStarted: 3, progress: { ...progress, outcome: 'accepted', answer } });

    expect(await createProcessor({ client: demoClient({ fetch }) })(job, 'T')).toEqual(answer);
    expect(requests).toEqual([]);
  });
});

describe('replicas', () => {
  interface Replicated {
    readonly reached?: () => Promise<number>;
    readonly reconnects?: boolean;
    readonly replicas?: number;
    readonly changes?: Changes;
    readonly queueWith?: (connection: object) => object;
  }

  /** A job, by default an upload, whose queue writes over a client with replicas, and what was done to it. */
  async function run({
    reached = () => Promise.resolve(1),
    reconnects = false,
    replicas = 1,
    changes = invoice,
    queueWith = (connection) => connection,
  }: Replicated) {
    const { fetch, requests } = unreachable();
    const asked: unknown[] = [];
    const client = {
      stream: {},
      wait: (replicas: number, limitMs: number) => {
        asked.push([replicas, limitMs]);
        if (reconnects) client.stream = {};
        return reached();
      },
    };
    const written: unknown[] = [];
    const failure = await failureOf(
      {
        queue: {
          ...queueWith({ client: Promise.resolve(client) }),
          opts: { ...workerOptions, lockDuration: 4_000 },
        },
        updateProgress: (progress) =>
          Promise.resolve(written.push((progress as { outcome: string }).outcome)),
        ...changes,
      },
      { replicas, client: demoClient({ fetch, maxRetries: 0 }) },
    );
    return { failure, asked, written, sent: requests.length };
  }

  test.each<[string, Replicated]>([
    ['the queue', {}],
    ['its backend', { queueWith: (backend) => ({ backend }) }],
  ])('have the marker before its request is sent, counted over the client of %s', async (_, given) => {
    const { failure, asked, sent } = await run(given);

    expect(asked).toEqual([[1, 1_000]]);
    expect(sent).toBe(1);
    expect(failure).toMatchObject({ code: 'CONNECTION' });
  });

  const none = () => Promise.resolve(0);
  test.each<[string, Replicated, string]>([
    ['do not have the marker in time', { reached: none }, '1 replica of'],
    ['are too few', { replicas: 2 }, '2 replicas of'],
    ['cannot be counted', { reached: () => Promise.reject(new Error('NOPERM')) }, '1 replica of'],
  ])('replicas that %s: nothing is sent, the marker goes, the job is retried', async (_, given, replicas) => {
    const { failure, written, sent } = await run(given);

    expect({ written, sent }).toEqual({ written: ['unknown', 'not_sent'], sent: 0 });
    expect(failure).toMatchObject({ name: 'JobFailure', outcome: 'not_sent' });
    expect(failure.message).toBe(
      `not_sent NOT_REPLICATED: the marker is not on ${replicas} Redis. Nothing was sent.`,
    );
  });

  test.each<[string, Changes]>([
    ['was perhaps sent', { progress: { added: 1, run: 0, outcome: 'unknown' } }],
    ['has progress of another make', { progress: 50 }],
    ['has progress of a job that was removed', { progress: { added: 0, run: 0, outcome: 'rejected' } }],
    ['has no progress any more', { stacktrace: ['JobFailure: unknown TIMEOUT: …'] }],
  ])('replicas that are missing leave the marker of a payment that %s', async (_, changes) => {
    const { failure, written } = await run({ reached: none, changes });

    expect(written).toEqual(['unknown']);
    expect(failure).toMatchObject({ code: 'NOT_REPLICATED', outcome: 'unknown' });
  });

  test('replicas are not asked for by a run that has lost its lock: its marker stays', async () => {
    const changes = { extendLock: () => Promise.resolve(0) };
    const { failure, ...done } = await run({ reached: none, changes });

    expect(done).toEqual({ asked: [], written: ['unknown'], sent: 0 });
    expect(failure).toMatchObject({ code: 'LOCK_LOST' });
  });

  test('counted over another connection than the one that wrote: nothing is sent, and nothing is written there', async () => {
    const { failure, written, sent } = await run({ reconnects: true });

    expect({ written, sent }).toEqual({ written: ['unknown'], sent: 0 });
    expect(failure).toMatchObject({ name: 'JobFailure', code: 'NOT_REPLICATED' });
  });

  test('replicas that are missing leave what earlier runs ended with', async () => {
    const progress = { added: 1, run: 0, outcome: 'rejected' };
    const { failure, written } = await run({ reached: none, changes: { ...invoice, progress } });

    expect(written).toEqual(['unknown', 'rejected']);
    expect(failure).toMatchObject({ code: 'NOT_REPLICATED', outcome: 'rejected' });
  });

  test.each<[string, object]>([
    ['a client without WAIT', { stream: {} }],
    ['a client without its stream', { wait: () => Promise.resolve(1) }],
    ['a Cluster', { stream: {}, wait: () => Promise.resolve(1), isCluster: true }],
  ])('need a client that can count them: not %s', async (_, client) => {
    const queue = { backend: { client: Promise.resolve(client) }, opts: workerOptions };

    expect(await failureOf({ queue }, { replicas: 1 })).toMatchObject({
      ...misconfigured,
      message: expect.stringContaining('an ioredis client of one Redis, not of a Cluster') as unknown,
    });
  });

  test('are asked for over a connection that is there: without one nothing is sent, and the job is tried again', async () => {
    const closed = new Error('Connection is closed.');
    const get = () => Promise.reject(closed);
    const queue = Object.defineProperty({ opts: workerOptions }, 'client', { get });

    expect(await failureOf({ queue }, { replicas: 1 })).toMatchObject({
      name: 'JobFailure',
      code: 'LOCK_LOST',
      outcome: 'not_sent',
      cause: closed,
    });
  });
});

describe('a worker that is not set up', () => {
  test.each([{ lockDuration: 30_000 }, { settings: {} }])(
    'without workerOptions fails the job before it sends: BullMQ could not try it again (%o)',
    async (opts) => {
      const error = await failureOf({ queue: { opts } });

      expect(error).toMatchObject(misconfigured);
      expect(error.message).toContain('workerOptions');
    },
  );

  test('a sandboxed process fails the job with advice: there it has no lock to confirm', async () => {
    const error = await failureOf({
      ...invoice,
      extendLock: undefined as never,
      stacktrace: '[]',
    });

    expect(error).toMatchObject(misconfigured);
    expect(error.message).toMatch(/sandboxed.*new Worker\(name, createProcessor/);
  });

  test('needs no workerOptions for a job whose back-off is another', async () => {
    const opts = { ...order.opts, backoff: { type: 'exponential' } };

    expect(await failureOf({ queue: { opts: {} }, opts })).toMatchObject({ code: 'CONNECTION' });
  });

  test.each<[string, object]>([
    ['client', {}],
    ['replicas', { client: demoClient(), replicas: 0 }],
    ['replica', { client: demoClient(), replica: 1 }],
  ])('refuses its options by name: %s', (option, options) => {
    const error = thrownBy(() => createProcessor(options));

    expect(error).toBeInstanceOf(ConfigurationError);
    expect(error).toMatchObject({ option });
  });
});

test('the processor has three parameters: BullMQ passes a signal only to such a function', () => {
  expect(createProcessor({ client: demoClient() })).toHaveLength(3);
});

describe('a job that is tried again', () => {
  test('after a temporary refusal, is not ended by the name of its error', async () => {
    const throttled = () =>
      new Response('{}', { status: 429, headers: { 'Content-Length': '2', 'Retry-After': '7' } });
    const client = demoClient({ fetch: scriptedFetch(throttled).fetch });

    expect(await failureOf(invoice, { client })).toMatchObject({
      name: 'JobFailure',
      retryAfterMs: 7_000,
      message: expect.stringMatching(/^rejected UNEXPECTED_RESPONSE: /) as unknown,
    });
  });

  const { type } = order.opts.backoff;
  test('waits twice as long each time, up to 15 minutes, and by chance half of that', () => {
    const waits = (random: number) =>
      [1, 2, 3, 8, 9, 30].map((attempts) => backoffWith(() => random)(attempts, type, new Error()));

    expect(waits(1)).toEqual([5_000, 10_000, 20_000, 640_000, 900_000, 900_000]);
    expect(waits(0)).toEqual([2_500, 5_000, 10_000, 320_000, 450_000, 450_000]);
    expect(workerOptions.settings.backoffStrategy(1)).toBeGreaterThanOrEqual(2_500);
  });

  test('waits as long as the service asks for, up to a day, and by the delay of its own options', () => {
    const wait = (error?: object, delay: unknown = 100) =>
      backoffWith(() => 1)(1, type, error as Error, { opts: { backoff: { delay } } });

    expect(wait()).toBe(100);
    expect(wait(undefined, '100')).toBe(5_000);
    expect(wait({ retryAfterMs: 7_000 })).toBe(7_000);
    expect(wait({ retryAfterMs: Number.MAX_SAFE_INTEGER })).toBe(24 * 60 * 60_000);
  });

  test('has options by which BullMQ tries it 12 times, and keeps it', () => {
    expect(order.opts).toEqual({
      jobId: expect.stringMatching(/^initiatePayment\./) as unknown,
      attempts: 12,
      backoff: { type: 'installment-payments', delay: 5000 },
      removeOnComplete: { age: 7 * 24 * 60 * 60 },
      removeOnFail: false,
      stackTraceLimit: 3,
    });
    expect(workerOptions.maxStalledCount).toBe(100);
  });
});

describe('jobOutcome', () => {
  test.each([
    ['pending', { returnvalue: null }],
    ['pending', { returnvalue: null, failedReason: 'rejected X: y' }],
    ['accepted', { finishedOn: 1, returnvalue: { result: {} }, failedReason: 'unknown TIMEOUT: …' }],
    ['not_sent', { finishedOn: 1, returnvalue: null, failedReason: 'not_sent VALIDATION: y' }],
    ['rejected', { finishedOn: 1, returnvalue: null, failedReason: 'rejected INVALID_AMOUNT: y' }],
    ['unknown', { finishedOn: 1, returnvalue: null, failedReason: 'unknown TIMEOUT: y' }],
    ['unknown', { finishedOn: 1, returnvalue: null, failedReason: 'job stalled more than allowable limit' }],
    ['unknown', { finishedOn: 1, returnvalue: null }],
  ] as const)('is %s for %o', (outcome, job) => {
    expect(jobOutcome(job)).toBe(outcome);
  });
});
