import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { Job, Queue, Worker, WorkerOptions } from 'bullmq';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  createJob,
  createProcessor,
  enqueue,
  jobOutcome,
  workerOptions,
  type NewJob,
  type ProcessorOptions,
} from '../../src/bullmq/index.js';
import { InstallmentClient, type Fetch } from '../../src/index.js';
import { createMockService, samplePaymentRequest } from '../../src/mock/index.js';
import { files } from '../helpers/samples.js';
import { versions } from './bullmq-versions.js';
import { childProgram } from './fleet.js';
import { startRedis, type RedisServer } from './redis-server.js';

let redis: RedisServer;
let connection: { host: string; port: number };
beforeAll(async () => {
  redis = await startRedis();
  connection = { host: '127.0.0.1', port: redis.port };
});
afterAll(() => redis[Symbol.asyncDispose]());

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const mock = createMockService({ uploads: 'any' });
let queues = 0;
let references = 0;

describe.each(versions)('$version,', ({ bullmq: { Queue, QueueEvents, Worker } }) => {
  /** A queue of its own, and a reference that the service does not know. */
  function newQueue(): { readonly queue: Queue; readonly reference: string } {
    const queue = new Queue(`payments-${String((queues += 1))}`, { connection });
    queue.on('error', () => undefined);
    closing.push(() => queue.close());
    return { queue, reference: `ORDER:${String((references += 1))}` };
  }

  const merchant = (fetch: Fetch = mock.fetch) =>
    new InstallmentClient({ ...mock.clientOptions(), fetch, maxRetries: 0 });

  function startWorker(
    { name }: Queue,
    {
      fetch,
      loadFile = () => files.pdf,
      ...options
    }: Partial<WorkerOptions> & Pick<ProcessorOptions, 'loadFile'> & { readonly fetch?: Fetch } = {},
  ): Worker {
    const processor = createProcessor({ client: merchant(fetch), loadFile });
    const worker = new Worker(name, processor, { connection, ...workerOptions, ...options });
    worker.on('error', () => undefined);
    closing.push(() => worker.close(true));
    return worker;
  }

  async function add(queue: Queue, job: NewJob): Promise<Job> {
    const { name, data, opts } = createJob(job);
    return queue.add(name, data, { ...opts, backoff: { ...opts.backoff, delay: 10 } });
  }

  /** The job as it is in the queue once it has ended. */
  async function ended(queue: Queue, id: string | undefined): Promise<Job> {
    for (;;) {
      const job = (await queue.getJob(id ?? '')) as Job | undefined;
      if (job && jobOutcome(job) !== 'pending') return job;
      await wait(20);
    }
  }

  const payment = (referenceId: string): NewJob => ({
    operation: 'initiatePayment',
    request: samplePaymentRequest({ referenceId }),
  });
  const upload = (referenceId: string): NewJob => ({
    operation: 'uploadInvoice',
    request: { referenceId },
    file: 'invoice.pdf',
  });

  /** A service that refuses the first requests, and takes the next ones. */
  function refusing(times: number, answer: () => Response): Fetch {
    let left = times;
    return (input, init) => ((left -= 1) >= 0 ? Promise.resolve(answer()) : mock.fetch(input, init));
  }

  const throttled = () => new Response('{}', { status: 429, headers: { 'Content-Length': '2' } });
  const refused = () => Response.json({ resultStatus: 'INVALID_REQUEST', resultMsg: 'no' });

  describe('a job in Redis', () => {
    test('is tried again after a temporary refusal, and returns the answer', async () => {
      const { queue, reference } = newQueue();
      startWorker(queue, { fetch: refusing(2, throttled) });
      const { id } = await add(queue, payment(reference));
      const job = await ended(queue, id);

      expect(jobOutcome(job)).toBe('accepted');
      expect(job.attemptsMade).toBe(3);
      expect(job.returnvalue).toMatchObject({
        result: { referenceId: reference, resultStatus: 'APPROVED' },
        metadata: { httpStatus: 200 },
      });
    });

    test('is one job, however often it is added, and another once the order is corrected', async () => {
      const { queue, reference } = newQueue();
      const first = await add(queue, payment(reference));
      const second = await add(queue, payment(reference));
      const corrected = await add(queue, {
        operation: 'initiatePayment',
        request: samplePaymentRequest({ referenceId: reference, description: 'corrected' }),
      });

      expect(second.id).toBe(first.id);
      expect(corrected.id).not.toBe(first.id);
      expect(await queue.getJobCountByTypes('wait')).toBe(2);
    });

    test('can be retried by hand after a certain refusal: what is settled stays so', async () => {
      const { queue, reference } = newQueue();
      await merchant().initiatePayment(samplePaymentRequest({ referenceId: reference }));
      startWorker(queue, { fetch: refusing(2, refused) });
      const { id } = await add(queue, upload(reference));
      const job = await ended(queue, id);
      expect(job.failedReason).toMatch(/^rejected INVALID_REQUEST: /);

      await job.retry('failed', { resetAttemptsMade: true, resetAttemptsStarted: true });
      expect((await ended(queue, id)).failedReason).toMatch(/^rejected INVALID_REQUEST: /);
      await queue.retryJobs({ state: 'failed' });
      expect(jobOutcome(await ended(queue, id))).toBe('accepted');
    });

    test('a job that may have been sent is not sent again, even if it is retried by hand', async () => {
      const { queue, reference } = newQueue();
      await merchant().initiatePayment(samplePaymentRequest({ referenceId: reference }));
      const lost: Fetch = async (input, init) => {
        await mock.fetch(input, init);
        throw new TypeError('fetch failed', { cause: Object.assign(new Error(), { code: 'ECONNRESET' }) });
      };
      startWorker(queue, { fetch: lost });
      const { id } = await add(queue, upload(reference));
      const job = await ended(queue, id);
      expect(job.failedReason).toMatch(/^unknown CONNECTION: /);

      await job.retry('failed');
      expect((await ended(queue, id)).failedReason).toMatch(/^unknown MAY_HAVE_BEEN_SENT: /);
      expect(mock.invoices.all().filter(({ referenceId }) => referenceId === reference)).toHaveLength(1);

      await (await ended(queue, id)).remove();
      expect((await add(queue, upload(reference))).id).toBe(id);
    });

    test('fails, and is not stuck, in a worker without workerOptions', async () => {
      const { queue, reference } = newQueue();
      startWorker(queue, { settings: {} });
      const { id } = await add(queue, payment(reference));

      expect((await ended(queue, id)).failedReason).toMatch(/^not_sent CONFIGURATION: .*workerOptions/);
    });

    test('a job that BullMQ fails by itself is unknown', async () => {
      const { queue, reference } = newQueue();
      const { id } = await add(queue, upload(reference));
      const forever = () => new Promise<never>(() => undefined);
      const hanging = { lockDuration: 100, skipLockRenewal: true, loadFile: forever };
      const taken = once(
        startWorker(queue, { ...hanging, stalledInterval: 150, maxStalledCount: 0 }),
        'active',
      );
      await taken;
      startWorker(queue, { stalledInterval: 150, maxStalledCount: 0 });
      const job = await ended(queue, id);

      expect(job.failedReason).toBe('job stalled more than allowable limit');
      expect(jobOutcome(job)).toBe('unknown');
    });
  });

  describe('enqueue', () => {
    test('tells the outcome of a job: BullMQ alone resolves in the same way, and runs nothing', async () => {
      const { queue, reference } = newQueue();
      const enqueued = () => enqueue(queue, payment(reference));
      expect(await enqueued()).toMatchObject({ state: 'added' });
      expect(await enqueued()).toMatchObject({ state: 'waiting' });
      await queue.pause();
      expect(await enqueued()).toMatchObject({ state: 'waiting' });
      await queue.resume();

      const worker = startWorker(queue, { fetch: refusing(1, refused) });
      const { id } = await enqueued();
      await ended(queue, id);
      expect(await enqueued()).toEqual({ id, state: 'failed' });
      expect(await queue.getJobCountByTypes('wait')).toBe(0);

      await (await ended(queue, id)).retry();
      expect(jobOutcome(await ended(queue, id))).toBe('accepted');
      expect(await enqueued()).toEqual({ id, state: 'completed' });
      await worker.close();
    });

    test('adds one job, however many processes do so at once', async () => {
      const { queue, reference } = newQueue();
      const all = await Promise.all(
        Array.from({ length: 20 }, () => enqueue(queue, { ...payment(reference), mayHaveBeenSent: true })),
      );

      expect(new Set(all.map(({ id }) => id)).size).toBe(1);
      expect(await queue.getJobCountByTypes('wait')).toBe(1);
    });
  });

  describe('an upload', () => {
    test('an upload that was refused for now many times is still known not to have been sent', async () => {
      const { queue, reference } = newQueue();
      await merchant().initiatePayment(samplePaymentRequest({ referenceId: reference }));
      startWorker(queue, { fetch: refusing(6, throttled) });
      const job = await ended(queue, (await add(queue, upload(reference))).id);

      expect(jobOutcome(job)).toBe('accepted');
      expect(job.attemptsMade).toBe(7);
    });

    test('an upload that a worker could not end, because Redis was away, is ended by the next run without sending', async () => {
      const { queue, reference } = newQueue();
      const references = Array.from({ length: 10 }, (_, index) => `${reference}-${String(index)}`);
      let arrived = 0;
      let outage: Promise<void> | undefined;
      for (const referenceId of references) {
        await merchant().initiatePayment(samplePaymentRequest({ referenceId }));
      }
      const whileRedisIsAway: Fetch = async (input, init) => {
        const answer = await mock.fetch(input, init);
        arrived += 1;
        if (arrived === references.length) outage = redis.restart(1_500);
        while (!outage) await wait(5);
        return answer;
      };
      const options = { lockDuration: 1_000, stalledInterval: 500 };
      startWorker(queue, { ...options, fetch: whileRedisIsAway, concurrency: references.length });
      const ids = await Promise.all(references.map(async (each) => (await add(queue, upload(each))).id));
      while (!outage) await wait(5);
      await outage;
      const jobs = await Promise.all(ids.map((id) => ended(queue, id)));

      expect(jobs.map(jobOutcome)).toEqual(references.map(() => 'accepted'));
      expect(arrived).toBe(references.length);
    });
  });

  test('a sandboxed processor sends nothing, and its failure has advice', async () => {
    const { queue, reference } = newQueue();
    const service = createMockService({ uploads: 'any' });
    await using server = await service.listen();
    await using program = await childProgram('sandboxed');
    process.env['SERVICE_URL'] = server.url;
    const worker = new Worker(queue.name, pathToFileURL(program.path), { connection, ...workerOptions });
    worker.on('error', () => undefined);
    closing.push(() => worker.close(true));
    const job = await ended(queue, (await add(queue, upload(reference))).id);
    delete process.env['SERVICE_URL'];

    expect(job.failedReason).toMatch(/^not_sent CONFIGURATION: .*new Worker\(name, createProcessor/);
    expect(job.attemptsMade).toBe(1);
    expect(service.journal.all()).toEqual([]);
  });

  describe('a lock', () => {
    test('is renewed for as long as its worker keeps it, longer or shorter than BullMQ’s default', async () => {
      const { queue, reference } = newQueue();
      const client = new Redis(redis.port);
      closing.push(() => client.quit());
      const left: number[] = [];
      const measured: Fetch = async (input, init) => {
        left.push(await client.pttl(queue.toKey(`${String((await queue.getActive())[0]?.id)}:lock`)));
        return mock.fetch(input, init);
      };
      const worker = startWorker(queue, { fetch: measured, lockDuration: 120_000 });
      await ended(queue, (await add(queue, payment(reference))).id);
      await worker.close();

      expect(left[0]).toBeGreaterThan(100_000);
      expect(left[0]).toBeLessThanOrEqual(120_000);
    });

    test('a lock that was lost while the file was loaded sends nothing: the worker that has the job does', async () => {
      const { queue, reference } = newQueue();
      await merchant().initiatePayment(samplePaymentRequest({ referenceId: reference }));
      const sentBy: string[] = [];
      const sending =
        (name: string): Fetch =>
        (input, init) => {
          sentBy.push(name);
          return mock.fetch(input, init);
        };
      let release: () => void = () => undefined;
      const released = new Promise<void>((resolve) => (release = resolve));
      const slow = startWorker(queue, {
        fetch: sending('slow'),
        lockDuration: 200,
        skipLockRenewal: true,
        skipStalledCheck: true,
        loadFile: async () => {
          await released;
          return files.pdf;
        },
      });
      const active = once(slow, 'active');
      const { id } = await add(queue, upload(reference));
      await active;
      startWorker(queue, { fetch: sending('quick'), stalledInterval: 150 });
      const job = await ended(queue, id);
      const lost = once(slow, 'error');
      release();
      await lost;

      expect(jobOutcome(job)).toBe('accepted');
      expect(sentBy).toEqual(['quick']);
    });
  });

  test('jobs outlive a restart of Redis', async () => {
    const { queue, reference } = newQueue();
    const events = new QueueEvents(queue.name, { connection });
    events.on('error', () => undefined);
    closing.push(() => events.close());
    const jobs = await Promise.all(
      Array.from({ length: 20 }, (_, index) => add(queue, payment(`${reference}-${String(index)}`))),
    );
    // The log is written to disk once a second.
    await wait(1_200);
    startWorker(queue, { concurrency: 2, stalledInterval: 500, lockDuration: 1_000 });
    await ended(queue, jobs[3]?.id);
    await redis.restart();

    for (const { id } of jobs) expect(jobOutcome(await ended(queue, id))).toBe('accepted');
    const made = mock.payments.all().filter(({ referenceId }) => referenceId.startsWith(`${reference}-`));
    expect(made).toHaveLength(20);
  });
});
