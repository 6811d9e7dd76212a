import * as z from 'zod/mini';
import { checkOptions } from '../errors/check-options.js';
import { systemRuntime, type Runtime } from '../http/runtime.js';
import { senderRules, senderWith } from '../queue/create-sender.js';
import { JobFailure } from '../queue/job-failure.js';
import { jobOptions } from '../queue/job-options.js';
import type { JobResult } from '../queue/job-types.js';
import { hasMethods, readProperty } from '../values/untrusted-values.js';
import { isForgottenOnFailure, jobStore } from './job-store.js';
import type { ProcessedJob, ProcessorOptions } from './job-types.js';
import { optionsOf } from './worker-options.js';

const processorRules = z.safeExtend(senderRules, {
  replicas: z.optional(z.int('must be a whole number').check(z.gte(1, 'must be at least 1'))),
});

/** The function that BullMQ's `Worker` calls with each job. */
export type JobProcessor = (job: ProcessedJob, token?: string, signal?: AbortSignal) => Promise<JobResult>;

/**
 * Makes the function that a BullMQ `Worker` calls with each job: the `createSender` of `installment-payments/queue`, over
 * the job's progress and its lock. A worker that cannot end its job, because the queue was away, leaves the answer with
 * the job: the next run ends it without sending.
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
      const { id = '', name, data } = job;
      const store = jobStore(job, token, replicas, runtime);
      return await send({ id, name, data }, store, signal, problemOf(job));
    } catch (error) {
      // BullMQ does not try a job again whose error has this name (bullmq 6.7, `Job.shouldRetryJob`).
      if (error instanceof JobFailure && error.isFinal) error.name = 'UnrecoverableError';
      throw error;
    }
  };
}

/** Why a worker or a job could not be ended honestly. */
function problemOf(job: ProcessedJob): string | undefined {
  // BullMQ hands a sandboxed process a plain copy of the job.
  if (typeof Reflect.get(job, 'extendLock') !== 'function') {
    return (
      'the processor runs in a sandboxed process, where it cannot confirm its lock. Pass it to the Worker as a ' +
      'function, new Worker(name, createProcessor(…)), and run more worker processes instead'
    );
  }
  const { backoff, repeat } = job.opts;
  if (repeat !== undefined && repeat !== null) {
    return 'the job was made by a scheduler, which would send the same request again and again: add it with enqueue';
  }
  if (isForgottenOnFailure(job)) {
    return (
      `the job would be removed when it fails (removeOnFail), and with it that ${job.name} may have been sent: keep ` +
      'failed jobs'
    );
  }
  const options = optionsOf(job);
  if (options === undefined || readProperty(backoff, 'type') !== jobOptions.backoff.type) return undefined;
  // Without the strategy BullMQ could not fail a job that is tried again, and the job would be stuck.
  return hasMethods(readProperty(options, 'settings'), ['backoffStrategy'])
    ? undefined
    : 'the worker has no settings.backoffStrategy: spread workerOptions into its options';
}
