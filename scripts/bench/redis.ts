/**
 * Payments through BullMQ, beside BullMQ with a processor that does nothing: jobs a second, with one and two workers.
 *
 *   npm run bench:redis
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { Queue } from 'bullmq';
import { createJob } from '../../src/bullmq/index.js';
import { bundled } from '../../test/faults/bundle.js';
import { approvedPayment, paymentRequest } from '../../test/helpers/samples.js';
import { startRedis } from '../../test/redis/redis-server.js';

const jobs = 2_000;
const rounds = 5;
const contenders = ['empty', 'payments'] as const;
const workerCounts = [1, 2] as const;

/** Answers at once, so that the time is spent in the worker. */
const service = createServer((request, response) => {
  void json(request).then((order) => {
    const { referenceId } = order as { referenceId: string };
    response.end(JSON.stringify(approvedPayment({ referenceId })));
  });
});
service.listen(0, '127.0.0.1');
await once(service, 'listening');
const { port } = service.address() as AddressInfo;

await using redis = await startRedis();
await using program = await bundled('redis-worker', new URL('./', import.meta.url));
const connection = { host: '127.0.0.1', port: redis.port };

/** Jobs a second, from the moment that the workers are told to start until the last one has drained the queue. */
async function measure(contender: string, workers: number): Promise<number> {
  const name = `bench-${contender}`;
  const queue = new Queue(name, { connection });
  await queue.addBulk(
    Array.from({ length: jobs }, (_, index) =>
      createJob({
        operation: 'initiatePayment',
        request: paymentRequest({ referenceId: `ORDER-${String(index)}` }),
      }),
    ),
  );
  const environment = {
    REDIS_PORT: String(redis.port),
    SERVICE_URL: `http://127.0.0.1:${String(port)}`,
    QUEUE: name,
    PROCESSOR: contender,
  };
  const children = Array.from({ length: workers }, () => program.start(environment));
  for (const { stdout } of children) if (stdout) await once(stdout, 'data');
  const startedMs = performance.now();
  const ended = children.map((child) => once(child, 'exit'));
  for (const child of children) child.stdin?.write('go\n');
  await Promise.all(ended);
  const seconds = (performance.now() - startedMs) / 1000;
  if ((await queue.getCompletedCount()) !== jobs)
    throw new Error(`${contender}: not every job was completed`);
  await queue.obliterate({ force: true });
  await queue.close();
  return jobs / seconds;
}

const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

const measured = new Map<string, number[]>();
for (let round = 0; round < rounds; round += 1) {
  for (const workers of workerCounts) {
    for (const contender of contenders) {
      const key = `${contender} ${String(workers)}`;
      measured.set(key, [...(measured.get(key) ?? []), await measure(contender, workers)]);
    }
  }
}
for (const workers of workerCounts) {
  const [empty = NaN, payments = NaN] = contenders.map((name) =>
    median(measured.get(`${name} ${String(workers)}`) ?? []),
  );
  console.log(
    `${String(workers)} worker(s): ${payments.toFixed(0)} payments/s, ${empty.toFixed(0)} empty jobs/s, ` +
      `ratio ${(payments / empty).toFixed(2)}`,
  );
}
service.close();
