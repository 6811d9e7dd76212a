import { worseOf, type FailureOutcome } from '../protocol/result-statuses.js';

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

/** The failure of a run that sends nothing itself: `not_sent` and tried again, unless `more` says otherwise. */
export function failedRun(code: string, message: string, more: Partial<RunFailure> = {}): RunFailedError {
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
    const changeable = { configurable: true, writable: true };
    Object.defineProperties(this, {
      name: { value: name, ...changeable },
      // It is stored with the job, where the path of this module helps nobody.
      stack: { value: `${name}: ${this.message}`, ...changeable },
    });
  }
}
