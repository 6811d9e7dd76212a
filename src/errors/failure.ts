import type { RetryPolicy } from '../protocol/endpoints.js';
import type { FailureOutcome } from '../protocol/result-statuses.js';
import type { CallMetadata } from './call-metadata.js';
import type { FailureCode } from './error-codes.js';
import type { FailureFacts } from './installment-error.js';

/**
 * A failure of an attempt, or of a call outside its attempts, such as invalid input. The error of the call covers all
 * attempts, so it is created when the call ends.
 */
export interface Failure {
  readonly code: FailureCode;
  /**
   * The outcome of this attempt alone. The error has the outcome of the whole call instead, with one exception: for a
   * mistake of the caller before the first attempt, the error has this outcome.
   */
  readonly outcome: FailureOutcome;
  /** True if the same request can succeed later. */
  readonly transient: boolean;
  /**
   * The text for the error message, without a full stop: `connection lost while waiting for the response (ECONNRESET)`.
   */
  readonly problem: string;
  /** A sentence that follows `problem`, such as the documented meaning of a result status. */
  readonly meaning?: string | undefined;
  readonly facts: FailureFacts;
}

/** The state of a call. `makeError` creates the error of the call from this state and the last failure. */
export interface CallSoFar {
  readonly metadata: CallMetadata;
  readonly policy: RetryPolicy;
  /** True if the caller said that the same request may have been sent before this call. */
  readonly mayHaveBeenSent: boolean;
  /** True if the service may have acted before the last attempt began: on an earlier attempt, or on an earlier call. */
  readonly mayHaveActedBefore: boolean;
  /** The worst outcome of all attempts; always `'unknown'` if `mayHaveBeenSent` is true. */
  readonly outcome: FailureOutcome;
}
