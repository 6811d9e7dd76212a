import type { ResultMetadata } from '../errors/call-metadata.js';
import type { Failed } from '../errors/error-table.js';
import { makeAttempt, type AttemptEnd } from './attempt.js';
import { wait } from './bounded.js';
import type { Call, Completed, FrozenRequest } from './call.js';
import type { CallRun } from './call-run.js';
import { longestRetryAfterMs } from './retry-after.js';
import type { IdleConnections } from './transport.js';

const firstBackoffMs = 500;
const longestBackoffMs = 8_000;
/** Also the least after `Retry-After: 0`. */
const shortestWaitMs = firstBackoffMs / 2;

/** The wait before retry `index`, from 0: it doubles up to a limit, with jitter. */
export function backoffMs(index: number, random: number): number {
  return Math.min(longestBackoffMs, firstBackoffMs * 2 ** index) * (0.5 + 0.5 * random);
}

function isRetried({ transient, outcome }: Failed, { policy }: Call<unknown>): boolean {
  return transient && (policy === 'idempotent' || outcome !== 'unknown');
}

/**
 * Sends a call until it succeeds, fails finally, or has used up its retries or its time. All attempts have the same body and
 * idempotency key.
 */
export async function sendWithRetries<T>(
  call: Call<T>,
  request: FrozenRequest,
  run: CallRun,
): Promise<Completed<T>> {
  const { history, signal } = run;
  const { runtime, observer } = run.shared;
  const { maxRetries } = call.terms;
  let hasLostIdleConnection = false;

  for (let retry = 0; ; retry++) {
    run.throwIfOver();
    // A dead idle connection costs a retry, so the last attempt does not risk one.
    const mayLoseConnection: boolean =
      call.policy === 'idempotent' && retry < maxRetries && !hasLostIdleConnection;
    const idle: IdleConnections = mayLoseConnection ? 'any' : 'promised';
    const { result, retryAfterMs }: AttemptEnd<T> = await makeAttempt(call, request, idle, run);
    // An accepted answer has an HTTP status.
    if (result.outcome === 'accepted') {
      return { value: result.value, metadata: history.metadata as ResultMetadata };
    }
    run.failed(result, retryAfterMs);
    if (retry >= maxRetries || !isRetried(result, call)) throw run.lastError();
    // onAttempt may have aborted the call.
    if (signal?.aborted) continue;
    // Once for a call: a server that restarts closes all of its idle connections.
    const isAtOnce: boolean = result.facts.wasIdleConnectionLost === true && !hasLostIdleConnection;
    hasLostIdleConnection ||= isAtOnce;
    if (isAtOnce) continue;
    const waitMs = Math.max(shortestWaitMs, retryAfterMs ?? backoffMs(retry, runtime.random()));
    if (!run.hasTimeFor(waitMs) || waitMs > longestRetryAfterMs) throw run.lastError();
    observer.waiting(call.subject, waitMs, history.attempts.length, result);
    await wait({ ms: waitMs, signal, runtime });
  }
}
