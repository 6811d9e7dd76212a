import type { ValidationIssue } from '../protocol/issues.js';
import { issueText } from '../protocol/issues.js';
import { worseOf } from '../protocol/result-statuses.js';
import { actionFor, messageOf } from './advice.js';
import type { CallSubject } from './call-metadata.js';
import { errorTable, type Failed, type FailedCall } from './error-table.js';
import type { InstallmentError } from './installment-error.js';
import { nextStepOf } from './next-step.js';

/** The error of a call: its last failure decides the class, all attempts the outcome. */
export function errorOf(failed: Failed, call: FailedCall, retryAfterMs?: number): InstallmentError {
  const { type: ErrorClass, best, isOfThisCall, fields } = errorTable[failed.code];
  const { body, resultStatus, resultMsg } = failed.facts;
  const { metadata, policy, mayHaveBeenSent } = call;
  const { attempts, request: _request, ...subject } = metadata;
  const isUntried = isOfThisCall === true && attempts.length === 0;
  const outcome = worseOf(isUntried ? failed.outcome : call.outcome, best);
  const couldActTwice = policy === 'once' && outcome === 'unknown';
  const retryable = failed.transient && !couldActTwice;
  const known = {
    code: failed.code,
    outcome,
    retryable,
    nextStep: nextStepOf({ policy, mayHaveBeenSent, outcome, retryable }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
  const action = actionFor(known, call);
  const own = { ...known, action, ...subject, $metadata: metadata, ...fields?.(failed, call) };
  return new ErrorClass({
    message: messageOf(failed.problem, action, known, call),
    fields: own,
    options: 'cause' in failed.facts ? { cause: failed.facts.cause } : undefined,
    hidden: { body, resultStatus, resultMsg, mayHaveBeenSent },
  });
}

/** A call of which nothing was sent. */
export function untried(subject: CallSubject, mayHaveBeenSent = false): FailedCall {
  return {
    metadata: { ...subject, attempts: [] },
    policy: 'once',
    mayHaveBeenSent,
    mayHaveActedBefore: mayHaveBeenSent,
    outcome: mayHaveBeenSent ? 'unknown' : 'not_sent',
  };
}

const issuesInMessage = 10;

function problemOf(issues: readonly ValidationIssue[]): string {
  const lines = issues.slice(0, issuesInMessage).map((issue) => issueText(issue, 'the request'));
  const more = issues.length - lines.length;
  return `nothing was sent by this call. ${lines.join('; ')}${more > 0 ? `; and ${String(more)} more, see issues` : ''}`;
}

/** The error of input that breaks a rule. Nothing was sent. */
export function invalidInput(
  issues: readonly ValidationIssue[],
  subject: CallSubject,
  {
    mayHaveBeenSent = false,
    ...facts
  }: { readonly mayHaveBeenSent?: boolean; readonly cause?: unknown } = {},
): InstallmentError {
  const failed: Failed = {
    code: 'VALIDATION',
    outcome: 'not_sent',
    transient: false,
    problem: problemOf(issues),
    facts: { ...facts, issues },
  };
  return errorOf(failed, untried(subject, mayHaveBeenSent));
}
