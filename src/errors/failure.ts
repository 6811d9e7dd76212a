import type { RetryPolicy } from '../protocol/endpoints.js';
import type { FailureOutcome } from '../protocol/result-statuses.js';
import type { CallMetadata } from './call-metadata.js';
import type { FailureCode } from './error-codes.js';
import type { FailureFacts } from './installment-error.js';

/** A failure: of one attempt, or between attempts. The error is made when the call ends, because it covers all attempts. */
export interface Failure {
  readonly code: FailureCode;
  /** Of this attempt alone. */
  readonly outcome: FailureOutcome;
  /** Whether the same request may succeed later. */
  readonly transient: boolean;
  /** For the message of the error, without a full stop: `connection lost while waiting for the response (ECONNRESET)`. */
  readonly problem: string;
  /** A sentence that follows it, such as the documented meaning of a result status. */
  readonly meaning?: string | undefined;
  readonly facts: FailureFacts;
}

/** A call as far as it has come. With its last failure this makes its error. */
export interface CallSoFar {
  readonly metadata: CallMetadata;
  readonly policy: RetryPolicy;
  /** Whether the same request was sent before this call, by the caller's word. */
  readonly mayHaveBeenSent: boolean;
  /** Whether the service may have acted before the last attempt, in this call or before it. */
  readonly mayHaveActedBefore: boolean;
  /** The worst outcome of all attempts, including one before this call. */
  readonly outcome: FailureOutcome;
}
