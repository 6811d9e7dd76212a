import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { InstallmentClient } from '../../src/index.js';
import { rehearse, samplePaymentRequest, type MockService } from '../../src/mock/index.js';
import { createJob, createSender, JobFailure, type JobHistory, type NewJob } from '../../src/queue/index.js';
import { expectClean } from '../examples/expect-clean.js';
import { files } from '../helpers/samples.js';

/** Runs a job to its end, as often as its options allow. Its waits are short, unless the service asked for one. */
async function run(mock: MockService, spec: NewJob): Promise<void> {
  const send = createSender({
    client: new InstallmentClient(mock.clientOptions()),
    loadFile: () => files.pdf,
  });
  const job = createJob(spec);
  let history: JobHistory | undefined;
  const store = (known: JobHistory) => Promise.resolve(Boolean((history = known)));
  for (let runs = 1; ; runs += 1) {
    try {
      await send(job, { history, mark: store, keep: store });
      return;
    } catch (error) {
      if (!(error instanceof JobFailure)) throw error;
      if (error.isFinal || runs === job.opts.attempts) return;
      await pause(Math.max(250, error.retryAfterMs ?? 0));
    }
  }
}

test(
  'A rehearsal finds no error of a queue that pays and uploads, in any world',
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
