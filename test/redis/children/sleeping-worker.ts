/** A worker that writes `claimed` right before it sends, where it is stopped, and how its job ended once it has woken. */
import { Worker } from 'bullmq';
import { createProcessor, workerOptions } from '../../../src/bullmq/index.js';
import { files } from '../../helpers/samples.js';
import { sleepingClient } from './sleeping-client.js';

const { REDIS_PORT, SERVICE_URL: baseUrl, LOCK_MS } = process.env;

const client = sleepingClient({ baseUrl });
const send = createProcessor({ client, loadFile: () => files.pdf });
const worker = new Worker(
  'payments',
  async (job, token, signal) => {
    const ended = await send(job, token, signal).then(
      () => 'accepted',
      (error: unknown) => String(error),
    );
    process.stdout.write(`${ended}\n`);
    process.exit();
  },
  {
    connection: { host: '127.0.0.1', port: Number(REDIS_PORT) },
    ...workerOptions,
    lockDuration: Number(LOCK_MS),
    // Another worker takes the job.
    skipStalledCheck: true,
  },
);
worker.on('error', () => undefined);
