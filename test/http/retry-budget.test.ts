import { describe, expect, it } from 'vitest';
import { RetryBudget } from '../../src/http/retry-budget.js';

/** How many retries a budget still pays for. */
function retriesLeft(budget: RetryBudget, throttled = false): number {
  let count = 0;
  while (budget.take(throttled) !== undefined) count++;
  return count;
}

describe('the retry budget', () => {
  it('pays for 50 retries, or 100 after a 429', () => {
    expect(retriesLeft(new RetryBudget())).toBe(50);
    expect(retriesLeft(new RetryBudget(), true)).toBe(100);
  });

  it('gives back what a retry cost that succeeded, and one token for a first success', () => {
    const budget = new RetryBudget();
    retriesLeft(budget);
    budget.refund(10);
    expect(retriesLeft(budget)).toBe(1);
    for (let success = 0; success < 9; success++) budget.refund();
    expect(retriesLeft(budget)).toBe(0);
    budget.refund();
    expect(retriesLeft(budget)).toBe(1);
  });

  it('never holds more than it began with', () => {
    const budget = new RetryBudget();
    budget.refund(1_000);
    expect(retriesLeft(budget)).toBe(50);
  });
});
