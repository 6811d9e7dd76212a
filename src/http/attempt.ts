import { makeError } from '../errors/make-error.js';
import type { Failure } from '../errors/failure.js';
import { writeHeaders } from '../protocol/headers.js';
import { requestTime } from '../protocol/timestamps.js';
import { abortedBy, connectionFailed, internalFailure, timedOut, type AttemptResult } from './failures.js';
import type { Call, FrozenRequest } from './call.js';
import { timeNow, type CallState } from './call-state.js';
import { outcomeAt } from './classify-failure.js';
import { isJsonObject, parseRetryAfter } from './response.js';
import { watchLimit } from '../values/time-limit.js';
import { setImmediate } from '../values/timers.js';
import { headerOf, type ConnectionChoice, type TransportResult, type WireRequest } from './transport.js';

type StopReason = 'timeout' | 'aborted';

type SentAttempt = TransportResult & {
  readonly stoppedBy?: StopReason | undefined;
  /** The failure for a `sendBefore` that passed before the first byte was written; undefined if it had not passed. */
  readonly sendBeforeFailure?: Failure | undefined;
};

async function sendWithin(
  limitMs: number,
  request: WireRequest,
  connection: ConnectionChoice,
  { call, shared, deadline }: Pick<CallState, 'call' | 'shared' | 'deadline'>,
): Promise<SentAttempt> {
  const { monotonicMs, after } = shared.runtime;
  const startedMs = monotonicMs();
  let stoppedBy: StopReason | undefined;
  let sendBeforeFailure: Failure | undefined;
  let stopTransport: () => void = () => undefined;
  const stop = (reason: StopReason) => {
    stoppedBy ??= reason;
    stopTransport();
  };
  const onEnd = (reason: StopReason) => {
    if (reason === 'aborted') stop(reason);
    // The stop waits for one turn of the event loop: a response that arrived while the loop was blocked is read first.
    else setImmediate(stop, reason);
  };
  const unwatch = watchLimit(limitMs, call.limits.signal, onEnd, after);
  const canBegin = () => {
    sendBeforeFailure = deadline.sendBeforeFailure();
    return !sendBeforeFailure && monotonicMs() - startedMs < limitMs;
  };
  const registerStop = (stopOfTransport: () => void) => {
    stopTransport = stopOfTransport;
    if (stoppedBy) stopTransport();
  };
  try {
    const sent = await shared.transport(request, { canBegin, registerStop, ...connection });
    return { ...sent, stoppedBy, sendBeforeFailure };
  } finally {
    unwatch();
  }
}

/**
 * The result of an attempt. A response decides the result if it is complete, or if its body is a JSON object. If there
 * is no such response, the failure or the time-out decides. If the caller aborts the attempt, the response is ignored.
 */
function resultOf<T>(
  { response, failure, phase, hint, stoppedBy }: SentAttempt,
  { judge, url, limits }: Call<T>,
  limitMs: number,
): AttemptResult<T> {
  if (stoppedBy === 'aborted') return abortedBy(limits.signal, outcomeAt(phase));
  const isComplete = failure === undefined && stoppedBy === undefined;
  if (response && (isComplete || isJsonObject(response))) return judge(response);
  return failure ? connectionFailed(failure, phase, url, hint) : timedOut(limitMs, phase, url, hint);
}

/** Makes one attempt: signs and sends the request, judges the response, and records the result. */
export async function makeAttempt<T>(
  callState: CallState<T>,
  { headers, body, onProgress }: FrozenRequest,
  connection: ConnectionChoice,
): Promise<AttemptResult<T>> {
  const { call } = callState;
  const { target, url, requestTimeOffset } = call;
  const { runtime } = callState.shared;
  const signature =
    typeof call.signature === 'function'
      ? await callState.callFunction('secretKey', call.signature)
      : call.signature;
  const startedAt = timeNow(runtime, callState);
  const startedMs = runtime.monotonicMs();
  const timeText = requestTimeOffset === undefined ? '' : requestTime(startedAt, requestTimeOffset);
  const signedHeaders = writeHeaders({ signature, requestTime: timeText || undefined }, headers);
  const limitMs = Math.min(call.limits.attemptTimeoutMs, callState.deadline.leftMs());
  let sent: SentAttempt | undefined;
  let result: AttemptResult<T>;
  try {
    const wire = { method: target.method, url, headers: signedHeaders, body, onProgress };
    sent = await sendWithin(limitMs, wire, connection, callState);
    result = resultOf(sent, call, limitMs);
  } catch (error) {
    result = internalFailure(error, 'unknown');
  }
  const durationMs = runtime.monotonicMs() - startedMs;
  const { phase, response, sendBeforeFailure } = sent ?? {};
  // If `sendBefore` has passed, no byte of the body was written, so no attempt is recorded. A custom `fetch` can have
  // sent the headers, but the service cannot act without the body, which the merchant's signature covers.
  if (sendBeforeFailure && !response) throw makeError(sendBeforeFailure, callState);
  callState.recordAttempt(result, { startedAt, durationMs, requestTime: timeText, phase, response });
  const now = new Date(startedAt.getTime() + durationMs);
  const retryAfterMs = parseRetryAfter(response && headerOf(response, 'retry-after'), now);
  if (result.outcome === 'accepted' || retryAfterMs === undefined) return result;
  return { ...result, facts: { ...result.facts, retryAfterMs } };
}
