import { severity } from '../http/attempts.js';
import { isRecord } from '../protocol/records.js';
import type { FailureOutcome } from '../protocol/result-statuses.js';
import type { ProcessedJob } from './job-types.js';

/*
 * A marker is an ID that a run writes right before it sends. A run that fails names the markers that it saw and wrote in
 * its record, the last line of the failure's stack: BullMQ stores it in one step with the end of the run, and only for
 * the worker that holds the lock. A marker is settled by a record that names it, and by nothing else. A worker that lost
 * its lock can replace a marker, which makes the job look as if it may have been sent, but cannot settle one.
 */

/** What is known about the runs of a job. */
export interface JobHistory {
  /** The markers that are accounted for in the outcome. */
  readonly markers: readonly string[];
  /** The worst outcome of the runs, killed ones included; `'not_sent'` for none. */
  readonly outcome: FailureOutcome;
}

const recordLine = /\n {4}installment-payments: (not_sent|rejected|unknown), markers \[([^\]\n]*)\]$/;

/** The last line of a failure's stack. */
export function recordOf({ markers, outcome }: JobHistory): string {
  return `    installment-payments: ${outcome}, markers [${markers.join(' ')}]`;
}

/** The marker in a job's progress. A progress that is not ours has replaced whatever was there, and is never settled. */
function markerIn(progress: unknown): string | undefined {
  if (progress === undefined || progress === null || progress === 0) return undefined;
  const marker = isRecord(progress) ? progress['marker'] : undefined;
  return typeof marker === 'string' && /^[\w-]+$/.test(marker) ? marker : '(none of ours)';
}

/** What the marker and the last record of a job say about its earlier runs. */
export function historyOf({
  progress,
  stacktrace,
}: Pick<ProcessedJob, 'progress' | 'stacktrace'>): JobHistory {
  const marker = markerIn(progress);
  const record = stacktrace?.map((stack) => recordLine.exec(stack)).findLast((match) => match !== null);
  const settled = record?.[2]?.split(' ') ?? [];
  const isSettled = marker === undefined || settled.includes(marker);
  const recorded = (record?.[1] as FailureOutcome | undefined) ?? 'not_sent';
  return { markers: marker === undefined ? [] : [marker], outcome: isSettled ? recorded : 'unknown' };
}

/** The worse of two outcomes. */
export function worseOf(a: FailureOutcome, b: FailureOutcome): FailureOutcome {
  return severity[a] >= severity[b] ? a : b;
}
