import type { FailureOutcome } from '../protocol/result-statuses.js';
import { recordOf, worseOf, type JobHistory } from './job-history.js';
import type { RunFailure } from './run-failure.js';

/**
 * What a run ends with. BullMQ keeps its message as `failedReason` and its stack with the job, and does not try a job
 * again whose error is named UnrecoverableError (bullmq 6.7, `Job.shouldRetryJob`: `err.name == 'UnrecoverableError'`).
 */
export class JobFailure extends Error {
  /** The worst outcome over all runs of the job. */
  readonly outcome: FailureOutcome;
  readonly code: string;
  declare readonly retryAfterMs?: number;

  constructor({ code, message, cause, retryAfterMs, ...run }: RunFailure, { markers, outcome }: JobHistory) {
    const worst = worseOf(outcome, run.outcome);
    const earlier = worst === run.outcome ? '' : `an earlier run ended ${worst}, this one ${run.outcome}. `;
    super(`${worst} ${code}: ${earlier}${message}`, cause === undefined ? undefined : { cause });
    this.outcome = worst;
    this.code = code;
    if (retryAfterMs !== undefined) this.retryAfterMs = retryAfterMs;
    const name = run.isRetried ? 'JobFailure' : 'UnrecoverableError';
    const stack = `${name}: ${this.message}\n${recordOf({ markers, outcome: worst })}`;
    const hidden = { enumerable: false, configurable: true, writable: true };
    Object.defineProperties(this, { name: { value: name, ...hidden }, stack: { value: stack, ...hidden } });
  }
}
