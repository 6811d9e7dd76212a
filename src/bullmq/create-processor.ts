import { randomUUID } from 'node:crypto';
import type { WithMetadata } from '../errors/call-metadata.js';
import { describe, safeWords } from '../errors/redact.js';
import { checkOptions } from '../options/common-options.js';
import type { InvoiceFileInput } from '../protocol/invoice-types.js';
import { JobFailure } from './job-failure.js';
import { historyOf } from './job-history.js';
import type { JobResult, ProcessedJob } from './job-types.js';
import { processorRules, type ProcessorOptions } from './processor-options.js';
import { failureOf, isOnce, parseJob, senderOf, type Run } from './run.js';
import { notSent, RunFailedError } from './run-failure.js';
import { checkWorker, confirmLock, writeMarker } from './worker-check.js';

/** What BullMQ's `Worker` calls with each job. */
export type JobProcessor = (job: ProcessedJob, token?: string, signal?: AbortSignal) => Promise<JobResult>;

async function loadedFile(
  { file }: Run,
  job: ProcessedJob,
  loadFile: ProcessorOptions['loadFile'],
): Promise<InvoiceFileInput> {
  if (!loadFile) throw notSent('FILE_NOT_LOADED', 'the processor has no loadFile. Nothing was sent.');
  try {
    return await loadFile(file, job);
  } catch (cause) {
    const words = safeWords(cause);
    throw notSent('FILE_NOT_LOADED', `loadFile rejected: ${describe(words)}. Nothing was sent.`, {
      isRetried: words.name !== 'UnrecoverableError',
      cause,
    });
  }
}

function resultOf(answer: JobResult['result'] & WithMetadata): JobResult {
  const { $metadata } = answer;
  const attempts = $metadata.attempts.map((attempt) => ({
    ...attempt,
    startedAt: attempt.startedAt.toISOString(),
  }));
  return { result: answer, metadata: { ...$metadata, attempts } };
}

/**
 * Makes the function that a BullMQ `Worker` calls with each job. It may be killed at any point: a payment or receipt is
 * sent again under the same key; an upload or allocation that may have been sent is not sent again, and fails with
 * `unknown MAY_HAVE_BEEN_SENT`.
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
  const resolved = checkOptions(processorRules, options);
  return async (job, token, signal) => {
    let history = historyOf(job);
    try {
      checkWorker(job);
      const run = parseJob(job);
      const send = senderOf(run, resolved);
      if (!send) throw notSent('CONFIGURATION', `the processor has no client for ${run.operation}`);
      const mayHaveBeenSent = history.outcome === 'unknown';
      if (mayHaveBeenSent && isOnce(run.operation) && !run.repeatUnknown) {
        throw notSent('MAY_HAVE_BEEN_SENT', mayHaveBeenSentAdvice, { isRetried: false });
      }
      const file = run.file === undefined ? undefined : await loadedFile(run, job, resolved.loadFile);
      // In this order: a run that was overtaken before this sends nothing, and one that is overtaken after this has
      // left its marker. A marker whose write failed may still arrive later, so it must stay unsettled.
      const marker = randomUUID();
      await writeMarker(job, marker);
      history = { ...history, markers: [...history.markers, marker] };
      await confirmLock(job, token);
      try {
        return resultOf(await send({ file, signal, ...(mayHaveBeenSent && { mayHaveBeenSent }) }));
      } catch (error) {
        throw new RunFailedError(failureOf(error, run));
      }
    } catch (error) {
      throw error instanceof RunFailedError ? new JobFailure(error.failure, history) : error;
    }
  };
}

const mayHaveBeenSentAdvice =
  'an earlier run may have reached the service, and this request is not sent twice. Look it up at the service. If it ' +
  'is not there, remove the job and add it again.';
