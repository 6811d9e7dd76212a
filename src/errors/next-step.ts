import type { RetryPolicy } from '../protocol/endpoints.js';
import type { FailureOutcome } from '../protocol/result-statuses.js';

/**
 * The next step after a failed call:
 *
 * - `'fix'`: nothing was sent, and the same call fails again. Correct what the error names.
 * - `'call_again'`: nothing was sent, or the service refused for now. Call again later, after `retryAfterMs` if it is given.
 * - `'refused'`: the service refused. `action` has the advice for its status.
 * - `'repeat'`: unknown. Send the same request again with `mayHaveBeenSent: true`.
 * - `'look_up'`: unknown, and a repeat would not tell or could act twice. Look it up at the service.
 */
export type NextStep = 'fix' | 'call_again' | 'refused' | 'repeat' | 'look_up';

/** The facts that the next step follows from. */
interface Known {
  readonly outcome: FailureOutcome;
  readonly retryable: boolean;
  readonly mayHaveBeenSent: boolean;
  readonly policy: RetryPolicy;
}

/** The next step after a failed call. With `mayHaveBeenSent` the order is unknown, whatever happened in this call. */
export function nextStepOf({ outcome, retryable, mayHaveBeenSent, policy }: Known): NextStep {
  if (outcome === 'unknown') return retryable ? 'repeat' : 'look_up';
  // A repeat of what is sent once could act twice.
  if (mayHaveBeenSent) return retryable && policy !== 'once' ? 'repeat' : 'look_up';
  if (retryable) return 'call_again';
  return outcome === 'not_sent' ? 'fix' : 'refused';
}
