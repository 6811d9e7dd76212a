import { makeError } from '../errors/make-error.js';
import type { Failure } from '../errors/failure.js';
import { makeAttempt } from './attempt.js';
import type { AttemptResult } from './failures.js';
import { pause } from '../values/time-limit.js';
import type { Call, FrozenRequest } from './call.js';
import type { CallState } from './call-state.js';

const firstBackoffMs = 500;
const longestBackoffMs = 8_000;
/** The longest `Retry-After`. If the service asks for a longer wait, the call fails at once. */
const longestRetryAfterMs = 30_000;
/** The shortest wait, also after `Retry-After: 0`. */
const shortestWaitMs = firstBackoffMs / 2;

/** The wait before retry `index`, from 0: it doubles up to a limit, with jitter. */
export function backoffMs(index: number, random: number): number {
  return Math.min(longestBackoffMs, firstBackoffMs * 2 ** index) * (0.5 + 0.5 * random);
}

function mayRetry({ transient, outcome }: Failure, { policy }: Call<unknown>): boolean {
  return transient && (policy === 'idempotent' || outcome !== 'unknown');
}

/**
 * Sends a call until it succeeds, fails permanently, or has used up its retries or its time. All attempts have the same
 * body and idempotency key.
 */
export async function sendWithRetries<T>(run: CallState<T>, request: FrozenRequest): Promise<T> {
  const { call } = run;
  const { runtime, observer } = run.shared;
  const { maxRetries, signal } = call.limits;
  let hasLostIdleConnection = false;

  for (let retry = 0; ; retry++) {
    run.throwIfOver();
    // An idle connection can be dead. This shows only after the request is written, and then the attempt is lost. So a
    // new connection is used for the last attempt, for a call that must not be repeated if its outcome is unknown, and
    // after the first lost connection of this kind.
    const mayLoseConnection: boolean =
      call.policy === 'idempotent' && retry < maxRetries && !hasLostIdleConnection;
    const result: AttemptResult<T> = await makeAttempt(run, request, { isFresh: !mayLoseConnection });
    if (result.outcome === 'accepted') return result.value;
    run.lastFailure = result;
    if (retry >= maxRetries || !mayRetry(result, call)) throw makeError(result, run);
    // The hook onAttempt, which was just called, can have aborted the signal: then throwIfOver ends the call.
    if (signal?.aborted) continue;
    const { wasIdleConnectionLost = false, retryAfterMs }: Failure['facts'] = result.facts;
    // After the loss of an idle connection no wait is needed, but only once in a call: a server that restarts closes
    // all of them.
    const needsNoWait: boolean = wasIdleConnectionLost && !hasLostIdleConnection;
    hasLostIdleConnection ||= needsNoWait;
    if (needsNoWait) continue;
    const waitMs = Math.max(shortestWaitMs, retryAfterMs ?? backoffMs(retry, runtime.random()));
    const isPossible = waitMs < run.deadline.leftMs() && !run.deadline.lateFailure(waitMs);
    if (!isPossible || waitMs > longestRetryAfterMs) throw makeError(result, run);
    observer.waiting(call.subject, waitMs, run.attempts.length, result);
    await pause(waitMs, signal, runtime.after);
  }
}
