import type { Operation } from '../protocol/endpoints.js';
import type { AnyResultStatus, Outcome } from '../protocol/result-status.js';

/** One request that was sent, or that could not be sent, on behalf of a call. */
export interface Attempt {
  /** When it began, by the clock that `now` gives. */
  readonly startedAt: Date;
  /** Milliseconds on a clock that does not jump. */
  readonly durationMs: number;
  /** The Request-Time header of this attempt; empty for a lender's notification, which has none. */
  readonly requestTime: string;
  /** What this attempt alone says about the service's side. */
  readonly outcome: Outcome;
  /** HTTP status of the answer, if there was one. */
  readonly httpStatus?: number;
  /** As the service sent it, known or not, as long as it is a word. */
  readonly resultStatus?: AnyResultStatus;
  /** What went wrong, in short and redacted: `ECONNRESET (read)`. */
  readonly error?: string;
}

/** What a call was about: the words under which the merchant, or the lender, finds it again. */
export interface CallSubject {
  /** The operation that was called. */
  readonly operation: Operation;
  /** The merchant's own reference of the order. */
  readonly referenceId?: string;
  /** The key that every attempt carried. */
  readonly idempotencyKey?: string;
  /** The lender's code of the receipt. */
  readonly lenderTransactionCode?: string;
  /** The ID of the lender's notification. */
  readonly requestId?: string;
}

/** How a call went: what it was about, and every attempt. */
export interface CallMetadata extends CallSubject {
  /** HTTP status of the last answer, if there was one. */
  readonly httpStatus?: number;
  /** Every attempt, in order; empty when none was made. */
  readonly attempts: readonly Attempt[];
}

/** The metadata of a call that ended in a result. */
export interface ResultMetadata extends CallMetadata {
  /** HTTP status of the answer that had the result. */
  readonly httpStatus: number;
}
