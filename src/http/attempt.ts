import type { Failed } from '../errors/error-table.js';
import { writeHeaders } from '../protocol/headers.js';
import { requestTime } from '../protocol/timestamps.js';
import {
  abortedBy,
  connectionFailed,
  internalFailure,
  timedOut,
  type AttemptResult,
} from './attempt-result.js';
import { watch } from './bounded.js';
import type { Call, FrozenRequest } from './call.js';
import { timeOf, type CallRun } from './call-run.js';
import { outcomeAt } from './classify-failure.js';
import { isWholeJson } from './response.js';
import { parseRetryAfter } from './retry-after.js';
import { setImmediate } from './timers.js';
import type { IdleConnections, TransportResult, WireRequest } from './transport.js';

type Stop = 'timeout' | 'aborted';

type Sent = TransportResult & {
  readonly stoppedBy?: Stop | undefined;
  /** `sendBefore` passed before the first byte was written. */
  readonly late?: Failed | undefined;
};

/** Sends one request within a time limit. */
async function sendWithin(
  ms: number,
  request: WireRequest,
  idleConnections: IdleConnections,
  run: CallRun,
): Promise<Sent> {
  const { signal } = run;
  const { transport, runtime } = run.shared;
  const startedMs = runtime.monotonicMs();
  let stoppedBy: Stop | undefined;
  let late: Failed | undefined;
  let end: () => void = () => undefined;
  const stop = (reason: Stop) => {
    stoppedBy ??= reason;
    end();
  };
  const unwatch = watch({ ms, signal, runtime }, (reason) => {
    if (reason === 'aborted') stop(reason);
    // One more turn: after a blocked event loop, an answer that has arrived is still read.
    else setImmediate(stop, reason);
  });
  const mayBegin = () => {
    late = run.lateness();
    return !late && runtime.monotonicMs() - startedMs < ms;
  };
  const onStop = (given: () => void) => {
    end = given;
    if (stoppedBy) given();
  };
  try {
    const { response, failure, phase } = await transport(request, { mayBegin, idleConnections, onStop });
    return { response, failure, phase, stoppedBy, late };
  } finally {
    unwatch();
  }
}

/** The result of an attempt: by its response if that is complete or whole JSON, else by how the attempt ended. */
function resultOf<T>(
  { response, failure, phase, stoppedBy, late }: Sent,
  judge: Call<T>['judge'],
  run: CallRun,
  url: URL,
  ms: number,
): AttemptResult<T> {
  if (late && !response) return late;
  if (stoppedBy === 'aborted') return abortedBy(run.signal, outcomeAt(phase));
  const isComplete = failure === undefined && stoppedBy === undefined;
  if (response && (isComplete || isWholeJson(response))) return judge(response);
  return failure ? connectionFailed(failure, phase, url) : timedOut(ms, phase, url);
}

/** How one attempt ended, and how long the service asked to wait. */
export interface AttemptEnd<T> {
  readonly result: AttemptResult<T>;
  readonly retryAfterMs: number | undefined;
}

/** Makes one attempt: signs and sends the request, judges the response, and records the result. */
export async function makeAttempt<T>(
  call: Call<T>,
  request: FrozenRequest,
  idleConnections: IdleConnections,
  run: CallRun,
): Promise<AttemptEnd<T>> {
  const { sign, judge, target, url, requestTimeOffset, terms } = call;
  const { history, shared } = run;
  const { runtime, observer } = shared;
  const signature = sign && (await run.ask('secretKey', sign));
  const startedAt = timeOf(runtime, history);
  const startedMs = runtime.monotonicMs();
  const time = requestTimeOffset === undefined ? '' : requestTime(startedAt, requestTimeOffset);
  const headers = writeHeaders({ signature, requestTime: time || undefined }, request.headers);
  const ms = Math.min(terms.attemptTimeoutMs, run.leftMs());
  let sent: Sent | undefined;
  let result: AttemptResult<T>;
  try {
    const { body, onProgress } = request;
    const wire = { method: target.method, url, headers, body, onProgress };
    sent = await sendWithin(ms, wire, idleConnections, run);
    result = resultOf(sent, judge, run, url, ms);
  } catch (error) {
    result = internalFailure(error, 'unknown');
  }
  const durationMs = runtime.monotonicMs() - startedMs;
  const { phase, response } = sent ?? {};
  const attempt = history.add(result, { startedAt, durationMs, requestTime: time, phase, response });
  observer.attempted(attempt, result, call, history.attempts.length);
  const now = new Date(startedAt.getTime() + durationMs);
  return { result, retryAfterMs: parseRetryAfter(response?.retryAfter, now) };
}
