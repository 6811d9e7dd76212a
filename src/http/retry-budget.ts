import type { Failed } from './attempt-result.js';

/** How many repeats the calls of a client may make together. */
export interface RetryBudgetOptions {
  /** Tokens at the beginning, and at most. A repeat costs 10, after a 429 5, and 1 if nothing was sent. @default 500 */
  readonly capacity?: number | undefined;
  /** Tokens that come back each second. @default 10 */
  readonly refillPerSecond?: number | undefined;
}

const defaultBudget = { capacity: 500, refillPerSecond: 10 } as const;

/** A repeat costs what it burdens the service with. */
function costAfter({ outcome, httpStatus }: Pick<Failed, 'outcome' | 'httpStatus'>): number {
  if (outcome === 'not_sent') return 1;
  return httpStatus === 429 ? 5 : 10;
}

/**
 * A token bucket that the calls of a client share: if most of them fail, they are no longer repeated, and a failing
 * service does not get even more requests.
 */
export class RetryBudget {
  readonly #capacity: number;
  readonly #refillPerSecond: number;
  readonly #monotonicMs: () => number;
  #tokens: number;
  #filledMs: number;

  /** `false` makes a budget that pays for every repeat. */
  constructor(options: RetryBudgetOptions | false, monotonicMs: () => number) {
    const { capacity, refillPerSecond } = options || { capacity: Infinity, refillPerSecond: 0 };
    this.#capacity = capacity ?? defaultBudget.capacity;
    this.#refillPerSecond = refillPerSecond ?? defaultBudget.refillPerSecond;
    this.#monotonicMs = monotonicMs;
    this.#tokens = this.#capacity;
    this.#filledMs = monotonicMs();
  }

  /** Takes the cost of a repeat and returns it; undefined if there are too few tokens. */
  take(failed: Pick<Failed, 'outcome' | 'httpStatus'>): number | undefined {
    const nowMs = this.#monotonicMs();
    this.#add(((nowMs - this.#filledMs) / 1_000) * this.#refillPerSecond);
    this.#filledMs = nowMs;
    const cost = costAfter(failed);
    if (this.#tokens < cost) return undefined;
    this.#tokens -= cost;
    return cost;
  }

  /** Gives back what the repeats of a successful call have cost; one token for a call without repeats. */
  refund(spent: number): void {
    this.#add(Math.max(1, spent));
  }

  #add(tokens: number): void {
    this.#tokens = Math.min(this.#capacity, this.#tokens + tokens);
  }
}
