import { makeError } from '../errors/make-error.js';
import type { Failure } from '../errors/failure.js';
import { makeAttempt } from './attempt.js';
import type { AttemptResult } from './failures.js';
import { pause } from '../values/time-limit.js';
import type { Call, FrozenRequest } from './call.js';
import type { CallState } from './call-state.js';

const firstBackoffMs = 500;
const longestBackoffMs = 8_000;
/**
 * The longest wait that the client accepts from `Retry-After`. If the header contains a longer wait, the call fails at
 * once.
 */
const longestRetryAfterMs = 30_000;
/** The shortest wait, also after `Retry-After: 0`. */
const shortestWaitMs = firstBackoffMs / 2;

/** The wait before a retry, with jitter. The wait doubles with each retry, up to a maximum. `index` begins at 0. */
export function backoffMs(index: number, random: number): number {
  return Math.min(longestBackoffMs, firstBackoffMs * 2 ** index) * (0.5 + 0.5 * random);
}

function canRetry({ transient, outcome }: Failure, { policy }: Call<unknown>): boolean {
  return transient && (policy === 'idempotent' || outcome !== 'unknown');
}

/**
 * Sends a call until it succeeds, fails permanently, or has used up its retries or its time. All attempts have the same
 * body and idempotency key.
 */
export async function sendWithRetries<T>(callState: CallState<T>, request: FrozenRequest): Promise<T> {
  const { call } = callState;
  const { runtime, observer } = callState.shared;
  const { maxRetries, signal } = call.limits;
  let hasLostIdleConnection = false;

  for (let retry = 0; ; retry++) {
    callState.throwIfOver();
    // If an idle connection is dead, the attempt fails after the request was written, so its outcome is unknown.
    // Therefore, a new connection is opened in three cases: for the last attempt, for a call that must not be repeated
    // if its outcome is unknown, and after the first dead connection.
    const canUseIdleConnection: boolean =
      call.policy === 'idempotent' && retry < maxRetries && !hasLostIdleConnection;
    const result: AttemptResult<T> = await makeAttempt(callState, request, {
      isFresh: !canUseIdleConnection,
    });
    if (result.outcome === 'accepted') return result.value;
    callState.lastFailure = result;
    if (retry >= maxRetries || !canRetry(result, call)) throw makeError(result, callState);
    // The hook onAttempt, which was just called, can have aborted the signal. Then the next `throwIfOver` throws.
    if (signal?.aborted) continue;
    const { wasIdleConnectionLost = false, retryAfterMs }: Failure['facts'] = result.facts;
    // After a dead idle connection, the client retries at once, but only the first time in a call: after a restart of
    // the server, all idle connections are dead, and an `agent` of the caller could use them one after another.
    if (wasIdleConnectionLost && !hasLostIdleConnection) {
      hasLostIdleConnection = true;
      continue;
    }
    const waitMs = Math.max(shortestWaitMs, retryAfterMs ?? backoffMs(retry, runtime.random()));
    const isInTime = waitMs < callState.deadline.leftMs() && !callState.deadline.sendBeforeFailure(waitMs);
    if (!isInTime || waitMs > longestRetryAfterMs) throw makeError(result, callState);
    observer.waiting(call.subject, waitMs, callState.attempts.length, result);
    await pause(waitMs, signal, runtime.after);
  }
}
