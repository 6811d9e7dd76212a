const capacity = 500;
const retryCost = 10;
const throttledRetryCost = 5;

/**
 * A token bucket that the calls of a client share: if most of them fail, they are no longer repeated, and a failing
 * service does not get even more requests.
 */
export class RetryBudget {
  #tokens = capacity;

  /** Takes the cost of a retry and returns it; undefined if there are too few tokens. */
  take(throttled: boolean): number | undefined {
    const cost = throttled ? throttledRetryCost : retryCost;
    if (this.#tokens < cost) return undefined;
    this.#tokens -= cost;
    return cost;
  }

  /** Gives back the cost of the retries of a successful call; one token for a call without retries. */
  refund(tokens = 1): void {
    this.#tokens = Math.min(capacity, this.#tokens + tokens);
  }
}
