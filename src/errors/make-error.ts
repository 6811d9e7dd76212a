import { issuesText } from '../validation/broken-rules.js';
import type { ValidationIssue } from '../protocol/issues.js';
import { worseOf, type FailureOutcome } from '../protocol/result-statuses.js';
import { actionFor, messageOf } from './advice.js';
import type { CallSubject, NextStep } from './call-metadata.js';
import { errorTable } from './error-codes.js';
import type { Failure, CallSoFar } from './failure.js';
import type { InstallmentError } from './installment-error.js';

/** The next step after a failed call. With `mayHaveBeenSent`, an earlier call has an unknown outcome. */
export function nextStepOf(
  outcome: FailureOutcome,
  retryable: boolean,
  { mayHaveBeenSent, policy }: Pick<CallSoFar, 'mayHaveBeenSent' | 'policy'>,
): NextStep {
  if (outcome === 'unknown') return retryable ? 'repeat' : 'look_up';
  // With the policy 'once', the service could act a second time on a repeat.
  if (mayHaveBeenSent) return retryable && policy !== 'once' ? 'repeat' : 'look_up';
  if (retryable) return 'call_again';
  return outcome === 'not_sent' ? 'fix' : 'refused';
}

/** Creates the error of a call. The last failure decides the class, and all attempts together decide the outcome. */
export function makeError(failure: Failure, call: CallSoFar): InstallmentError {
  const { type: ErrorClass, bestOutcome = 'not_sent', isCallersMistake } = errorTable[failure.code];
  const { retryAfterMs } = failure.facts;
  const { metadata } = call;
  const { attempts, request: _request, ...subject } = metadata;
  const isCallersMistakeBeforeSending = isCallersMistake === true && attempts.length === 0;
  // The outcome of an error with this code is never better than `bestOutcome`.
  const outcome = worseOf(isCallersMistakeBeforeSending ? failure.outcome : call.outcome, bestOutcome);
  const couldActTwice = call.policy === 'once' && outcome === 'unknown';
  const retryable = failure.transient && !couldActTwice;
  const state = {
    code: failure.code,
    outcome,
    retryable,
    nextStep: nextStepOf(outcome, retryable, call),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
  const action = actionFor(state, metadata.operation, call.mayHaveActedBefore);
  return new ErrorClass({
    message: messageOf(failure, action, state, metadata),
    fields: { ...state, action, ...subject, $metadata: metadata },
    facts: { ...failure.facts, mayHaveActedBefore: call.mayHaveActedBefore },
  });
}

/** The state of a call that has made no attempt. */
export function withoutAttempts(subject: CallSubject, mayHaveBeenSent = false): CallSoFar {
  return {
    metadata: { ...subject, attempts: [] },
    policy: 'once',
    mayHaveBeenSent,
    mayHaveActedBefore: mayHaveBeenSent,
    outcome: mayHaveBeenSent ? 'unknown' : 'not_sent',
  };
}

/** Creates the error for input that breaks a rule. Nothing was sent. */
export function invalidInput(
  issues: readonly ValidationIssue[],
  subject: CallSubject,
  {
    mayHaveBeenSent = false,
    ...facts
  }: { readonly mayHaveBeenSent?: boolean; readonly cause?: unknown } = {},
): InstallmentError {
  const texts = issuesText(issues, 'the request', 10, 'more, see error.issues');
  const failure: Failure = {
    code: 'VALIDATION',
    outcome: 'not_sent',
    transient: false,
    // With `mayHaveBeenSent`, this first sentence is left out: the advice at the end of the message says the same.
    problem: mayHaveBeenSent ? texts : `this call sent nothing. ${texts}`,
    facts: { ...facts, issues },
  };
  return makeError(failure, withoutAttempts(subject, mayHaveBeenSent));
}
