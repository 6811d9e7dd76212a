const capacity = 500;
const retryCost = 10;
const throttledRetryCost = 5;

/**
 * A token bucket that a client's calls share: when most of them fail, they stop repeating themselves, and a service in
 * trouble is not buried under retries.
 */
export class RetryBudget {
  #tokens = capacity;

  /** Takes the price of a retry and returns it; undefined when the bucket cannot pay. */
  take(throttled: boolean): number | undefined {
    const cost = throttled ? throttledRetryCost : retryCost;
    if (this.#tokens < cost) return undefined;
    this.#tokens -= cost;
    return cost;
  }

  /** Gives back what the retries of a call cost that succeeded; a call that succeeded at once brings one token. */
  refund(tokens = 1): void {
    this.#tokens = Math.min(capacity, this.#tokens + tokens);
  }
}
