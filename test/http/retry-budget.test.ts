import { describe, expect, it } from 'vitest';
import { RetryBudget, type RetryBudgetOptions } from '../../src/http/retry-budget.js';

const answered = { outcome: 'unknown', httpStatus: 503 } as const;
const throttled = { outcome: 'rejected', httpStatus: 429 } as const;
const refused = { outcome: 'not_sent' } as const;

/** A budget, and the clock that it goes by. */
function budgetOf(options: RetryBudgetOptions | false = {}) {
  const clock = { ms: 5_000 };
  return { clock, budget: new RetryBudget(options, () => clock.ms) };
}

/** How many repeats a budget still pays for. */
function repeatsLeft(budget: RetryBudget, after: Parameters<RetryBudget['take']>[0] = answered): number {
  let count = 0;
  while (count < 10_000 && budget.take(after) !== undefined) count++;
  return count;
}

describe('a retry budget', () => {
  it.each([
    ['an answer', answered, 50],
    ['a 429', throttled, 100],
    ['a request that was not sent', refused, 500],
  ] as const)('pays for a repeat by its burden on the service: after %s', (_name, after, repeats) => {
    expect(repeatsLeft(budgetOf().budget, after)).toBe(repeats);
  });

  it('gets back the cost of a repeat that succeeded, and one token for a first success', () => {
    const { budget } = budgetOf();
    repeatsLeft(budget);
    budget.refund(10);
    expect(repeatsLeft(budget)).toBe(1);
    for (let success = 0; success < 9; success++) budget.refund(0);
    expect(repeatsLeft(budget)).toBe(0);
    budget.refund(0);
    expect(repeatsLeft(budget)).toBe(1);
  });

  it('refills with time, by ten tokens a second', () => {
    const { budget, clock } = budgetOf();
    repeatsLeft(budget);
    clock.ms += 900;
    expect(repeatsLeft(budget)).toBe(0);
    clock.ms += 100;
    expect(repeatsLeft(budget)).toBe(1);
    clock.ms += 10_000;
    expect(repeatsLeft(budget)).toBe(10);
  });

  it('never has more than its capacity', () => {
    const { budget, clock } = budgetOf();
    budget.refund(1_000);
    clock.ms += 3_600_000;
    expect(repeatsLeft(budget)).toBe(50);
  });

  it.each<readonly [RetryBudgetOptions | false, number, number]>([
    [{ capacity: 20 }, 2, 1],
    [{ refillPerSecond: 100 }, 50, 10],
    [{ capacity: 0, refillPerSecond: 0 }, 0, 0],
    [{ capacity: 40, refillPerSecond: 0 }, 4, 0],
    [false, 10_000, 10_000],
  ])('of %j pays for %i repeats, and for %i after a second', (options, atFirst, aSecondLater) => {
    const { budget, clock } = budgetOf(options);
    expect(repeatsLeft(budget)).toBe(atFirst);
    clock.ms += 1_000;
    expect(repeatsLeft(budget)).toBe(aSecondLater);
  });
});
