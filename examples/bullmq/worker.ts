/** A worker. Start as many as you like, on as many machines; each may be killed at any time. */
import { Worker } from 'bullmq';
import { createProcessor, workerOptions } from 'installment-payments/bullmq';
import { drain } from './drain.js';
import { clientOf } from './merchants.js';
import { connection, queueName } from './queue.js';

const processor = createProcessor({
  client: clientOf,
  loadFile: (file) => ({ path: `examples/${String(file)}` }), // your object storage
});

const worker = new Worker(queueName, processor, { connection, ...workerOptions, concurrency: 10 });
worker.on('error', console.error);
worker.on('completed', ({ id }) => {
  console.log(`worker ${String(process.pid)} completed ${String(id)}`);
});

// A worker that is killed instead leaves its jobs to the others.
process.once('SIGTERM', () => void drain(worker));
