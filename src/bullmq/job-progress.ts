import { severity } from '../http/attempt-history.js';
import { isRecord } from '../protocol/records.js';
import type { FailureOutcome } from '../protocol/result-statuses.js';
import type { JobResult, ProcessedJob } from './job-types.js';

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

/** What is in the progress of a job. */
interface Progress {
  /** When the job was added: one that is removed and added again has the same ID. */
  readonly added: number;
  /** Which run wrote it, from 1. */
  readonly run: number;
  readonly outcome: FailureOutcome | 'accepted';
  readonly answer?: JobResult;
}

/** What is known about the runs of a job before this one: an answer, or the worst outcome; `'not_sent'` for none. */
export type History = { readonly answer: JobResult } | { readonly outcome: FailureOutcome };

/** What earlier runs have left behind. A progress that is not ours may have replaced a marker. */
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

/** The worse of two outcomes. */
export function worseOf(a: FailureOutcome, b: FailureOutcome): FailureOutcome {
  return severity[a] >= severity[b] ? a : b;
}
