import type { FailureOutcome } from '../protocol/result-statuses.js';

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
