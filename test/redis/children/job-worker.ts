/** A worker that is killed in the midst of its jobs. It writes a line for each that it takes. */
import { setTimeout as wait } from 'node:timers/promises';
import { Worker } from 'bullmq';
import { createProcessor, workerOptions } from '../../../src/bullmq/index.js';
import { InstallmentClient } from '../../../src/index.js';
import { LenderClient } from '../../../src/lender/index.js';
import { demo, files } from '../../helpers/samples.js';

const { REDIS_PORT, SERVICE_URL: baseUrl, LOCK_MS, BLOCKED_MS = '0' } = process.env;
const limits = { attemptTimeoutMs: 600, totalTimeoutMs: 5_000, maxRetries: 1 };

function blockEventLoop(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

const processor = createProcessor({
  client: new InstallmentClient({ ...demo, baseUrl, ...limits }),
  lender: new LenderClient({ baseUrl, lenderCode: 'LENDER-01', serviceApplicationId: 'APP-01', ...limits }),
  loadFile: async () => {
    // As long as an object storage may take.
    await wait(300 * Math.random());
    // Now and then for longer than the lock lasts, so that the job goes to another worker meanwhile.
    if (Math.random() < 0.01) blockEventLoop(Number(BLOCKED_MS));
    return files.pdf;
  },
});

const worker = new Worker('payments', processor, {
  connection: { host: '127.0.0.1', port: Number(REDIS_PORT) },
  ...workerOptions,
  concurrency: 10,
  lockDuration: Number(LOCK_MS),
  stalledInterval: 500,
  runRetryDelay: 500,
});
// A lost lock is reported here; the job says what became of it.
worker.on('error', () => undefined);
worker.on('active', () => process.stdout.write('job\n'));
