import { isRecord } from '../protocol/untrusted-values.js';
import { worseOf, type FailureOutcome, type Outcome } from '../protocol/result-statuses.js';
import type { JobResult, ProcessedJob } from './job-types.js';

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
 * The error that a run ends with. BullMQ keeps its message as `failedReason` and its stack with the job, and does not try a job
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
    const before = worst === outcome ? '' : `an earlier run or job ended ${worst}, this run ${outcome}. `;
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

/*
 * The progress of a job says what is known about its runs if nothing is ever written after it. Right before a run sends,
 * it writes 'unknown': its marker. After a certain answer it replaces the marker by the worst outcome of all runs, and
 * after an approved one by the answer itself.
 *
 * BullMQ writes progress whoever holds the lock, so a run that was overtaken may write late. Its marker makes the job
 * look as if it may have been sent, which is safe. Its answer is true at any time. Its certain outcome could replace the
 * marker of a later run. For what is sent once this cannot do harm: a later run does not send while the marker of an
 * earlier one stands. For the rest, a certain outcome counts only if the run that wrote it is the last one before this.
 */

interface Progress {
  /** When the job was added: one that is removed and added again has the same ID. */
  readonly added: number;
  /** Which run wrote it, from 1. */
  readonly run: number;
  readonly outcome: FailureOutcome | 'accepted';
  readonly answer?: JobResult;
}

/** The answer of an earlier run of the job, or the worst outcome of all of them: `'not_sent'` for a first run. */
export type History = { readonly answer: JobResult } | { readonly outcome: FailureOutcome };

/** Reads the progress. If it is not ours, it may have replaced a marker. */
export function historyOf(
  { progress, timestamp, attemptsStarted, data }: ProcessedJob,
  isSentOnce: boolean,
): History {
  const { added, run, outcome, answer } = isRecord(progress) ? progress : {};
  if (isRecord(answer) && isRecord(answer['result'])) return { answer: answer as unknown as JobResult };
  // An earlier job may have sent it.
  if (isRecord(data) && data['mayHaveBeenSent'] === true) return { outcome: 'unknown' };
  // BullMQ's own value for none.
  if (progress === undefined || progress === null || progress === 0) return { outcome: 'not_sent' };
  const isCertain = outcome === 'not_sent' || outcome === 'rejected';
  const isTrusted = added === timestamp && (isSentOnce || run === attemptsStarted - 1);
  return { outcome: isCertain && isTrusted ? outcome : 'unknown' };
}

/** Writes down what is known from now on. */
export async function keep(job: ProcessedJob, known: Pick<Progress, 'outcome' | 'answer'>): Promise<void> {
  const progress: Progress = { added: job.timestamp, run: job.attemptsStarted, ...known };
  await job.updateProgress(progress);
}

/** The part of BullMQ's `Job` that its outcome is read from. */
export interface FinishedJob {
  /** When the job ended for good. */
  readonly finishedOn?: number | undefined;
  /** The return value of the processor. */
  readonly returnvalue: unknown;
  /** How the last run failed. */
  readonly failedReason?: string | undefined;
}

/** The outcome of a job, as of a call, or `'pending'` while it has not ended. */
export type JobOutcome = Outcome | 'pending';

/**
 * The outcome over all runs of a job, which says what is known about the service's side: `'accepted'`, `'not_sent'`, `'rejected'` or
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
