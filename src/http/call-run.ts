import { errorOf } from '../errors/error-of.js';
import type { CallSoFar, Failure } from '../errors/error-table.js';
import type { InstallmentError } from '../errors/installment-error.js';
import { AttemptHistory } from './attempt-history.js';
import { abortedBy, hookFailed, outOfTime, tooLate } from './attempt-result.js';
import { bounded } from './bounded.js';
import type { Call, WithinLimits } from './call.js';
import type { TellAttempt } from './diagnostics.js';
import type { Runtime, Started } from './runtime.js';
import type { Shared } from './shared-resources.js';

/** One call on its way: its time, its attempts so far, and the functions of the caller that it asks. */
export class CallRun implements WithinLimits {
  readonly shared: Shared;
  readonly tell: TellAttempt | undefined;
  readonly history: AttemptHistory;
  readonly #limits: Call<unknown>['limits'];
  readonly #started: Started;
  /** The failure with which the call ends if its time does. */
  lastFailure: Failure;

  constructor(call: Call<unknown>, started: Started, shared: Shared, tell?: TellAttempt) {
    this.shared = shared;
    this.tell = tell;
    this.history = new AttemptHistory(call);
    this.#limits = call.limits;
    this.#started = started;
    this.lastFailure = outOfTime(call.limits.totalTimeoutMs);
  }

  /** Milliseconds left of the whole call, 0 or more. */
  leftMs(): number {
    const spentMs = this.shared.runtime.monotonicMs() - this.#started.monotonicMs;
    return Math.max(0, this.#limits.totalTimeoutMs - spentMs);
  }

  /** Milliseconds until `sendBefore`, by the clock that is ahead: a suspended process stops one, a step moves the other. */
  #untilSendBefore(): readonly [ms: number, clock: 'wall' | 'monotonic'] {
    const { sendBefore } = this.#limits;
    if (!sendBefore) return [Infinity, 'wall'];
    const { runtime } = this.shared;
    const { wallMs, monotonicMs } = this.#started;
    const byWall = sendBefore.getTime() - runtime.wallMs();
    const byMonotonic = sendBefore.getTime() - wallMs - (runtime.monotonicMs() - monotonicMs);
    return byMonotonic < byWall ? [byMonotonic, 'monotonic'] : [byWall, 'wall'];
  }

  /** Why nothing may be sent any more; undefined before `sendBefore`. */
  lateness(): Failure | undefined {
    const [ms, clock] = this.#untilSendBefore();
    return ms > 0 ? undefined : tooLate(clock);
  }

  /** True if an attempt could follow a wait. */
  hasTimeFor(waitMs: number): boolean {
    return waitMs < this.leftMs() && waitMs < this.#untilSendBefore()[0];
  }

  /** The error of the call if it ends with this failure. */
  errorOf(failure: Failure): InstallmentError {
    return errorOf(failure, this.history);
  }

  #aborted(): InstallmentError {
    return this.errorOf(abortedBy(this.#limits.signal, this.history.outcome));
  }

  /** Throws if no attempt may begin: the caller has aborted the call, or its time is over. */
  throwIfOver(): void {
    if (this.#limits.signal?.aborted) throw this.#aborted();
    // A timer may fire late. An attempt without time would be recorded as sent, although it was not.
    const failure = this.leftMs() <= 0 ? this.lastFailure : this.lateness();
    if (failure) throw this.errorOf(failure);
  }

  async within<T>(
    work: (signal: AbortSignal) => Promise<T>,
    toError: (error: unknown) => InstallmentError,
  ): Promise<T> {
    const { runtime } = this.shared;
    const result = await bounded(work, { ms: this.leftMs(), signal: this.#limits.signal, runtime });
    if (result.ended === 'done') return result.value;
    if (result.ended === 'failed') throw toError(result.error);
    throw result.ended === 'timeout' ? this.errorOf(this.lastFailure) : this.#aborted();
  }

  ask<T>(hook: string, ask: () => T | Promise<T>): Promise<T> {
    return this.within(
      async () => ask(),
      (error) => this.errorOf(hookFailed(hook, error)),
    );
  }
}

/** The time by the caller's clock, for a call as far as it has come. */
export function timeOf({ now }: Runtime, call: CallSoFar): Date {
  try {
    return now();
  } catch (error) {
    throw errorOf(hookFailed('now', error), call);
  }
}
