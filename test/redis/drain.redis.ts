import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { enqueue, jobOutcome, type NewJob } from '../../src/bullmq/index.js';
import { InstallmentClient } from '../../src/index.js';
import { createMockService } from '../../src/mock/index.js';
import { paymentRequest } from '../helpers/samples.js';
import { versions } from './bullmq-versions.js';
import { childProgram } from './fleet.js';
import { startRedis } from './redis-server.js';
import { serveSlowly } from './slow-service.js';

const each = 10;

const limits = [
  { by: 'by cancelling what waits', totalTimeoutMs: 45_000 },
  { by: 'by a time limit of the client', totalTimeoutMs: 8_000 },
] as const;
const cases = versions.flatMap((version, index) =>
  limits.slice(index, index + 1).map((limit) => ({ ...version, ...limit })),
);

test.each(cases)(
  'a worker ends within 10 s of SIGTERM, and leaves nothing unknown: $version, $by',
  async ({ bullmq: { Queue }, alias, totalTimeoutMs }) => {
    await using redis = await startRedis();
    await using program = await childProgram('drained-worker', alias);
    const mock = createMockService({ uploads: 'any' });
    await using service = await serveSlowly(mock, (reference) =>
      reference.startsWith('WAITING') ? 0 : 2_000,
    );
    const client = new InstallmentClient(mock.clientOptions());
    const queue = new Queue('payments', { connection: { host: '127.0.0.1', port: redis.port } });
    const payment = (referenceId: string): NewJob => ({
      operation: 'initiatePayment',
      request: paymentRequest({ referenceId }),
    });

    // Uploads and payments that are answered after 2 s, and payments that the client would repeat after 25 s.
    const under = { uploads: new Set<string>(), payments: new Set<string>(), waits: new Set<string>() };
    for (let index = 0; index < each; index += 1) {
      const [invoice, paid, waiting] = ['INVOICE', 'PAID', 'WAITING'].map(
        (name) => `${name}-${String(index)}`,
      );
      if (invoice === undefined || paid === undefined || waiting === undefined) continue;
      await client.initiatePayment(paymentRequest({ referenceId: invoice }));
      mock.injectFault('uploadInvoice', { delayMs: 2_000 }, { referenceId: invoice });
      mock.injectFault('initiatePayment', { delayMs: 2_000 }, { referenceId: paid });
      const busy = { httpStatus: 429, body: {}, headers: { 'Retry-After': '25' } };
      mock.respondWith('initiatePayment', busy, { referenceId: waiting });
      const upload: NewJob = { operation: 'uploadInvoice', request: { referenceId: invoice }, file: 'a.pdf' };
      under.uploads.add((await enqueue(queue, upload)).id);
      under.payments.add((await enqueue(queue, payment(paid))).id);
      under.waits.add((await enqueue(queue, payment(waiting))).id);
    }
    const worker = program.start({
      REDIS_PORT: String(redis.port),
      SERVICE_URL: service.url,
      TOTAL_TIMEOUT_MS: String(totalTimeoutMs),
    });
    const ended = once(worker, 'exit');
    // Each request has arrived, and the refused ones wait.
    while (service.arrived.length < 3 * each) await wait(20);
    const startedMs = Date.now();
    worker.kill('SIGTERM');
    const [code] = (await ended) as [number | null];
    const seconds = (Date.now() - startedMs) / 1000;

    const jobs = await queue.getJobs(['completed', 'failed', 'delayed', 'wait', 'active']);
    const endOf = (ids: ReadonlySet<string>) => {
      const own = jobs.filter(({ id }) => ids.has(id ?? ''));
      return [
        ...new Set(own.map((job) => `${jobOutcome(job)} ${job.failedReason || ''}`.split(':')[0]?.trim())),
      ];
    };
    const found = {
      uploads: endOf(under.uploads),
      payments: endOf(under.payments),
      waits: endOf(under.waits),
    };
    await queue.close();
    console.log(JSON.stringify({ seconds, ...found }));
    expect(code).toBe(0);
    expect(seconds).toBeLessThan(10);
    expect(found).toEqual({
      uploads: ['accepted'],
      payments: ['accepted'],
      waits: [expect.stringMatching(/^pending rejected (?:ABORTED|UNEXPECTED_RESPONSE)$/) as unknown],
    });
    expect(jobs.filter(({ id }) => under.waits.has(id ?? '')).length).toBe(each);
  },
);
