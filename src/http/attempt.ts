import { makeError } from '../errors/make-error.js';
import type { Failure } from '../errors/failure.js';
import { writeHeaders } from '../protocol/headers.js';
import { requestTime } from '../protocol/timestamps.js';
import { abortedBy, connectionFailed, internalFailure, timedOut, type AttemptResult } from './failures.js';
import type { Call, FrozenRequest } from './call.js';
import { timeOf, type CallState } from './call-state.js';
import { outcomeAt } from './classify-failure.js';
import { isWholeJson, parseRetryAfter } from './response.js';
import { watchLimit } from '../values/time-limit.js';
import { setImmediate } from '../values/timers.js';
import { headerOf, type ConnectionChoice, type TransportResult, type WireRequest } from './transport.js';

type Stop = 'timeout' | 'aborted';

type Sent = TransportResult & {
  readonly stoppedBy?: Stop | undefined;
  /** `sendBefore` passed before the first byte was written. */
  readonly lateFailure?: Failure | undefined;
};

/** Sends one request within a time limit. */
async function sendWithin(
  limitMs: number,
  request: WireRequest,
  connection: ConnectionChoice,
  { call, shared, deadline }: Pick<CallState, 'call' | 'shared' | 'deadline'>,
): Promise<Sent> {
  const { monotonicMs, after } = shared.runtime;
  const startedMs = monotonicMs();
  let stoppedBy: Stop | undefined;
  let lateFailure: Failure | undefined;
  let end: () => void = () => undefined;
  const stop = (reason: Stop) => {
    stoppedBy ??= reason;
    end();
  };
  const atLimit = (reason: Stop) => {
    if (reason === 'aborted') stop(reason);
    // One more turn: after a blocked event loop, a response that has arrived is still read.
    else setImmediate(stop, reason);
  };
  const unwatch = watchLimit(limitMs, call.limits.signal, atLimit, after);
  const mayBegin = () => {
    lateFailure = deadline.lateFailure();
    return !lateFailure && monotonicMs() - startedMs < limitMs;
  };
  const onStop = (given: () => void) => {
    end = given;
    if (stoppedBy) given();
  };
  try {
    const sent = await shared.transport(request, { mayBegin, onStop, ...connection });
    return { ...sent, stoppedBy, lateFailure };
  } finally {
    unwatch();
  }
}

/**
 * The result of an attempt: from its response if that is complete or at least a whole JSON object, or else from how the
 * attempt ended. If the caller aborts the attempt, its response is ignored.
 */
function resultOf<T>(
  { response, failure, phase, hint, stoppedBy }: Sent,
  { judge, url, limits }: Call<T>,
  limitMs: number,
): AttemptResult<T> {
  if (stoppedBy === 'aborted') return abortedBy(limits.signal, outcomeAt(phase));
  const isComplete = failure === undefined && stoppedBy === undefined;
  if (response && (isComplete || isWholeJson(response))) return judge(response);
  return failure ? connectionFailed(failure, phase, url, hint) : timedOut(limitMs, phase, url, hint);
}

/** Makes one attempt: signs and sends the request, judges the response, and records the result. */
export async function makeAttempt<T>(
  run: CallState<T>,
  { headers, body, onProgress }: FrozenRequest,
  connection: ConnectionChoice,
): Promise<AttemptResult<T>> {
  const { call } = run;
  const { target, url, requestTimeOffset } = call;
  const { runtime } = run.shared;
  const signature =
    typeof call.signature === 'function' ? await run.ask('secretKey', call.signature) : call.signature;
  const startedAt = timeOf(runtime, run);
  const startedMs = runtime.monotonicMs();
  const time = requestTimeOffset === undefined ? '' : requestTime(startedAt, requestTimeOffset);
  const signed = writeHeaders({ signature, requestTime: time || undefined }, headers);
  const limitMs = Math.min(call.limits.attemptTimeoutMs, run.deadline.leftMs());
  let sent: Sent | undefined;
  let result: AttemptResult<T>;
  try {
    const wire = { method: target.method, url, headers: signed, body, onProgress };
    sent = await sendWithin(limitMs, wire, connection, run);
    result = resultOf(sent, call, limitMs);
  } catch (error) {
    result = internalFailure(error, 'unknown');
  }
  const durationMs = runtime.monotonicMs() - startedMs;
  const { phase, response, lateFailure } = sent ?? {};
  // Nothing was written, so it does not count as an attempt of the call.
  if (lateFailure && !response) throw makeError(lateFailure, run);
  run.add(result, { startedAt, durationMs, requestTime: time, phase, response });
  const now = new Date(startedAt.getTime() + durationMs);
  const retryAfterMs = parseRetryAfter(response && headerOf(response, 'retry-after'), now);
  if (result.outcome === 'accepted' || retryAfterMs === undefined) return result;
  return { ...result, facts: { ...result.facts, retryAfterMs } };
}
