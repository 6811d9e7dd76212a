import type { FailureOutcome, Outcome } from '../protocol/result-statuses.js';
import { isRecord } from '../values/untrusted-values.js';
import type { JobResult, JobStore } from './job-types.js';

/** The outcome of a job, as of a call, or `'pending'` while nothing is known. */
export type JobOutcome = Outcome | 'pending';

/** Where the earlier runs of a job have left it: `'not_sent'` before the first one. */
type EarlierRuns =
  { readonly outcome: 'accepted'; readonly answer: JobResult } | { readonly outcome: FailureOutcome };

const isNothing = (history: unknown) => history === undefined || history === null;

export function earlierRuns(history: unknown, data: unknown): EarlierRuns {
  const { outcome, answer } = isRecord(history) ? history : {};
  if (isRecord(answer) && isRecord(answer['result']))
    return { outcome: 'accepted', answer: answer as unknown as JobResult };
  // An earlier job may have sent it.
  if (isRecord(data) && data['mayHaveBeenSent'] === true) return { outcome: 'unknown' };
  if (isNothing(history)) return { outcome: 'not_sent' };
  return { outcome: outcome === 'not_sent' || outcome === 'rejected' ? outcome : 'unknown' };
}

/**
 * The outcome of a job by its stored history, over all runs so far: `'accepted'`, `'not_sent'`, `'rejected'` or
 * `'unknown'`, which also stands while a request is being sent. `'pending'` where no run has stored anything: nothing was
 * sent. Whether another run follows is not in the history: `isFinal` of the {@link JobFailure} says it.
 *
 * @example
 * ```ts
 * import { jobOutcome, type JobHistory } from 'installment-payments/queue';
 *
 * export const isInDoubt = (row: { history: JobHistory | null }) => jobOutcome(row.history) === 'unknown';
 * ```
 * @param history - What a {@link JobStore} has as its `history`.
 */
export function jobOutcome(history: JobStore['history']): JobOutcome {
  return isNothing(history) ? 'pending' : earlierRuns(history, undefined).outcome;
}
