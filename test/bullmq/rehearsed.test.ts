import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createJob, createProcessor, type NewJob } from '../../src/bullmq/index.js';
import { InstallmentClient } from '../../src/index.js';
import { rehearse, samplePaymentRequest, type MockService } from '../../src/mock/index.js';
import { expectClean } from '../examples/expect-clean.js';
import { files } from '../helpers/samples.js';
import { FakeQueue } from './fake-queue.js';

/** Runs a job to its end. Its waits are short, unless the service asked for one. */
async function run(mock: MockService, spec: NewJob): Promise<void> {
  const queue = new FakeQueue(createJob(spec));
  const client = new InstallmentClient(mock.clientOptions());
  const processor = createProcessor({ client, loadFile: () => files.pdf });
  for (;;) {
    let retryAfterMs = 0;
    await queue.run((job, token) =>
      processor(job, token).catch((error: unknown) => {
        retryAfterMs = Number(Reflect.get(Object(error) as object, 'retryAfterMs') ?? 0);
        throw error;
      }),
    );
    if (queue.isFinished) return;
    await pause(Math.max(250, retryAfterMs));
  }
}

test(
  'a rehearsal finds no error in any world of a queue that pays and uploads',
  { timeout: 300_000 },
  async () => {
    const report = await rehearse(
      async ({ mock, world }) => {
        const referenceId = `${world}-1`;
        const request = samplePaymentRequest({ referenceId });
        await run(mock, { operation: 'initiatePayment', request });
        await expect.poll(() => mock.payments.all()[0]?.status, { timeout: 10_000 }).toBe('paid');
        await run(mock, { operation: 'uploadInvoice', request: { referenceId }, file: 'invoice.pdf' });
      },
      { settleMs: 200, customer: 'pays' },
    );
    expectClean(expect, report);
  },
);
