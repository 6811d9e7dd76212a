import type { JobOutcome } from '../queue/job-history.js';
import { isRecord } from '../values/untrusted-values.js';

/** The part of BullMQ's `Job` that its outcome is read from. */
interface FinishedJob {
  /** When the job ended for good. */
  readonly finishedOn?: number | undefined;
  /** The return value of the processor. */
  readonly returnvalue: unknown;
  /** How the last run failed. */
  readonly failedReason?: string | undefined;
}

/**
 * The outcome of a job over all its runs: `'accepted'`, `'not_sent'`, `'rejected'` or `'unknown'`. It is `'pending'` while
 * the job has not ended, and `'unknown'` if BullMQ itself failed it ("job stalled more than allowable limit").
 *
 * A `Job` is a copy of what was in the queue: load it again to see what became of it.
 *
 * @example
 * ```ts
 * import { jobOutcome, type JobOutcome } from 'installment-payments/bullmq';
 * import type { Queue } from 'bullmq';
 *
 * export async function outcomeOf(queue: Queue, jobId: string): Promise<JobOutcome | undefined> {
 *   const job = await queue.getJob(jobId);
 *   return job && jobOutcome(job);
 * }
 * ```
 */
export function jobOutcome({ finishedOn, returnvalue, failedReason }: FinishedJob): JobOutcome {
  if (!finishedOn) return 'pending';
  // BullMQ keeps the reason of an earlier run with a job that completed.
  if (isRecord(returnvalue) && 'result' in returnvalue) return 'accepted';
  if (failedReason?.startsWith('not_sent ')) return 'not_sent';
  return failedReason?.startsWith('rejected ') ? 'rejected' : 'unknown';
}
