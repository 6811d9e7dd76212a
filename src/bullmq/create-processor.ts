import * as z from 'zod/mini';
import { checkOptions } from '../errors/check-options.js';
import { systemRuntime, type Runtime } from '../http/runtime.js';
import { requireClient, senderRules, senderWith } from '../queue/create-sender.js';
import { JobFailure } from '../queue/job-failure.js';
import type { JobResult } from '../queue/job-types.js';
import { checkJob } from './check-job.js';
import { jobStore } from './job-store.js';
import type { ProcessedJob, ProcessorOptions } from './job-types.js';

const processorRules = requireClient(
  z.strictObject(
    {
      ...senderRules,
      replicas: z.optional(z.int('must be a whole number').check(z.gte(1, 'must be at least 1'))),
    },
    'must be an object',
  ),
);

/** The function that BullMQ's `Worker` calls with each job. */
export type JobProcessor = (job: ProcessedJob, token?: string, signal?: AbortSignal) => Promise<JobResult>;

/**
 * Makes the function that a BullMQ `Worker` calls with each job. It may be killed at any point: a payment or receipt is
 * sent again under the same key, unless its job or client has `repeatUnknown: false`; an upload or allocation that may have
 * been sent is not sent again, and fails with `unknown MAY_HAVE_BEEN_SENT`. A worker that cannot end its job, because the
 * queue was away, leaves the answer with the job: the next run ends it without sending.
 *
 * A completed job returns its {@link JobResult}. The `failedReason` of a failed one begins with the outcome over all its
 * runs and the code of the last error: `rejected INVALID_AMOUNT: …`. The error that a `failed` event has is `cause`d by
 * the client's own, and where it is final it is named `UnrecoverableError`.
 *
 * @example
 * ```ts
 * import { InstallmentClient } from 'installment-payments';
 * import { createProcessor, workerOptions } from 'installment-payments/bullmq';
 * import { Worker } from 'bullmq';
 *
 * const process = createProcessor({
 *   client: new InstallmentClient(),
 *   loadFile: (file) => ({ path: `./invoices/${String(file)}` }),
 * });
 * const worker = new Worker('payments', process, { connection: { port: 6379 }, ...workerOptions });
 * ```
 * @param options - The clients, and how a file is loaded.
 * @throws ConfigurationError that names the option which is missing or malformed.
 */
export function createProcessor(options: ProcessorOptions): JobProcessor {
  return processorOf(options, systemRuntime);
}

/** Tests turn the clock themselves. */
export function processorOf(options: ProcessorOptions, runtime: Runtime): JobProcessor {
  const { replicas, ...resolved } = checkOptions(processorRules, options);
  const send = senderWith(resolved, runtime);
  return async (job, token, signal) => {
    try {
      const store = jobStore(job, token, replicas, runtime);
      return await send(job, store, { signal, check: () => checkJob(job, replicas) });
    } catch (error) {
      // BullMQ does not try a job again whose error has this name (bullmq 6.7, `Job.shouldRetryJob`).
      if (error instanceof JobFailure && error.isFinal) error.name = 'UnrecoverableError';
      throw error;
    }
  };
}
