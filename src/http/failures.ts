import type { Phase } from '../errors/call-metadata.js';
import { describe, rebuildError, safeWords } from '../errors/foreign-errors.js';
import type { Failure } from '../errors/failure.js';
import type { FailureOutcome } from '../protocol/result-statuses.js';
import { outcomeAt, type TransportFailure } from './classify-failure.js';

/** How one attempt ended: the service did what was asked, or a failure. */
export type AttemptResult<T> =
  { readonly outcome: 'accepted'; readonly value: T; readonly resultStatus?: string } | Failure;

/** How far an attempt came when its connection was lost, and when its time was over. */
const progress: Readonly<Record<Phase, readonly [lost: string, atLimit: string]>> = {
  connecting: ['while connecting', ': still connecting to '],
  sending: ['while sending the request', ': still sending the request'],
  waiting: ['while waiting for the response', ': the request was sent, and no response began'],
  receiving: ['while receiving the response', ': the response began and did not end'],
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
  // A certificate or a proxy's refusal shows that the host was reached.
  const cause = transient && hint ? `; ${hint}` : '';
  const lost = phase ? `connection lost ${progress[phase][0]}` : 'connection failed';
  const where = outcome === 'not_sent' ? `could not connect to ${address(url)}` : lost;
  const happened = problem ?? `${where} (${code})${cause}`;
  return { code: 'CONNECTION', outcome, transient, problem: happened, meaning, facts };
}

function tooSlow(outcome: FailureOutcome, problem: string): Failure {
  return { code: 'TIMEOUT', outcome, transient: true, problem, facts: {} };
}

export function timedOut(limitMs: number, phase: Phase | undefined, url: URL, hint?: string): Failure {
  const atLimit = phase ? progress[phase][1] : '';
  const to = phase === 'connecting' ? address(url) : '';
  const problem = `no response within ${Math.round(limitMs)} ms${atLimit}${to}${hint ? `; ${hint}` : ''}`;
  return tooSlow(outcomeAt(phase), problem);
}

/** The time of a call is over before its first attempt; `still` is what took it. */
export function outOfTime(totalTimeoutMs: number, still?: string): Failure {
  const because = still ? `, because ${still}` : '';
  return tooSlow(
    'not_sent',
    `timed out: nothing was sent within the total limit of ${totalTimeoutMs} ms${because}`,
  );
}

/** `sendBefore` has passed, which says nothing against the request: the same one may be sent by a later call. */
export function tooLate(clock: 'wall' | 'monotonic'): Failure {
  const problem = `sendBefore has passed by the ${clock} clock, and no attempt begins after it: another call needs a new one`;
  return tooSlow('not_sent', problem);
}

/** An attempt or call that its caller aborted. The cause shows whether the signal timed out. */
export function abortedBy(signal: Pick<AbortSignal, 'reason'> | undefined, outcome: FailureOutcome): Failure {
  return {
    code: 'ABORTED',
    outcome,
    transient: true,
    problem: 'aborted by the signal of the caller',
    facts: { summary: 'aborted by the caller', cause: signal?.reason as unknown },
  };
}

/** A function of the caller returned a value that cannot be used. The message quotes none of it. */
export class HookResultError extends TypeError {
  constructor(hook: string, problem: string) {
    super(`the result of the ${hook} function ${problem}`);
  }
}

/**
 * A function of the caller failed. What it threw is the cause, untouched; it may not throw again. An unusable result would be
 * returned again, so the function has to be corrected first. But where an earlier attempt may have been acted on, only a
 * repeat shows it, so the failure counts as transient.
 */
export function hookFailed(hook: string, cause: unknown, soFar: FailureOutcome): Failure {
  const isUnusable = cause instanceof HookResultError;
  return {
    code: 'HOOK',
    outcome: 'not_sent',
    transient: !isUnusable || soFar !== 'not_sent',
    problem: isUnusable ? cause.message : `${hook} rejected; see the cause`,
    facts: { cause },
  };
}

/** A mistake of this package. What it means for the request is not known once the request may have been sent. */
export function internalFailure(error: unknown, outcome: FailureOutcome): Failure {
  const problem = `internal error of the client (${describe(safeWords(error))}), a mistake of this package`;
  return { code: 'CONNECTION', outcome, transient: false, problem, facts: { cause: rebuildError(error) } };
}
