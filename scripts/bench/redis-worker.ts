/** A worker whose speed is measured: it starts when it is told to, and ends when the queue is drained. */
import { once } from 'node:events';
import { Worker } from 'bullmq';
import { createProcessor, workerOptions } from '../../src/bullmq/index.js';
import { InstallmentClient } from '../../src/index.js';
import { demo } from '../../test/helpers/samples.js';

const { REDIS_PORT, SERVICE_URL: baseUrl, QUEUE = '', PROCESSOR } = process.env;

const processor =
  PROCESSOR === 'empty'
    ? () => Promise.resolve({})
    : createProcessor({ client: new InstallmentClient({ ...demo, baseUrl }) });
const worker = new Worker(QUEUE, processor, {
  connection: { host: '127.0.0.1', port: Number(REDIS_PORT) },
  ...workerOptions,
  concurrency: 50,
  autorun: false,
});
worker.on('error', console.error);
await worker.waitUntilReady();
process.stdout.write('ready\n');
await once(process.stdin, 'data');
const drained = once(worker, 'drained');
void worker.run();
await drained;
await worker.close();
process.exit();
