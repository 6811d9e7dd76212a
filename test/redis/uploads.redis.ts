import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { Queue } from 'bullmq';
import { expect, test } from 'vitest';
import { createJob, jobOutcome } from '../../src/bullmq/index.js';
import { InstallmentClient } from '../../src/index.js';
import { createMockService } from '../../src/mock/index.js';
import { bundled } from '../faults/bundle.js';
import { paymentRequest } from '../helpers/samples.js';
import { seed } from '../helpers/seed.js';
import { startRedis } from './redis-server.js';
import { seededRandom } from './seeded-random.js';
import { serveSlowly } from './slow-service.js';

const uploads = 100;
const kills = 25;

test(
  'an upload whose worker was killed is not unknown for having its file read',
  { timeout: 120_000 },
  async () => {
    const random = seededRandom(seed);
    const startedMs = Date.now();
    await using redis = await startRedis();
    await using program = await bundled('upload-worker', new URL('children/', import.meta.url));
    const mock = createMockService({ uploads: 'any', journalLimit: 5_000 });
    // As long as a service may take that stores a file.
    await using service = await serveSlowly(mock, () => 50 + 200 * random());
    const client = new InstallmentClient(mock.clientOptions());
    const queue = new Queue('uploads', { connection: { host: '127.0.0.1', port: redis.port } });
    const references = Array.from({ length: uploads }, (_, index) => `ORDER-${String(index)}`);
    for (const referenceId of references) {
      await client.initiatePayment(paymentRequest({ referenceId }));
      const busy = { httpStatus: 429, body: {}, headers: { 'Retry-After': '1' } };
      if (random() < 0.2) mock.respondWith('uploadInvoice', busy, { referenceId });
    }
    await queue.addBulk(
      references.map((referenceId) => {
        const { name, data, opts } = createJob({
          operation: 'uploadInvoice',
          request: { referenceId },
          file: referenceId,
        });
        return { name, data, opts: { ...opts, backoff: { ...opts.backoff, delay: 50 } } };
      }),
    );

    const environment = { REDIS_PORT: String(redis.port), SERVICE_URL: service.url };
    let killed = 0;
    const lastPhase = new Map<string, string>();
    const done = new AbortController();
    const isDone = () => done.signal.aborted;
    const keepAlive = async () => {
      while (!isDone()) {
        const child = program.start(environment);
        const ended = once(child, 'exit');
        const reported: string[] = [];
        child.stdout?.setEncoding('utf8').on('data', (text: string) => {
          reported.push(...text.split('\n').filter(Boolean));
        });
        while (reported.length === 0 && !isDone()) await wait(10);
        const isKilled = killed < kills;
        if (isKilled) killed += 1;
        const untilMs = isKilled ? Date.now() + 200 + 1_000 * random() : Infinity;
        while (Date.now() < untilMs && !isDone()) await wait(10);
        child.kill('SIGKILL');
        await ended;
        for (const line of reported) {
          const [phase = '', reference = ''] = line.split(' ');
          lastPhase.set(reference, phase);
        }
      }
    };
    const working = Promise.all([keepAlive(), keepAlive()]);
    while ((await queue.getJobCountByTypes('completed', 'failed')) < uploads) await wait(50);
    done.abort();
    await working;

    const reached = new Set(service.arrived);
    const jobs = await queue.getJobs(['completed', 'failed']);
    await queue.close();
    const unknown = jobs
      .filter((job) => jobOutcome(job) === 'unknown')
      .map(({ data }) => (data as { file: string }).file);
    const neverReached = unknown.filter((reference) => !reached.has(reference));
    const stored = mock.invoices.all().map(({ referenceId }) => referenceId);
    const seconds = (Date.now() - startedMs) / 1000;
    console.log(
      JSON.stringify({ seed, killed, seconds, unknown: unknown.length, neverReached: neverReached.length }),
    );

    // On a quick machine the uploads are done before the last kill.
    expect(killed).toBeGreaterThanOrEqual(10);
    expect(new Set(stored).size).toBe(stored.length);
    expect(jobs.filter((job) => jobOutcome(job) === 'accepted').length).toBe(uploads - unknown.length);
    // However slow the machine is. The rest of those that never arrived had their request on the way.
    expect(neverReached.filter((reference) => lastPhase.get(reference) === 'reading')).toEqual([]);
  },
);
