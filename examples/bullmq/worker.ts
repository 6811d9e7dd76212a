/** A worker. Start as many as you like, on as many machines; each may be killed at any time. */
import { Worker } from 'bullmq';
import { InstallmentClient } from 'installment-payments';
import { createProcessor, workerOptions } from 'installment-payments/bullmq';
import { connection, queueName } from './queue.js';

const processor = createProcessor({
  client: new InstallmentClient(), // from the environment
  loadFile: (file) => ({ path: `examples/${String(file)}` }), // your object storage
});

const worker = new Worker(queueName, processor, { connection, ...workerOptions, concurrency: 10 });
worker.on('error', console.error);
worker.on('completed', ({ id }) => {
  console.log(`worker ${String(process.pid)} completed ${String(id)}`);
});

// Jobs that are under way are finished first. A worker that is killed instead leaves them to the others.
process.once('SIGTERM', () => void worker.close());
