import { errorOf } from '../errors/error-of.js';
import type { Failed, FailedCall } from '../errors/error-table.js';
import type { InstallmentError } from '../errors/installment-error.js';
import { AttemptHistory } from './attempt-history.js';
import { abortedBy, hookFailed, outOfTime, tooLate } from './attempt-result.js';
import { bounded } from './bounded.js';
import type { Call, WithinTerms } from './call.js';
import { callerSignal, type CallerSignal } from './caller-signal.js';
import type { Runtime, Started } from './runtime.js';
import type { Shared } from './shared-resources.js';

/** One call on its way: its time, its attempts so far, and the functions of the caller that it asks. */
export class CallRun implements WithinTerms {
  readonly shared: Shared;
  readonly history: AttemptHistory;
  readonly signal: CallerSignal | undefined;
  readonly #terms: Call<unknown>['terms'];
  readonly #started: Started;
  #last: readonly [failed: Failed, retryAfterMs?: number | undefined];

  constructor(call: Call<unknown>, started: Started, shared: Shared) {
    const { signal, totalTimeoutMs } = call.terms;
    this.shared = shared;
    this.history = new AttemptHistory(call);
    this.signal = signal && callerSignal(signal);
    this.#terms = call.terms;
    this.#started = started;
    this.#last = [outOfTime(totalTimeoutMs)];
  }

  /** Milliseconds left of the whole call, 0 or more. */
  leftMs(): number {
    const spentMs = this.shared.runtime.monotonicMs() - this.#started.monotonicMs;
    return Math.max(0, this.#terms.totalTimeoutMs - spentMs);
  }

  /** Milliseconds until `sendBefore`, by the clock that is ahead: a suspended process stops one, a step moves the other. */
  #untilSendBefore(): readonly [ms: number, clock: 'wall' | 'monotonic'] {
    const { sendBefore } = this.#terms;
    if (!sendBefore) return [Infinity, 'wall'];
    const { runtime } = this.shared;
    const { wallMs, monotonicMs } = this.#started;
    const byWall = sendBefore.getTime() - runtime.wallMs();
    const byMonotonic = sendBefore.getTime() - wallMs - (runtime.monotonicMs() - monotonicMs);
    return byMonotonic < byWall ? [byMonotonic, 'monotonic'] : [byWall, 'wall'];
  }

  /** Why nothing may be sent any more; undefined before `sendBefore`. */
  lateness(): Failed | undefined {
    const [ms, clock] = this.#untilSendBefore();
    return ms > 0 ? undefined : tooLate(clock);
  }

  /** True if an attempt could follow a wait. */
  hasTimeFor(waitMs: number): boolean {
    return waitMs < this.leftMs() && waitMs < this.#untilSendBefore()[0];
  }

  /** Takes the failure of the last attempt, with which the call ends if its time does. */
  failed(failed: Failed, retryAfterMs: number | undefined): void {
    this.#last = [failed, retryAfterMs];
  }

  /** The error of the call if it ends now. */
  lastError(): InstallmentError {
    return this.history.toError(...this.#last);
  }

  /** Throws if no attempt may begin: the caller has aborted the call, or its time is over. */
  throwIfOver(): void {
    if (this.signal?.aborted) throw this.history.toError(abortedBy(this.signal, this.history.outcome));
    // A timer may fire late. An attempt without time would be recorded as sent, although it was not.
    if (this.leftMs() <= 0) throw this.lastError();
    const late = this.lateness();
    if (late) throw this.history.toError(late);
  }

  async within<T>(
    work: (signal: AbortSignal) => Promise<T>,
    failed: (error: unknown) => InstallmentError,
  ): Promise<T> {
    const { runtime } = this.shared;
    const result = await bounded(work, { ms: this.leftMs(), signal: this.signal, runtime });
    if (result.ended === 'done') return result.value;
    if (result.ended === 'failed') throw failed(result.error);
    if (result.ended === 'timeout') throw this.lastError();
    throw this.history.toError(abortedBy(this.signal, this.history.outcome));
  }

  ask<T>(hook: string, ask: () => T | Promise<T>): Promise<T> {
    return this.within(
      async () => ask(),
      (error) => this.history.toError(hookFailed(hook, error)),
    );
  }
}

/** The time by the caller's clock, for a call as far as it has come. */
export function timeOf({ now }: Runtime, call: FailedCall): Date {
  try {
    return now();
  } catch (error) {
    throw errorOf(hookFailed('now', error), call);
  }
}
