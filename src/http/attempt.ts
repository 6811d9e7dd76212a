import { setImmediate as nextTurn } from 'node:timers';
import type { InstallmentError } from '../errors/installment-error.js';
import { writeHeaders } from '../protocol/headers.js';
import { requestTime } from '../protocol/timestamps.js';
import { askCaller } from './ask-caller.js';
import type { AttemptHistory } from './attempt-history.js';
import { abortedBy, connectionFailed, timedOut, type AttemptResult } from './attempt-result.js';
import { watch } from './bounded.js';
import type { Call } from './call.js';
import { outcomeAt } from './classify-failure.js';
import { isWholeJson } from './response.js';
import type { Shared } from './shared-resources.js';
import type { IdleConnections, TransportResult, WireRequest } from './transport.js';

type Sent = TransportResult & { readonly stoppedBy?: 'timeout' | 'aborted' | undefined };

/** Sends one request within a time limit. */
async function sendWithin(
  ms: number,
  request: WireRequest,
  idleConnections: IdleConnections,
  { terms }: Call<unknown>,
  { transport, runtime }: Shared,
): Promise<Sent> {
  const startedMs = runtime.monotonicMs();
  let stoppedBy: Sent['stoppedBy'];
  let end: () => void = () => undefined;
  const stop = (reason: Sent['stoppedBy']) => {
    stoppedBy ??= reason;
    end();
  };
  const unwatch = watch({ ms, signal: terms.signal, runtime }, (reason) => {
    if (reason === 'aborted') stop(reason);
    // One more turn: after a blocked event loop, an answer that has arrived is still read.
    else nextTurn(stop, reason);
  });
  try {
    const leftMs = () => ms - (runtime.monotonicMs() - startedMs);
    const onStop = (given: () => void) => {
      end = given;
      if (stoppedBy) given();
    };
    const result = await transport(request, { leftMs, idleConnections, onStop });
    return stoppedBy ? { ...result, stoppedBy } : result;
  } finally {
    unwatch();
  }
}

/** The result of an attempt: by its response if that is complete or whole JSON, else by how the attempt ended. */
function resultOf<T>(
  { response, failure, phase, stoppedBy }: Sent,
  { terms, request, processResponse }: Call<T>,
  ms: number,
): AttemptResult<T> {
  if (stoppedBy === 'aborted') return abortedBy(terms.signal, outcomeAt(phase));
  const isComplete = failure === undefined && stoppedBy === undefined;
  if (response && (isComplete || isWholeJson(response))) return processResponse(response);
  const failed = failure ? connectionFailed(failure, phase, request.url) : timedOut(ms, phase, request.url);
  return response ? { ...failed, httpStatus: response.httpStatus, retryAfter: response.retryAfter } : failed;
}

/** Makes one attempt: signs and sends the request, judges the response, and records the result. */
export async function makeAttempt<T>(
  call: Call<T>,
  shared: Shared,
  idleConnections: IdleConnections,
  history: AttemptHistory,
  lastError: () => InstallmentError,
): Promise<AttemptResult<T>> {
  const { terms, request, requestTimeOffset, sign } = call;
  const { runtime, observer } = shared;
  const signature = sign && (await askCaller('secretKey', sign, call, runtime, { history, lastError }));
  // A copy, because the Date belongs to the caller's clock.
  const startedAt = new Date(runtime.now());
  const startedMs = runtime.monotonicMs();
  const time = requestTimeOffset === undefined ? '' : requestTime(startedAt, requestTimeOffset);
  const headers = { ...request.headers, ...writeHeaders({ signature, requestTime: time || undefined }) };
  const ms = Math.min(terms.attemptTimeoutMs, terms.leftMs());
  const sent = await sendWithin(ms, { ...request, headers }, idleConnections, call, shared);
  const result = resultOf(sent, call, ms);
  const durationMs = runtime.monotonicMs() - startedMs;
  const record = history.add(result, { startedAt, durationMs, requestTime: time, phase: sent.phase });
  observer.attempted(record, result, call, history.attempts.length);
  return result;
}
