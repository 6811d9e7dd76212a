import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createJob, jobOutcome } from '../../src/bullmq/index.js';
import { InstallmentClient } from '../../src/index.js';
import { createMockService } from '../../src/mock/index.js';
import { bundled } from '../faults/bundle.js';
import { paymentRequest } from '../helpers/samples.js';
import { seed } from '../helpers/seed.js';
import { versions } from './bullmq-versions.js';
import { startRedis } from './redis-server.js';
import { seededRandom } from './seeded-random.js';
import { serveSlowly } from './slow-service.js';

// KILL_SCALE=4 npm run test:redis -- uploads
const scale = Number(process.env['KILL_SCALE'] ?? 1);
const workers = 2;
const sizes = [
  { leastUploads: 100 * scale, kills: 25 * scale },
  { leastUploads: 40 * scale, kills: 10 * scale },
];

test.each(versions.map((version, index) => ({ ...version, ...sizes[index] })))(
  'an upload is not unknown because its worker was killed while it read the file: $version',
  { timeout: 120_000 },
  async ({ version, bullmq: { Queue }, alias, leastUploads = 0, kills = 0 }) => {
    const random = seededRandom(seed);
    const startedMs = Date.now();
    await using redis = await startRedis();
    await using program = await bundled('upload-worker', new URL('children/', import.meta.url), alias);
    const mock = createMockService({ uploads: 'any', journalLimit: 5_000 });
    // As long as a service may take that stores a file.
    await using service = await serveSlowly(mock, () => 50 + 200 * random());
    const client = new InstallmentClient(mock.clientOptions());
    const queue = new Queue('uploads', { connection: { host: '127.0.0.1', port: redis.port } });

    const references: string[] = [];
    const busy = new Set<string>();
    const add = async () => {
      const referenceId = `ORDER-${String(references.length)}`;
      references.push(referenceId);
      await client.initiatePayment(paymentRequest({ referenceId }));
      if (random() < 0.2) {
        busy.add(referenceId);
        const answer = { httpStatus: 429, body: {}, headers: { 'Retry-After': '1' } };
        mock.respondWith('uploadInvoice', answer, { referenceId });
      }
      const request = { referenceId };
      const { name, data, opts } = createJob({ operation: 'uploadInvoice', request, file: referenceId });
      await queue.add(name, data, { ...opts, backoff: { ...opts.backoff, delay: 50 } });
    };

    let killed = 0;
    const lastPhase = new Map<string, string>();
    const done = new AbortController();
    const isDone = () => done.signal.aborted;
    const environment = { REDIS_PORT: String(redis.port), SERVICE_URL: service.url };
    const keepAlive = async () => {
      while (!isDone()) {
        const child = program.start(environment);
        const ended = once(child, 'exit');
        let files = 0;
        child.stdout?.setEncoding('utf8').on('data', (text: string) => {
          for (const line of text.split('\n').filter(Boolean)) {
            const [phase = '', reference = ''] = line.split(' ');
            lastPhase.set(reference, phase);
            if (phase === 'reading') files += 1;
          }
        });
        // By its work, and not by time: a slow machine kills as often as a quick one.
        const filesUntilKill = killed < kills ? 3 + 6 * random() : Infinity;
        while (files < filesUntilKill && !isDone()) await wait(10);
        if (!isDone()) {
          killed += 1;
          await wait(300 * random());
        }
        child.kill('SIGKILL');
        await ended;
      }
    };
    const working = Promise.all(Array.from({ length: workers }, keepAlive));
    while (killed < kills || references.length < leastUploads) {
      if ((await queue.getWaitingCount()) < 10) await add();
      else await wait(20);
    }
    while ((await queue.getJobCountByTypes('completed', 'failed')) < references.length) await wait(50);
    done.abort();
    await working;

    const jobs = await queue.getJobs(['completed', 'failed']);
    await queue.close();
    const unknown = jobs
      .filter((job) => jobOutcome(job) === 'unknown')
      .map(({ data }) => (data as { file: string }).file);
    const arrivals = (reference: string) => service.arrived.filter((each) => each === reference).length;
    // A request that was refused for now does not count: another one followed.
    const neverReached = unknown.filter((each) => arrivals(each) === (busy.has(each) ? 1 : 0));
    const stored = mock.invoices.all().map(({ referenceId }) => referenceId);
    const seconds = (Date.now() - startedMs) / 1000;
    const counts = { uploads: references.length, unknown: unknown.length, neverReached: neverReached.length };
    console.log(JSON.stringify({ version, seed, killed, seconds, ...counts }));

    expect(killed).toBeGreaterThanOrEqual(kills);
    expect(new Set(stored).size).toBe(stored.length);
    expect(jobs.filter((job) => jobOutcome(job) === 'accepted').length).toBe(
      references.length - unknown.length,
    );
    // However slow the machine is. The rest of those that never arrived had their request on the way.
    expect(neverReached.filter((reference) => lastPhase.get(reference) === 'reading')).toEqual([]);
    // Half of them, or of the kills, with room for chance. With the marker written before the file is read it was three
    // quarters of more than twice as many.
    expect(neverReached.length).toBeLessThanOrEqual(Math.min(unknown.length, killed) / 2 + 3);
  },
);
