import type { Failure } from '../errors/failure.js';
import { tooLate } from './failures.js';
import type { Call } from './call.js';
import type { Runtime, Started } from './runtime.js';

/** The time that a call has: its total limit, and `sendBefore`. */
export class Deadline {
  readonly #limits: Pick<Call<unknown>['limits'], 'totalTimeoutMs' | 'sendBefore'>;
  readonly #started: Started;
  readonly #runtime: Runtime;

  constructor(limits: Call<unknown>['limits'], started: Started, runtime: Runtime) {
    this.#limits = limits;
    this.#started = started;
    this.#runtime = runtime;
  }

  /** Milliseconds left of the total limit, 0 or more. */
  leftMs(): number {
    const spentMs = this.#runtime.monotonicMs() - this.#started.monotonicMs;
    return Math.max(0, this.#limits.totalTimeoutMs - spentMs);
  }

  /** The failure of an attempt that would begin too late, now or after a wait: `sendBefore` will have passed. */
  lateFailure(waitMs = 0): Failure | undefined {
    if (!this.#limits.sendBefore) return undefined;
    const untilMs = this.#limits.sendBefore.getTime() - waitMs;
    // A suspended process stops one clock, and a step moves the other.
    if (this.#runtime.wallMs() >= untilMs) return tooLate('wall');
    const spentMs = this.#runtime.monotonicMs() - this.#started.monotonicMs;
    return this.#started.wallMs + spentMs >= untilMs ? tooLate('monotonic') : undefined;
  }
}
