/**
 * A worker whose files take a while to read, like files of an object storage. It writes a line when it begins to read a
 * file and when it has read it: `reading ORDER-1`, `read ORDER-1`.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { Worker } from 'bullmq';
import { createProcessor, workerOptions } from '../../../src/bullmq/index.js';
import { InstallmentClient } from '../../../src/index.js';
import { demo, files } from '../../helpers/samples.js';

const { REDIS_PORT, SERVICE_URL: baseUrl } = process.env;

async function* slowly(name: string): AsyncGenerator<Uint8Array> {
  process.stdout.write(`reading ${name}\n`);
  for (let start = 0; start < files.pdf.length; start += 5) {
    await wait(100 * Math.random());
    yield files.pdf.subarray(start, start + 5);
  }
  process.stdout.write(`read ${name}\n`);
}

const processor = createProcessor({
  client: new InstallmentClient({ ...demo, baseUrl }),
  loadFile: (file) => slowly(String(file)),
});
const worker = new Worker('uploads', processor, {
  connection: { host: '127.0.0.1', port: Number(REDIS_PORT) },
  ...workerOptions,
  concurrency: 5,
  lockDuration: 1_000,
  stalledInterval: 300,
});
worker.on('error', () => undefined);
