/** A worker that ends as the guide says when it gets SIGTERM. It writes a line for each job that it takes. */
import { Worker } from 'bullmq';
import { drain } from '../../../examples/bullmq/drain.js';
import { createProcessor, workerOptions } from '../../../src/bullmq/index.js';
import { InstallmentClient } from '../../../src/index.js';
import { demo, files } from '../../helpers/samples.js';

const { REDIS_PORT, SERVICE_URL: baseUrl, TOTAL_TIMEOUT_MS } = process.env;

const client = new InstallmentClient({ ...demo, baseUrl, totalTimeoutMs: Number(TOTAL_TIMEOUT_MS) });
const processor = createProcessor({ client, loadFile: () => files.pdf });
const worker = new Worker('payments', processor, {
  connection: { host: '127.0.0.1', port: Number(REDIS_PORT) },
  ...workerOptions,
  concurrency: 50,
});
worker.on('error', () => undefined);
worker.on('active', () => process.stdout.write('job\n'));

// BullMQ before 5.64 cannot cancel: the time limit of the client ends every call within the grace.
const end = () => ('cancelAllJobs' in worker ? drain(worker) : (worker as Worker).close());
process.once('SIGTERM', () => void end());
