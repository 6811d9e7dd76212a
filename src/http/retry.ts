import { makeAttempt } from './attempt.js';
import { AttemptHistory } from './attempt-history.js';
import { abortedBy, outOfTime, type AttemptResult, type Failed } from './attempt-result.js';
import { wait } from './bounded.js';
import type { Call, CallDescription, Completed } from './call.js';
import { longestRetryAfterMs, parseRetryAfter } from './retry-after.js';
import type { Shared } from './shared-resources.js';
import type { IdleConnections } from './transport.js';

const firstBackoffMs = 500;
const longestBackoffMs = 8_000;
/** Also the least after `Retry-After: 0`. */
const shortestWaitMs = firstBackoffMs / 2;

/** The wait before retry `index`, from 0: it doubles up to a limit, with jitter. */
export function backoffMs(index: number, random: number): number {
  return Math.min(longestBackoffMs, firstBackoffMs * 2 ** index) * (0.5 + 0.5 * random);
}

function isRetried({ transient, outcome }: Failed, { policy }: CallDescription): boolean {
  return transient && (policy === 'idempotent' || outcome !== 'unknown');
}

/**
 * Sends a call until it succeeds, fails finally, or has used up its retries, its time or the budget of the client. All
 * attempts have the same body and idempotency key.
 */
export async function sendWithRetries<T>(call: Call<T>, shared: Shared): Promise<Completed<T>> {
  const { terms } = call;
  const { runtime, budget, observer } = shared;
  const history = new AttemptHistory(call);
  let lastError = () => history.toError(outOfTime(terms.totalTimeoutMs));
  let spentTokens = 0;
  let hasLostIdleConnection = false;

  for (let retry = 0; ; retry++) {
    if (terms.signal?.aborted) throw history.toError(abortedBy(terms.signal, history.outcome));
    // A timer may fire late. An attempt without time would be recorded as sent, although it was not.
    if (terms.leftMs() <= 0) throw lastError();
    // A dead idle connection costs a repeat, so the last attempt does not risk one.
    const mayLoseConnection: boolean =
      call.policy === 'idempotent' && retry < terms.maxRetries && !hasLostIdleConnection;
    const idle: IdleConnections = mayLoseConnection ? 'any' : 'promised';
    const result: AttemptResult<T> = await makeAttempt(call, shared, idle, history, lastError);
    if (result.outcome === 'accepted') {
      budget.refund(spentTokens);
      return { value: result.value, metadata: { ...history.metadata(), httpStatus: result.httpStatus } };
    }
    const retryAfterMs = parseRetryAfter(result.retryAfter, runtime.now());
    lastError = () => history.toError(result, retryAfterMs);
    if (retry >= terms.maxRetries || !isRetried(result, call)) throw lastError();
    // onAttempt may have aborted the call.
    if (terms.signal?.aborted) continue;
    // Once for a call: a server that restarts closes all of its idle connections.
    const isAtOnce: boolean = result.wasIdleConnectionLost === true && !hasLostIdleConnection;
    hasLostIdleConnection ||= isAtOnce;
    const waitMs = isAtOnce
      ? 0
      : Math.max(shortestWaitMs, retryAfterMs ?? backoffMs(retry, runtime.random()));
    if (waitMs >= terms.leftMs() || waitMs > longestRetryAfterMs) throw lastError();
    const cost = budget.take(result);
    if (cost === undefined) throw lastError();
    spentTokens += cost;

    if (waitMs === 0) continue;
    observer.waiting(call.subject, waitMs, history.attempts.length, result.description);
    await wait({ ms: waitMs, signal: terms.signal, runtime });
  }
}
