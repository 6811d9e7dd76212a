import { isRecord } from '../protocol/records.js';
import type { FailureOutcome, Outcome } from '../protocol/result-statuses.js';
import { worseOf } from './job-progress.js';

/** How one run failed. */
export interface RunFailure {
  readonly outcome: FailureOutcome;
  readonly code: string;
  readonly message: string;
  /** Whether the job is tried again. */
  readonly isRetried: boolean;
  readonly retryAfterMs?: number | undefined;
  readonly cause?: unknown;
}

/** Ends a run; what the job ends with also depends on its earlier runs. */
export class RunFailedError extends Error {
  constructor(readonly failure: RunFailure) {
    super(failure.message);
  }
}

/** Ends a run before anything was sent. */
export function notSent(code: string, message: string, more: Partial<RunFailure> = {}): RunFailedError {
  return new RunFailedError({ outcome: 'not_sent', code, message, isRetried: true, ...more });
}

/**
 * What a run ends with. BullMQ keeps its message as `failedReason` and its stack with the job, and does not try a job
 * again whose error is named UnrecoverableError (bullmq 6.7, `Job.shouldRetryJob`: `err.name == 'UnrecoverableError'`).
 */
export class JobFailure extends Error {
  /** The worst outcome over all runs of the job. */
  readonly outcome: FailureOutcome;
  readonly code: string;
  declare readonly retryAfterMs?: number;

  constructor(
    { code, message, cause, retryAfterMs, isRetried, outcome }: RunFailure,
    earlier: FailureOutcome,
  ) {
    const worst = worseOf(earlier, outcome);
    const before = worst === outcome ? '' : `an earlier run ended ${worst}, this one ${outcome}. `;
    super(`${worst} ${code}: ${before}${message}`, cause === undefined ? undefined : { cause });
    this.outcome = worst;
    this.code = code;
    if (retryAfterMs !== undefined) this.retryAfterMs = retryAfterMs;
    const name = isRetried ? 'JobFailure' : 'UnrecoverableError';
    const hidden = { enumerable: false, configurable: true, writable: true };
    Object.defineProperties(this, {
      name: { value: name, ...hidden },
      // It is stored with the job, where the path of this module helps nobody.
      stack: { value: `${name}: ${this.message}`, ...hidden },
    });
  }
}

/** The part of BullMQ's `Job` that its outcome is read from. */
export interface FinishedJob {
  /** When the job ended for good. */
  readonly finishedOn?: number | undefined;
  /** What the processor returned. */
  readonly returnvalue: unknown;
  /** How the last run failed. */
  readonly failedReason?: string | undefined;
}

/** What is known about the service's side after a job, or that the job has not ended. */
export type JobOutcome = Outcome | 'pending';

/**
 * What is known about the service's side, over all runs of a job: `'accepted'`, `'not_sent'`, `'rejected'` or
 * `'unknown'`, and `'pending'` while the job has not ended. Where BullMQ itself failed the job ("job stalled more than
 * allowable limit"), the outcome is `'unknown'`.
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
export function jobOutcome({ finishedOn, returnvalue, failedReason = '' }: FinishedJob): JobOutcome {
  if (!finishedOn) return 'pending';
  // BullMQ keeps the reason of an earlier run with a job that completed.
  if (isRecord(returnvalue) && 'result' in returnvalue) return 'accepted';
  if (failedReason.startsWith('not_sent ')) return 'not_sent';
  return failedReason.startsWith('rejected ') ? 'rejected' : 'unknown';
}
