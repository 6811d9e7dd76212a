import type { Attempt, CallMetadata, CallSubject } from '../errors/call-metadata.js';
import { AbortedError, TimeoutError, type InstallmentError } from '../errors/errors.js';
import type { FailureOutcome } from '../protocol/result-status.js';
import { rebuildError, safeWords } from '../errors/redact.js';
import { messageOf } from './judge.js';
import type { Failed, Verdict } from './verdict.js';

/** What the attempts so far add up to. */
export interface Progress {
  readonly attempts: Attempt[];
  outcome: FailureOutcome;
}

/** The metadata of a call as it stands. */
export function metadataOf(subject: CallSubject, { attempts }: Progress): CallMetadata {
  const httpStatus = attempts.findLast((attempt) => attempt.httpStatus !== undefined)?.httpStatus;
  return Object.freeze({
    ...subject,
    ...(httpStatus !== undefined && { httpStatus }),
    attempts: Object.freeze([...attempts]),
  });
}

/** The error that a call ends with: of its last attempt, and telling of all of them. */
export function errorOf(
  failed: Failed,
  subject: CallSubject,
  progress: Progress,
  retryAfterMs?: number,
): InstallmentError {
  return failed.toError({
    outcome: progress.outcome,
    retryable: failed.transient,
    metadata: metadataOf(subject, progress),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    ...(failed.cause && { cause: failed.cause }),
  });
}

/** An attempt, or a call, that its caller ended; the cause tells a time-out of the signal from a decision. */
export function abortedBy(signal: AbortSignal | undefined): Failed {
  return {
    outcome: 'unknown',
    transient: true,
    description: "ended by the caller's signal",
    cause: rebuildError(safeWords(signal?.reason)),
    toError: (init) => new AbortedError(messageOf("the caller's signal ended the call", init), init),
  };
}

/** The error of a call that its caller ended between attempts, or before the first. */
export function abortedError(
  subject: CallSubject,
  signal: AbortSignal | undefined,
  progress: Progress,
): InstallmentError {
  return errorOf(abortedBy(signal), subject, progress);
}

/** The error of a call whose time was over before anything was sent. */
export function outOfTimeError(subject: CallSubject, totalMs: number): TimeoutError {
  const init = { outcome: 'not_sent', retryable: true, metadata: { ...subject, attempts: [] } } as const;
  return new TimeoutError(messageOf(`the time of the call (${totalMs} ms) was over`, init), init);
}

/** The record of one attempt. */
export function recordOf(
  verdict: Verdict<unknown>,
  startedAt: Date,
  durationMs: number,
  requestTime: string,
): Attempt {
  const { outcome, httpStatus, resultStatus } = verdict;
  return Object.freeze({
    startedAt,
    durationMs,
    requestTime,
    outcome,
    ...(httpStatus !== undefined && { httpStatus }),
    ...(resultStatus !== undefined && { resultStatus }),
    ...(outcome !== 'accepted' && { error: verdict.description }),
  });
}
