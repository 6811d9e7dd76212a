import { pause } from '../../values/time-limit.js';
import type { MockChange, WebhookDelivery } from '../../mock/observation.js';
import type { MockService } from '../workbench-types.js';

const maxRetryMs = 30_000;

/** True while a webhook waits for its first try or for a response. False between two tries. */
export function isBeingSent({ status, tries, nextTryAt }: WebhookDelivery): boolean {
  const isBetweenTries = nextTryAt !== undefined && tries.length > 0;
  return status === 'pending' && !isBetweenTries;
}

/**
 * Detects when a run is idle: for `settleMs`, nothing has changed in the mock and no visit of a customer has ended. No
 * request waits for a response, no webhook waits for its first try or for a response, and no customer is active.
 */
export class ActivityWatch {
  /** The run is not idle before this time: the last change, plus `Retry-After` of the response, plus `settleMs`. */
  #silentAtMs: number;
  #activeVisits = 0;
  #onRecheck: () => void = () => undefined;

  constructor(
    private readonly mock: MockService,
    private readonly settleMs: number,
  ) {
    this.#silentAtMs = performance.now() + settleMs;
  }

  onChange(change: MockChange): void {
    // After a response of the mock with Retry-After, the run waits longer, because the merchant sends its next request
    // after that time. If a test has scripted the response, the run does not wait.
    const isUnscriptedResponse =
      change.kind === 'request' && change.entry.completed && !change.entry.scripted;
    const seconds = isUnscriptedResponse ? Number(change.entry.response?.headers['retry-after'] ?? 0) : 0;
    this.#restartSilence(seconds > 0 ? Math.min(seconds * 1000, maxRetryMs) : 0);
  }

  /** Makes `untilIdle` check again. */
  recheck(): void {
    this.#onRecheck();
  }

  /** Marks a customer as active. @returns a function that marks the customer as finished */
  beginVisit(): () => void {
    this.#activeVisits += 1;
    return () => {
      this.#activeVisits -= 1;
      this.#restartSilence(0);
    };
  }

  /**
   * Resolves once nothing has changed in the mock and no visit of a customer has ended for `settleMs`, or the signal
   * fires. Customers can still be active.
   */
  async untilNothingArrives(signal: AbortSignal): Promise<void> {
    for (let leftMs = this.#leftMs(); leftMs > 0 && !signal.aborted; leftMs = this.#leftMs())
      await pause(leftMs, signal);
  }

  /** Resolves once the run is idle, or the signal fires. */
  async untilIdle(signal: AbortSignal): Promise<void> {
    signal.addEventListener('abort', () => this.recheck(), { once: true });
    for (;;) {
      await this.untilNothingArrives(signal);
      if (signal.aborted || !this.#isBusy()) return;
      await new Promise<void>((resolve) => (this.#onRecheck = resolve));
    }
  }

  #leftMs(): number {
    return this.#silentAtMs - performance.now();
  }

  #restartSilence(retryMs: number): void {
    this.#silentAtMs = Math.max(this.#silentAtMs, performance.now() + this.settleMs + retryMs);
    this.recheck();
  }

  #isBusy(): boolean {
    const { journal, webhooks } = this.mock;
    // A webhook that waits for its next try does not count: it is sent again before the order page is checked.
    return (
      this.#activeVisits > 0 ||
      webhooks.all().some(isBeingSent) ||
      journal.find((entry) => !entry.completed) !== undefined
    );
  }
}
