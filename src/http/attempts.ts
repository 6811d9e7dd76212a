import { messageOf } from '../errors/error-messages.js';
import type { Attempt, CallMetadata, CallSubject, Phase, RequestTarget } from '../errors/call-metadata.js';
import {
  AbortedError,
  ConnectionError,
  TimeoutError,
  type ErrorInit,
  type InstallmentError,
} from '../errors/errors.js';
import { rebuildError, safeWords } from '../errors/redact.js';
import type { FailureOutcome } from '../protocol/result-statuses.js';
import type { Limits } from './call-limits.js';
import { outcomeAt, type TransportFailure } from './classify-failure.js';

/** The service did what was asked. */
export interface Accepted<T> {
  readonly outcome: 'accepted';
  readonly value: T;
  readonly httpStatus: number;
  readonly resultStatus?: string;
}

/** One attempt failed. The error is made when the call ends, because it covers all attempts. */
export interface Failed {
  readonly outcome: FailureOutcome;
  /** Whether the same request may succeed later. */
  readonly transient: boolean;
  /** Short, for the record of the attempt. */
  readonly description: string;
  readonly toError: (init: ErrorInit) => InstallmentError;
  readonly httpStatus?: number;
  readonly resultStatus?: string;
  /** The header as received. */
  readonly retryAfter?: string | undefined;
  readonly cause?: Error | undefined;
  /** The connection was dead, not the service: the next attempt follows at once. */
  readonly wasIdleConnectionLost?: boolean | undefined;
}

/** How one attempt ended. */
export type AttemptResult<T> = Accepted<T> | Failed;

/**
 * Whether a repeated request can do harm. `'idempotent'`: it has a key for the service to recognise it by, so it is
 * repeated after every transient failure. `'once'`: it has none, so it is repeated only if it certainly had no effect.
 */
export type RetryPolicy = 'idempotent' | 'once';

/** The policy of a call: without `repeatUnknown`, nothing is sent again that may have been acted on. */
export function policyOf(policy: RetryPolicy, { repeatUnknown }: Limits): RetryPolicy {
  return repeatUnknown ? policy : 'once';
}

/** What a call is about, for its errors and records. */
export interface CallDescription {
  readonly subject: CallSubject;
  readonly target: RequestTarget;
  readonly policy: RetryPolicy;
  /** The caller's word whether the same request was sent before this call; undefined if it is not known. */
  readonly mayHaveBeenSent?: boolean | undefined;
}

/** Which outcome outweighs another: what may have happened outweighs what is certain. */
export const severity: Readonly<Record<FailureOutcome, number>> = { not_sent: 0, rejected: 1, unknown: 2 };

export class AttemptHistory {
  readonly attempts: Attempt[] = [];
  /** The worst outcome of all attempts, including one before this call. */
  outcome: FailureOutcome;
  /** Whether the service may have acted on an attempt before the last one. */
  #mayHaveActedBefore: boolean;
  readonly #call: CallDescription;

  constructor(call: CallDescription) {
    this.#call = call;
    this.#mayHaveActedBefore = call.mayHaveBeenSent === true;
    this.outcome = this.#mayHaveActedBefore ? 'unknown' : 'not_sent';
  }

  add(
    result: AttemptResult<unknown>,
    about: Pick<Attempt, 'startedAt' | 'durationMs' | 'requestTime'> & { readonly phase?: Phase | undefined },
  ): Attempt {
    const { outcome, httpStatus, resultStatus } = result;
    const { startedAt, durationMs, requestTime, phase } = about;
    // Filled in place: spreads here took about 5 % of the CPU of a payment.
    const attempt: { -readonly [Field in keyof Attempt]: Attempt[Field] } = {
      startedAt,
      durationMs,
      requestTime,
      outcome,
    };
    if (phase !== undefined) attempt.phase = phase;
    if (httpStatus !== undefined) attempt.httpStatus = httpStatus;
    if (resultStatus !== undefined) attempt.resultStatus = resultStatus;
    if (outcome !== 'accepted') attempt.error = result.description;
    Object.freeze(attempt);
    this.attempts.push(attempt);
    this.#mayHaveActedBefore = this.outcome === 'unknown';
    if (outcome !== 'accepted' && severity[outcome] > severity[this.outcome]) this.outcome = outcome;
    return attempt;
  }

  metadata(): CallMetadata {
    const { subject, target } = this.#call;
    const httpStatus = this.attempts.findLast((attempt) => attempt.httpStatus !== undefined)?.httpStatus;
    return Object.freeze({
      ...subject,
      request: target,
      ...(httpStatus !== undefined && { httpStatus }),
      attempts: Object.freeze([...this.attempts]),
    });
  }

  /** The error that the call ends with: that of its last attempt, with the outcome of all of them. */
  toError({ transient, cause, toError }: Failed, retryAfterMs?: number): InstallmentError {
    const couldActTwice = this.#call.policy === 'once' && this.outcome === 'unknown';
    return toError({
      outcome: this.outcome,
      retryable: transient && !couldActTwice,
      ...(this.#mayHaveActedBefore && { mayHaveActedBefore: true }),
      metadata: this.metadata(),
      ...(retryAfterMs !== undefined && { retryAfterMs }),
      ...(cause && { cause }),
    });
  }
}

const lostWhile: Readonly<Record<Phase, string>> = {
  connecting: 'connection lost while connecting',
  sending: 'connection lost while sending the request',
  waiting: 'connection lost while waiting for the answer',
  receiving: 'connection lost while receiving the answer',
  complete: 'connection lost after the answer',
};

function address({ protocol, hostname, port }: URL): string {
  return `${hostname}:${port || (protocol === 'https:' ? '443' : '80')}`;
}

export function connectionFailed(
  { outcome, transient, code, description, cause, wasIdleConnectionLost }: TransportFailure,
  phase: Phase | undefined,
  url: URL,
): Failed {
  const problem =
    outcome === 'not_sent'
      ? `could not connect to ${address(url)}`
      : phase === undefined
        ? 'connection failed'
        : lostWhile[phase];
  return {
    outcome,
    transient,
    description,
    cause,
    wasIdleConnectionLost,
    toError: (init) => new ConnectionError(messageOf(`${problem} (${code})`, init), init),
  };
}

function whereItStood(phase: Phase | undefined, url: URL): string {
  switch (phase) {
    case 'connecting':
      return `: still connecting to ${address(url)}`;
    case 'sending':
      return ': still sending the request';
    case 'waiting':
      return ': the request was sent, and no answer began';
    case 'receiving':
      return ': the answer began and did not end';
    default:
      return '';
  }
}

export function timedOut(limitMs: number, phase: Phase | undefined, url: URL): Failed {
  const description = `no answer within ${Math.round(limitMs)} ms${whereItStood(phase, url)}`;
  return timeout(outcomeAt(phase), description);
}

/** An attempt or call that its caller aborted. The cause shows whether the signal timed out. */
export function abortedBy(signal: Pick<AbortSignal, 'reason'> | undefined, outcome: FailureOutcome): Failed {
  return {
    outcome,
    transient: true,
    description: 'aborted by the caller',
    cause: rebuildError(safeWords(signal?.reason)),
    toError: (init) => new AbortedError(messageOf('aborted by the signal of the caller', init), init),
  };
}

export function outOfTime(totalTimeoutMs: number): Failed {
  return timeout('not_sent', `timed out: nothing was sent within the total limit of ${totalTimeoutMs} ms`);
}

function timeout(outcome: FailureOutcome, description: string): Failed {
  const toError = (init: ErrorInit) => new TimeoutError(messageOf(description, init), init);
  return { outcome, transient: true, description, toError };
}
