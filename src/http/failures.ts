import type { Phase } from '../errors/call-metadata.js';
import { shortDescription, rebuildError, innermostSafeFacts } from '../errors/foreign-errors.js';
import type { Failure } from '../errors/failure.js';
import type { FailureOutcome } from '../protocol/result-statuses.js';
import { outcomeAt, type TransportFailure } from './classify-failure.js';

/** The result of one attempt: the value of an accepted request, or a failure. */
export type AttemptResult<T> =
  | { readonly outcome: 'accepted'; readonly value: T; readonly resultStatus?: string }
  | Failure;

/** The phase of an attempt in words, for a lost connection and for a time-out. */
const progress: Readonly<Record<Phase, readonly [lost: string, atLimit: string]>> = {
  connecting: ['while connecting', ': still connecting to '],
  sending: ['while sending the request', ': still sending the request'],
  waiting: ['while waiting for the response', ': the request was sent, but no response began'],
  receiving: ['while receiving the response', ': the response began, but was not complete'],
  complete: ['after the response', ''],
};

function address({ protocol, hostname, port }: URL): string {
  return `${hostname}:${port || (protocol === 'https:' ? '443' : '80')}`;
}

export function connectionFailed(
  { outcome, transient, code, problem, meaning, ...facts }: TransportFailure,
  phase: Phase | undefined,
  url: URL,
  hint?: string,
): Failure {
  // The hint names an unused proxy variable. After a permanent failure, such as a refused certificate, a missing proxy
  // is not the cause: the host was reached.
  const proxyHint = transient && hint ? `; ${hint}` : '';
  const lost = phase ? `connection lost ${progress[phase][0]}` : 'connection failed';
  const what = outcome === 'not_sent' ? `could not connect to ${address(url)}` : lost;
  const happened = problem ?? `${what} (${code})${proxyHint}`;
  return { code: 'CONNECTION', outcome, transient, problem: happened, meaning, facts };
}

function timeoutFailure(outcome: FailureOutcome, problem: string): Failure {
  return { code: 'TIMEOUT', outcome, transient: true, problem, facts: {} };
}

export function timedOut(limitMs: number, phase: Phase | undefined, url: URL, hint?: string): Failure {
  const atLimit = phase ? progress[phase][1] : '';
  const to = phase === 'connecting' ? address(url) : '';
  const problem = `no response within ${Math.round(limitMs)} ms${atLimit}${to}${hint ? `; ${hint}` : ''}`;
  return timeoutFailure(outcomeAt(phase), problem);
}

/**
 * The failure of a call whose total time limit has passed before its first attempt. `unfinishedWork` names the work
 * that took the time.
 */
export function totalLimitPassed(totalTimeoutMs: number, unfinishedWork?: string): Failure {
  const because = unfinishedWork ? `, because ${unfinishedWork} had not finished` : '';
  return timeoutFailure(
    'not_sent',
    `timed out: nothing was sent within the total limit of ${totalTimeoutMs} ms${because}`,
  );
}

/** The failure of a call whose `sendBefore` has passed. The request itself is fine, so a later call can send it. */
export function sendBeforePassed(clock: 'wall' | 'monotonic'): Failure {
  return timeoutFailure(
    'not_sent',
    `sendBefore has passed (by the ${clock} clock): call again with a new sendBefore`,
  );
}

/**
 * The failure of an attempt or call that its caller aborted. The cause is the signal's reason, which shows whether the
 * signal timed out.
 */
export function abortedBy(signal: Pick<AbortSignal, 'reason'> | undefined, outcome: FailureOutcome): Failure {
  return {
    code: 'ABORTED',
    outcome,
    transient: true,
    problem: 'aborted by the signal of the caller',
    facts: { summary: 'aborted by the caller', cause: signal?.reason as unknown },
  };
}

/** The error for a function of the caller that returned an unusable value. The message does not quote the value. */
export class UnusableResultError extends TypeError {
  constructor(name: string, problem: string) {
    super(`the result of the ${name} function ${problem}`);
  }
}

/**
 * The failure of a function of the caller. The cause is the value that the function threw, untouched, or an
 * `UnusableResultError`. A function that threw can succeed the next time, so its failure is transient. A function that
 * returned an unusable value must be corrected first, so its failure is not transient. Exception: if an earlier attempt
 * or call may have sent the request, the failure is transient, because only a repeat can show the result.
 */
export function functionFailed(name: string, cause: unknown, soFar: FailureOutcome): Failure {
  const isUnusable = cause instanceof UnusableResultError;
  return {
    code: 'HOOK',
    outcome: 'not_sent',
    transient: !isUnusable || soFar !== 'not_sent',
    problem: isUnusable ? cause.message : `the ${name} function failed: see error.cause`,
    facts: { cause },
  };
}

/**
 * The failure for a bug in this package. `outcome` says whether the request may have been sent. The code is CONNECTION,
 * because callers that handle a connection error must expect any outcome.
 */
export function internalFailure(error: unknown, outcome: FailureOutcome): Failure {
  const problem = `internal error of the client (${shortDescription(innermostSafeFacts(error))}): please report this bug`;
  return { code: 'CONNECTION', outcome, transient: false, problem, facts: { cause: rebuildError(error) } };
}
