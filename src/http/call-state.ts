import type { Attempt, CallMetadata, Phase } from '../errors/call-metadata.js';
import { makeError } from '../errors/make-error.js';
import type { CallSoFar, Failure } from '../errors/failure.js';
import { shownStatus } from '../errors/foreign-errors.js';
import type { InstallmentError } from '../errors/installment-error.js';
import { worseOf, type FailureOutcome } from '../protocol/result-statuses.js';
import { abortedBy, functionFailed, totalLimitPassed, type AttemptResult } from './failures.js';
import { withTimeLimit } from '../values/time-limit.js';
import type { Call, WorkRunner } from './call.js';
import { Deadline } from './deadline.js';
import type { ReportAttempt } from './diagnostics.js';
import type { Runtime, CallStart } from './runtime.js';
import type { Shared } from './shared-resources.js';
import { readableHeaders, type WireResponse } from './transport.js';

/** The facts of an attempt that do not depend on its result. */
type UnjudgedAttempt = Pick<Attempt, 'startedAt' | 'durationMs' | 'requestTime'> & {
  readonly phase?: Phase | undefined;
  readonly response?: WireResponse | undefined;
};

/**
 * The state of a call: its attempts so far and the time that is left. This class also calls the functions that the
 * caller passed as options.
 */
export class CallState<T = unknown> implements CallSoFar, WorkRunner {
  readonly call: Call<T>;
  readonly shared: Shared;
  readonly policy: CallSoFar['policy'];
  readonly mayHaveBeenSent: boolean;
  readonly deadline: Deadline;
  readonly attempts: Attempt[] = [];
  outcome: FailureOutcome;
  mayHaveActedBefore: boolean;
  /**
   * The failure that is reported if the total time limit of the call has passed: the failure of the last attempt, or
   * `totalLimitPassed` if there was no attempt.
   */
  lastFailure: Failure;
  readonly #report: ReportAttempt | undefined;
  #lastResponse: WireResponse | undefined;

  constructor(call: Call<T>, started: CallStart, shared: Shared, report?: ReportAttempt) {
    this.call = call;
    this.shared = shared;
    this.#report = report;
    this.policy = call.policy;
    this.mayHaveBeenSent = call.mayHaveBeenSent;
    this.outcome = call.mayHaveBeenSent ? 'unknown' : 'not_sent';
    this.mayHaveActedBefore = call.mayHaveBeenSent;
    this.lastFailure = totalLimitPassed(call.limits.totalTimeoutMs);
    this.deadline = new Deadline(call.limits, started, shared.runtime);
  }

  /** Records an attempt, and reports it. */
  recordAttempt(
    result: AttemptResult<T>,
    { startedAt, durationMs, requestTime, phase, response }: UnjudgedAttempt,
  ): void {
    const { outcome } = result;
    const status = outcome === 'accepted' ? result.resultStatus : result.facts.resultStatus;
    const resultStatus = status === undefined ? undefined : shownStatus(status);
    // The fields are assigned one by one: spreads here took about 5 % of the CPU time of a payment.
    const attempt: { -readonly [Field in keyof Attempt]: Attempt[Field] } = {
      startedAt,
      durationMs,
      requestTime,
      outcome,
    };
    if (phase !== undefined) attempt.phase = phase;
    if (response !== undefined) attempt.httpStatus = response.httpStatus;
    if (resultStatus !== undefined) attempt.resultStatus = resultStatus;
    if (outcome !== 'accepted') attempt.error = result.facts.summary ?? result.problem;
    Object.freeze(attempt);
    this.attempts.push(attempt);
    this.#lastResponse = response ?? this.#lastResponse;
    this.mayHaveActedBefore = this.outcome === 'unknown';
    // If the call fails, its error has this outcome. After an accepted attempt, the outcome is `'unknown'`: if the call
    // fails after that attempt, the caller does not get the result, although the service has acted.
    this.outcome = outcome === 'accepted' ? 'unknown' : worseOf(this.outcome, outcome);
    const number = this.attempts.length;
    const { subject, url, target } = this.call;
    this.shared.observer.attempted(attempt, this.call, number, response);
    this.#report?.({
      number,
      attempt,
      ...(outcome !== 'accepted' && { code: result.code }),
      subject,
      origin: url.origin,
      request: target,
    });
  }

  get metadata(): CallMetadata {
    const { subject, target } = this.call;
    const { httpStatus, headers } = this.#lastResponse ?? {};
    const metadata = {
      ...subject,
      request: target,
      ...(httpStatus !== undefined && { httpStatus }),
      attempts: Object.freeze([...this.attempts]),
    };
    if (headers) {
      // This property is a getter, because few callers read the headers, and because `util.inspect` with `showHidden`
      // must not show the headers.
      Object.defineProperty(metadata, 'responseHeaders', { get: () => readableHeaders({ headers }) });
    }
    return Object.freeze(metadata);
  }

  #aborted(): InstallmentError {
    return makeError(abortedBy(this.call.limits.signal, this.outcome), this);
  }

  /** Throws if no further attempt can begin: the caller has aborted the call, or one of its deadlines has passed. */
  throwIfOver(): void {
    if (this.call.limits.signal?.aborted) throw this.#aborted();
    // The wait before an attempt, or the preparation of the attempt, can end late, with no time left. Without this
    // check of the time, an attempt would then be recorded although nothing was tried.
    const failure = this.deadline.leftMs() <= 0 ? this.lastFailure : this.deadline.sendBeforeFailure();
    if (failure) throw makeError(failure, this);
  }

  async within<Value>(
    work: (signal: AbortSignal) => Promise<Value>,
    toError: (error: unknown) => InstallmentError,
    unfinishedWork: string,
  ): Promise<Value> {
    const { signal } = this.call.limits;
    const result = await withTimeLimit(this.deadline.leftMs(), signal, work, this.shared.runtime.after);
    if (result.ended === 'done') return result.value;
    if (result.ended === 'failed') throw toError(result.error);
    if (result.ended === 'aborted') throw this.#aborted();
    const hasNoAttempt = this.attempts.length === 0;
    throw makeError(
      hasNoAttempt ? totalLimitPassed(this.call.limits.totalTimeoutMs, unfinishedWork) : this.lastFailure,
      this,
    );
  }

  callFunction<Value>(name: string, given: () => Value | Promise<Value>): Promise<Value> {
    return this.within(
      async () => given(),
      (error) => makeError(functionFailed(name, error, this.outcome), this),
      `the ${name} function`,
    );
  }
}

/** The time of the clock `now`, which a caller can replace. If the clock fails, the error describes the call so far. */
export function timeNow({ now }: Runtime, call: CallSoFar): Date {
  try {
    return now();
  } catch (error) {
    throw makeError(functionFailed('now', error, call.outcome), call);
  }
}
