import type { Failure } from '../errors/failure.js';
import { sendBeforePassed } from './failures.js';
import type { Call } from './call.js';
import type { Runtime, CallStart } from './runtime.js';

/** The two deadlines of a call: its total time limit, and `sendBefore`. */
export class Deadline {
  readonly #limits: Pick<Call<unknown>['limits'], 'totalTimeoutMs' | 'sendBefore'>;
  readonly #started: CallStart;
  readonly #runtime: Runtime;

  constructor(limits: Call<unknown>['limits'], started: CallStart, runtime: Runtime) {
    this.#limits = limits;
    this.#started = started;
    this.#runtime = runtime;
  }

  /** The milliseconds that are left of the total limit: 0 or more. */
  leftMs(): number {
    const spentMs = this.#runtime.monotonicMs() - this.#started.monotonicMs;
    return Math.max(0, this.#limits.totalTimeoutMs - spentMs);
  }

  /** The failure of an attempt that would begin after a wait of `waitMs`, if `sendBefore` has passed by then. */
  sendBeforeFailure(waitMs = 0): Failure | undefined {
    if (!this.#limits.sendBefore) return undefined;
    const untilMs = this.#limits.sendBefore.getTime() - waitMs;
    // Both clocks are checked: the monotonic clock can stop while the machine sleeps, and an adjustment can set the
    // wall clock back.
    if (this.#runtime.wallMs() >= untilMs) return sendBeforePassed('wall');
    const spentMs = this.#runtime.monotonicMs() - this.#started.monotonicMs;
    return this.#started.wallMs + spentMs >= untilMs ? sendBeforePassed('monotonic') : undefined;
  }
}
