import { setTimeout as pause } from 'node:timers/promises';
import type { MockChange } from '../state/changes.js';
import type { MockService } from '../types.js';

/** Tells when a run is quiet: nothing has arrived for a while, nothing is being answered, and nobody is at work. */
export class Watch {
  #quietAt = 0;
  #working = 0;
  #wake: () => void = () => undefined;
  readonly #unsubscribe: () => void;

  constructor(
    private readonly mock: MockService,
    private readonly settleMs: number,
    private readonly now: () => Date,
  ) {
    this.#touch(0);
    this.#unsubscribe = mock.subscribe((change) => {
      this.#touch(retryAfterMs(change));
    });
  }

  /** Somebody is at work until the function that it returns is called. */
  begin(): () => void {
    this.#working += 1;
    return () => {
      this.#working -= 1;
      this.#touch(0);
    };
  }

  /** Resolves once the run is quiet, or the signal fires. */
  async quiet(signal: AbortSignal): Promise<void> {
    const aborted = new Promise((resolve) => {
      signal.addEventListener('abort', resolve, { once: true });
    });
    while (!signal.aborted) {
      const leftMs = this.#quietAt - performance.now();
      if (leftMs <= 0 && !this.#isBusy()) return;
      await Promise.race([aborted, leftMs > 0 ? pause(leftMs) : this.#changed()]);
    }
  }

  /** A merchant that was told to wait comes back after that time. */
  #touch(retryMs: number): void {
    this.#quietAt = Math.max(this.#quietAt, performance.now() + this.settleMs + retryMs);
    this.#wake();
  }

  #changed(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  #isBusy(): boolean {
    const soon = this.now().getTime() + this.settleMs;
    return (
      this.#working > 0 ||
      this.mock.journal.find((entry) => !entry.completed) !== undefined ||
      this.mock.webhooks
        .all()
        .some(({ status, nextTryAt }) => status === 'pending' && (nextTryAt?.getTime() ?? 0) <= soon)
    );
  }

  stop(): void {
    this.#unsubscribe();
  }
}

const longestRetryMs = 30_000;

function retryAfterMs(change: MockChange): number {
  // A test that scripts a refusal waits for nothing.
  if (change.kind !== 'request' || !change.entry.completed || change.entry.scripted) return 0;
  const seconds = Number(change.entry.response?.headers['retry-after']);
  return seconds > 0 ? Math.min(seconds * 1000, longestRetryMs) : 0;
}
