import { setImmediate as nextTurn } from 'node:timers';
import type { ResultMetadata } from '../errors/call-metadata.js';
import { headerNames } from '../protocol/headers.js';
import { requestTime } from '../protocol/timestamps.js';
import {
  abortedBy,
  AttemptHistory,
  connectionFailed,
  outOfTime,
  timedOut,
  type AttemptResult,
  type CallDescription,
  type Failed,
} from './attempts.js';
import type { CallLimits } from './call-limits.js';
import { isWholeJson } from './response.js';
import { outcomeAt } from './classify-failure.js';
import { longestRetryAfterMs, parseRetryAfter } from './retry-after.js';
import type { Runtime } from './runtime.js';
import type { Shared } from './shared.js';
import { signAttempt, type SignableCall } from './sign-attempt.js';
import type { IdleConnections, Transport, TransportResult, WireRequest, WireResponse } from './transport.js';
import { wait, watch } from './with-timeout.js';

/** A call that is ready to be sent: its bytes are frozen. */
export interface Call<T> extends SignableCall {
  /** Offset of Request-Time in minutes east of UTC; without it the header is not sent. */
  readonly requestTimeOffset?: number;
  readonly processResponse: (response: WireResponse) => AttemptResult<T>;
}

/** A result, and how it came about. */
export interface Completed<T> {
  readonly value: T;
  readonly metadata: ResultMetadata;
}

const firstBackoffMs = 500;
const longestBackoffMs = 8_000;
/** `Retry-After: 0` does not make waits shorter than the shortest back-off. */
const shortestWaitMs = firstBackoffMs / 2;

/** The wait before retry `index`, from 0: it doubles up to a limit, with jitter. */
export function backoffMs(index: number, random: number): number {
  return Math.min(longestBackoffMs, firstBackoffMs * 2 ** index) * (0.5 + 0.5 * random);
}

type Sent = TransportResult & { readonly stoppedBy?: 'timeout' | 'aborted' | undefined };

/** Sends one request within a time limit. */
async function sendWithin(
  ms: number,
  request: WireRequest,
  transport: Transport,
  idleConnections: IdleConnections,
  { signal }: CallLimits,
  runtime: Runtime,
): Promise<Sent> {
  const startedMs = runtime.monotonicMs();
  let stoppedBy: Sent['stoppedBy'];
  let end: () => void = () => undefined;
  const stop = (reason: Sent['stoppedBy']) => {
    stoppedBy ??= reason;
    end();
  };
  const unwatch = watch({ ms, signal, runtime }, (reason) => {
    if (reason === 'aborted') stop(reason);
    // One more turn: after a blocked event loop, an answer that has arrived is still read.
    else nextTurn(stop, reason);
  });
  try {
    const result = await transport(request, {
      leftMs: () => ms - (runtime.monotonicMs() - startedMs),
      idleConnections,
      onStop: (given) => {
        end = given;
        if (stoppedBy) given();
      },
    });
    return stoppedBy ? { ...result, stoppedBy } : result;
  } finally {
    unwatch();
  }
}

/** The result of an attempt: by its response if that is complete or whole JSON, else by how the attempt ended. */
function resultOf<T>(
  sent: Sent,
  { limits, request, processResponse }: Call<T>,
  ms: number,
): AttemptResult<T> {
  const { response, failure, phase, stoppedBy } = sent;
  if (stoppedBy === 'aborted') return abortedBy(limits.signal, outcomeAt(phase));
  const isComplete = failure === undefined && stoppedBy === undefined;
  if (response && (isComplete || isWholeJson(response))) return processResponse(response);
  const failed = failure ? connectionFailed(failure, phase, request.url) : timedOut(ms, phase, request.url);
  return response ? { ...failed, httpStatus: response.httpStatus, retryAfter: response.retryAfter } : failed;
}

async function attempt<T>(
  call: Call<T>,
  { runtime, observer, transport }: Shared,
  idleConnections: IdleConnections,
  history: AttemptHistory,
): Promise<AttemptResult<T>> {
  const { limits, request, requestTimeOffset } = call;
  // A copy, because the Date belongs to the caller's clock.
  const startedAt = new Date(runtime.now());
  const startedMs = runtime.monotonicMs();
  const time = requestTimeOffset === undefined ? '' : requestTime(startedAt, requestTimeOffset);
  const headers = time === '' ? request.headers : { ...request.headers, [headerNames.requestTime]: time };
  const ms = Math.min(limits.attemptTimeoutMs, limits.leftMs());
  const sent = await sendWithin(ms, { ...request, headers }, transport, idleConnections, limits, runtime);
  const result = resultOf(sent, call, ms);
  const durationMs = runtime.monotonicMs() - startedMs;
  const record = history.add(result, { startedAt, durationMs, requestTime: time, phase: sent.phase });
  observer.attempted(record, result, call, history.attempts.length);
  return result;
}

function isRetried({ transient, outcome }: Failed, { policy }: CallDescription): boolean {
  return transient && (policy === 'idempotent' || outcome !== 'unknown');
}

/**
 * Sends a call until it succeeds, fails finally, or has used up its retries, its time or the budget of the client. All
 * attempts have the same body and idempotency key.
 */
export async function sendWithRetries<T>(call: Call<T>, shared: Shared): Promise<Completed<T>> {
  const { limits } = call;
  const { runtime, budget, observer } = shared;
  const history = new AttemptHistory(call);
  let lastError = () => history.toError(outOfTime(limits.totalTimeoutMs));
  let paid = 0;
  let wasIdleConnectionLost = false;

  for (let retry = 0; ; retry++) {
    if (limits.signal?.aborted) throw history.toError(abortedBy(limits.signal, history.outcome));
    // A timer may fire late. An attempt without time would be recorded as sent, although it was not.
    if (limits.leftMs() <= 0) throw lastError();
    const { sign } = call;
    const ready = sign ? await signAttempt(call, sign, { history, outOfTime: lastError, runtime }) : call;
    // A dead idle connection does no harm to what is repeated.
    const isRepeated: boolean =
      call.policy === 'idempotent' && retry < limits.maxRetries && !wasIdleConnectionLost;
    const result: AttemptResult<T> = await attempt(ready, shared, isRepeated ? 'any' : 'covered', history);
    if (result.outcome === 'accepted') {
      budget.refund(retry > 0 ? paid : undefined);
      return {
        value: result.value,
        metadata: { ...history.metadata(), httpStatus: result.httpStatus },
      };
    }
    const retryAfterMs = parseRetryAfter(result.retryAfter, runtime.now());
    lastError = () => history.toError(result, retryAfterMs);
    if (retry >= limits.maxRetries || !isRetried(result, call)) throw lastError();
    // onAttempt may have aborted the call.
    if (limits.signal?.aborted) continue;
    wasIdleConnectionLost = result.wasIdleConnectionLost === true;
    const waitMs = wasIdleConnectionLost
      ? 0
      : Math.max(shortestWaitMs, retryAfterMs ?? backoffMs(retry, runtime.random()));
    if (waitMs >= limits.leftMs() || waitMs > longestRetryAfterMs) throw lastError();
    const cost = budget.take(result);
    if (cost === undefined) throw lastError();
    paid += cost;

    if (waitMs === 0) continue;
    observer.waiting(call.subject, { waitMs, attempt: history.attempts.length, error: result.description });
    await wait({ ms: waitMs, signal: limits.signal, runtime });
  }
}
