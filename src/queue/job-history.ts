import type { FailureOutcome, Outcome } from '../protocol/result-statuses.js';
import { isRecord } from '../values/untrusted-values.js';
import type { JobResult, JobStore } from './job-types.js';

/*
 * The history of a job says what is known about its runs if nothing is ever stored after it. Right before a run sends, it
 * stores 'unknown': its marker. After a certain answer it replaces the marker by the worst outcome of all runs, and after
 * an approved one by the answer itself.
 */

/** The outcome of a job, as of a call, or `'pending'` while nothing is known. */
export type JobOutcome = Outcome | 'pending';

/** The answer of an earlier run of a job, or the worst outcome of all of them: `'not_sent'` for a first run. */
export type EarlierRuns = { readonly answer: JobResult } | { readonly outcome: FailureOutcome };

const isNothing = (history: unknown) => history === undefined || history === null;

export function earlierRuns(history: unknown, data: unknown): EarlierRuns {
  const { outcome, answer } = isRecord(history) ? history : {};
  if (isRecord(answer) && isRecord(answer['result'])) return { answer: answer as unknown as JobResult };
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
 * import type { Pool } from 'pg';
 *
 * export async function jobsInDoubt(database: Pool): Promise<string[]> {
 *   const { rows } = await database.query<{ id: string; history: JobHistory | null }>('SELECT id, history FROM jobs');
 *   return rows.filter(({ history }) => jobOutcome(history) === 'unknown').map(({ id }) => id);
 * }
 * ```
 * @param history - What a {@link JobStore} has as its `history`.
 */
export function jobOutcome(history: JobStore['history']): JobOutcome {
  if (isNothing(history)) return 'pending';
  const runs = earlierRuns(history, undefined);
  return 'answer' in runs ? 'accepted' : runs.outcome;
}
