import { pause } from '../../values/time-limit.js';
import type { MockChange, WebhookDelivery } from '../../mock/observation.js';
import type { MockService } from '../workbench-types.js';

const longestRetryMs = 30_000;

/** True while a webhook has no response yet. A webhook that waits for its next attempt is not being sent. */
export function isBeingSent({ status, tries, nextTryAt }: WebhookDelivery): boolean {
  return status === 'pending' && !(nextTryAt && tries.length > 0);
}

/** Detects when a run is quiet: nothing has arrived for a while, no request is open, and no customer is active. */
export class Watch {
  #quietAt: number;
  #working = 0;
  #onWake: () => void = () => undefined;

  constructor(
    private readonly mock: MockService,
    private readonly settleMs: number,
  ) {
    this.#quietAt = performance.now() + settleMs;
  }

  note(change: MockChange): void {
    // A merchant comes back after the time that Retry-After names. A test that scripts the refusal itself does not
    // wait.
    const isOwn = change.kind === 'request' && change.entry.completed && !change.entry.scripted;
    const seconds = isOwn ? Number(change.entry.response?.headers['retry-after'] ?? 0) : 0;
    this.#touch(seconds > 0 ? Math.min(seconds * 1000, longestRetryMs) : 0);
  }

  /** Checks again whether the run is quiet. */
  wake(): void {
    this.#onWake();
  }

  /** Marks a customer as active. @returns a function that ends this */
  begin(): () => void {
    this.#working += 1;
    return () => {
      this.#working -= 1;
      this.#touch(0);
    };
  }

  /** Resolves once nothing has arrived for a while, even if customers are active, or the signal fires. */
  async untilSilent(signal: AbortSignal): Promise<void> {
    for (let leftMs = this.#leftMs(); leftMs > 0 && !signal.aborted; leftMs = this.#leftMs())
      await pause(leftMs, signal);
  }

  /** Resolves once the run is quiet, or the signal fires. */
  async untilQuiet(signal: AbortSignal): Promise<void> {
    signal.addEventListener('abort', () => this.wake(), { once: true });
    for (;;) {
      await this.untilSilent(signal);
      if (signal.aborted || !this.#isBusy()) return;
      await new Promise<void>((resolve) => (this.#onWake = resolve));
    }
  }

  #leftMs(): number {
    return this.#quietAt - performance.now();
  }

  #touch(retryMs: number): void {
    this.#quietAt = Math.max(this.#quietAt, performance.now() + this.settleMs + retryMs);
    this.wake();
  }

  #isBusy(): boolean {
    const { journal, webhooks } = this.mock;
    // A webhook that waits for its next attempt is sent again before the run is judged.
    return (
      this.#working > 0 ||
      webhooks.all().some(isBeingSent) ||
      journal.find((entry) => !entry.completed) !== undefined
    );
  }
}
