import type { JobOutcome } from '../queue/job-history.js';
import { isRecord } from '../values/untrusted-values.js';

/** The part of BullMQ's `Job` that its outcome is read from. */
type FinishedJob = Readonly<{
  finishedOn?: number | undefined;
  returnvalue: unknown;
  failedReason?: string | undefined;
}>;

/**
 * The outcome of a job over all its runs: `'accepted'`, `'not_sent'`, `'rejected'` or `'unknown'`. It is `'pending'` while
 * the job has not ended, and `'unknown'` if BullMQ itself failed it ("job stalled more than allowable limit").
 *
 * A `Job` is a copy of what was in the queue: load it again to see what became of it.
 *
 * @example
 * ```ts
 * import { jobOutcome } from 'installment-payments/bullmq';
 * import type { Job } from 'bullmq';
 *
 * export const isInDoubt = (job: Job) => jobOutcome(job) === 'unknown';
 * ```
 */
export function jobOutcome({ finishedOn, returnvalue, failedReason }: FinishedJob): JobOutcome {
  if (!finishedOn) return 'pending';
  // BullMQ keeps the reason of an earlier run with a job that completed.
  if (isRecord(returnvalue) && 'result' in returnvalue) return 'accepted';
  if (failedReason?.startsWith('not_sent ')) return 'not_sent';
  return failedReason?.startsWith('rejected ') ? 'rejected' : 'unknown';
}
