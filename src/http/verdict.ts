import type { ErrorInit, InstallmentError } from '../errors/errors.js';
import type { FailureOutcome } from '../protocol/result-status.js';

/** The service did what was asked. */
export interface Accepted<T> {
  readonly outcome: 'accepted';
  readonly value: T;
  readonly httpStatus: number;
  readonly resultStatus?: string;
}

/** One attempt failed. The error itself is made when the call ends, since it tells of all attempts. */
export interface Failed {
  readonly outcome: FailureOutcome;
  /** Whether the same request may fare better later. */
  readonly transient: boolean;
  /** In short, for the attempt's record. */
  readonly description: string;
  readonly toError: (init: ErrorInit) => InstallmentError;
  readonly httpStatus?: number;
  readonly resultStatus?: string;
  /** The header as it came. */
  readonly retryAfter?: string | null;
  readonly cause?: Error;
}

/** What one attempt came to. */
export type Verdict<T> = Accepted<T> | Failed;

const severity: Record<FailureOutcome, number> = { not_sent: 0, rejected: 1, unknown: 2 };

/** The worse of two outcomes: what may have happened outweighs what is certain. */
export function worse(a: FailureOutcome, b: FailureOutcome): FailureOutcome {
  return severity[a] >= severity[b] ? a : b;
}
