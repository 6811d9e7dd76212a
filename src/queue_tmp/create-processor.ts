import * as z from 'zod';
import type { WithMetadata } from '../errors/call-metadata.js';
import { ignoreErrors } from '../errors/ignore-errors.js';
import { systemRuntime, type Runtime } from '../http/runtime.js';
import { checkOptions } from '../errors/check-options.js';
import { aFunction } from '../protocol/field-rules.js';
import { printable } from '../protocol/issues.js';
import { isRecord } from '../values/untrusted-values.js';
import { worseOf } from '../protocol/result-statuses.js';
import type { JobResult, ProcessedJob, ProcessorOptions } from './job-types.js';
import { loadedFile } from './load-file.js';
import { historyOf, keep, mark } from './marker.js';
import { JobFailure, failedRun, RunFailedError } from './run-failure.js';
import { failureOf, isSentOnce, parseJob, senderOf, type JobRun } from './send-job.js';
import { checkWorker } from './worker-options.js';

const isClient = (value: unknown) => isRecord(value) || typeof value === 'function';
const notClient = 'must be a client, or a function of the job that returns one';

const processorRules = z
  .strictObject(
    {
      client: z.custom<NonNullable<ProcessorOptions['client']>>(isClient, notClient).optional(),
      lender: z.custom<NonNullable<ProcessorOptions['lender']>>(isClient, notClient).optional(),
      loadFile: aFunction<NonNullable<ProcessorOptions['loadFile']>>().optional(),
    },
    'must be an object',
  )
  .refine(({ client, lender }) => client !== undefined || lender !== undefined, {
    path: ['client'],
    message: 'is required when there is no lender: pass one of them',
  });

/** The function that BullMQ's `Worker` calls with each job. */
export type JobProcessor = (job: ProcessedJob, token?: string, signal?: AbortSignal) => Promise<JobResult>;

function resultOf(answer: JobResult['result'] & WithMetadata): JobResult {
  const { $metadata } = answer;
  const attempts = $metadata.attempts.map((attempt) => ({
    ...attempt,
    startedAt: attempt.startedAt.toISOString(),
  }));
  return { result: answer, metadata: { ...$metadata, attempts } };
}

/** Ends a job whose request may have been sent and is sent once. Only a new job without the option sends it. */
function perhapsSent({ operation, job: { data } }: JobRun): RunFailedError {
  const { referenceId } = data.request;
  const subject = typeof referenceId === 'string' ? `${operation} ${referenceId}` : operation;
  const why = data.mayHaveBeenSent
    ? 'the job was added with mayHaveBeenSent: true'
    : 'an earlier run of the job may have sent it';
  const advice =
    'it is not sent twice. Look it up at the service. If it is not there, remove the job and add it again without ' +
    'mayHaveBeenSent.';
  const message = printable(`${subject}: ${why}, and ${advice}`);
  return failedRun('MAY_HAVE_BEEN_SENT', message, { outcome: 'unknown', isRetried: false });
}

/**
 * Makes the function that a BullMQ `Worker` calls with each job. It may be killed at any point: a payment or receipt is
 * sent again under the same key, unless its job or client has `repeatUnknown: false`; an upload or allocation that may have
 * been sent is not sent again, and fails with `unknown MAY_HAVE_BEEN_SENT`. A worker that cannot end its job, because the
 * queue was away, leaves the answer with the job: the next run ends it without sending.
 *
 * A completed job returns its {@link JobResult}. The `failedReason` of a failed one begins with the outcome over all its
 * runs and the code of the last error: `rejected INVALID_AMOUNT: …`. The error that a `failed` event has is `cause`d by
 * the client's own.
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
  const resolved = checkOptions(processorRules, options);
  return async (job, token, signal) => {
    const isOnce = isSentOnce(job);
    const history = historyOf(job, isOnce);
    if ('answer' in history) return history.answer;
    const { outcome: earlier } = history;
    try {
      checkWorker(job);
      const run = parseJob(job);
      if (earlier === 'unknown' && isOnce) throw perhapsSent(run);
      const { send, isOnceByClient } = await senderOf(run, resolved);
      if (earlier === 'unknown' && isOnceByClient) throw perhapsSent(run);
      const file = await loadedFile(run, resolved.loadFile, signal, runtime);
      await mark(job, token, runtime);
      try {
        // Absent for a first run: another job or process may have sent the same request, so nothing is vouched for.
        const mayHaveBeenSent = earlier === 'unknown' && { mayHaveBeenSent: true };
        const answer = resultOf(await send(file, { ...mayHaveBeenSent, signal }));
        await ignoreErrors(() => keep(job, { outcome: 'accepted', answer }));
        return answer;
      } catch (error) {
        const failure = failureOf(error, run, isOnceByClient);
        const outcome = worseOf(earlier, failure.outcome);
        // If it cannot be written, the marker stands, which claims less.
        if (outcome !== 'unknown') await ignoreErrors(() => keep(job, { outcome }));
        throw new RunFailedError(failure);
      }
    } catch (error) {
      throw error instanceof RunFailedError ? new JobFailure(error.failure, earlier) : error;
    }
  };
}
