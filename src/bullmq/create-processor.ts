import * as z from 'zod/mini';
import { checkOptions } from '../errors/check-options.js';
import { systemRuntime, type Runtime } from '../http/runtime.js';
import { isKeyless } from '../protocol/endpoints.js';
import { positiveInteger } from '../protocol/field-rules.js';
import { senderRules, senderWith } from '../queue/create-sender.js';
import { JobFailure } from '../queue/job-failure.js';
import { jobOptions, type JobResult, type SenderOptions } from '../queue/job-types.js';
import { isSentOnce } from '../queue/send-job.js';
import { hasMethods, numberAt, readProperty } from '../values/untrusted-values.js';
import { jobStore, workerOptionsOf, type ProcessedJob } from './job-store.js';

/** Options of {@link createProcessor}. At least one client is needed. */
export interface ProcessorOptions extends SenderOptions {
  /**
   * How many replicas of Redis must have a marker before its request is sent. The processor waits for them, a quarter of
   * the lock's duration at most; without them it sends nothing (`NOT_REPLICATED`) and the job is tried again. With as many
   * as there are replicas, a failover forgets no marker. It needs an ioredis connection to one Redis, not to a Cluster.
   * @default none: a failover may forget the last markers, and what they stood for may be sent twice
   */
  readonly replicas?: number | undefined;
}

const processorRules = z.safeExtend(senderRules, { replicas: z.optional(positiveInteger) });

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
  // Without defaults: BullMQ passes a signal only to a function whose `length` is 3.
  return async (job, token, signal) => {
    try {
      const { id = '', name, data } = job;
      const store = jobStore(job, token ?? '', replicas, runtime);
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
  if (!hasMethods(job, ['extendLock']))
    return 'a sandboxed process has no lock to confirm: run new Worker(name, createProcessor(…)) in more processes';
  const { name, opts } = job;
  const options = workerOptionsOf(job);
  const removal = opts.removeOnFail ?? readProperty(options, 'removeOnFail');
  const isRemoved = removal === true || removal === 0 || numberAt(removal, 'count') === 0;
  if (isRemoved && isKeyless(name) && isSentOnce(job))
    return `a failed job would be removed (removeOnFail), and with it that ${name} may have been sent: keep failed jobs`;
  if (options === undefined || readProperty(opts.backoff, 'type') !== jobOptions.backoff.type)
    return undefined;
  // Without the strategy BullMQ could not fail a job that is tried again, and the job would be stuck.
  return hasMethods(readProperty(options, 'settings'), ['backoffStrategy'])
    ? undefined
    : 'the worker has no settings.backoffStrategy: spread workerOptions into its options';
}
