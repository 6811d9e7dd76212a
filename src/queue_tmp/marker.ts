import type { Runtime } from '../http/runtime.js';
import type { FailureOutcome } from '../protocol/result-statuses.js';
import { isRecord, numberAt } from '../values/untrusted-values.js';
import type { JobResult, ProcessedJob } from './job-types.js';
import { failedRun, RunFailedError } from './run-failure.js';
import { optionsOf } from './worker-options.js';

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

/** How long the lock of a job lasts, in milliseconds. */
function lockDurationOf(job: ProcessedJob): number {
  // BullMQ's own default.
  return numberAt(optionsOf(job), 'lockDuration') ?? 30_000;
}

/** Makes sure that no other worker has the job, for as long as the worker's own renewals do. */
async function confirmLock(job: ProcessedJob, token: string | undefined): Promise<void> {
  const isLocked = token !== undefined && (await job.extendLock(token, lockDurationOf(job))) === 1;
  if (!isLocked) throw failedRun('LOCK_LOST', 'another worker may have the job. Nothing was sent.');
}

/**
 * Writes the marker and confirms the lock, in one round trip. A lock that was held all the time was held when the marker
 * was written: a run that was overtaken before sends nothing, and one that is overtaken later has left its marker.
 */
export async function mark(
  job: ProcessedJob,
  token: string | undefined,
  { monotonicMs }: Runtime,
): Promise<void> {
  const startedMs = monotonicMs();
  try {
    await Promise.all([keep(job, { outcome: 'unknown' }), confirmLock(job, token)]);
    // The lock may have been confirmed, and have ended, before the marker was written.
    if (monotonicMs() - startedMs > lockDurationOf(job) / 2) await confirmLock(job, token);
  } catch (cause) {
    if (cause instanceof RunFailedError) throw cause;
    throw failedRun('LOCK_LOST', 'the queue did not answer. Nothing was sent.', { cause });
  }
}
