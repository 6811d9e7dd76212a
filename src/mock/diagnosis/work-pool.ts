/** Work is counted, not timed: 1 is about a nanosecond. */
export const fullSearch = 84_000_000;
const briefSearch = 1_000_000;
const capacity = 50 * fullSearch;
const refillPerMs = fullSearch / 1000;

/**
 * The work that the diagnoses of one mock may do. A developer's requests each get a full search; a flood of wrong
 * signatures gets about one a second and a brief one for the others, so that it does not slow the mock down.
 */
export class WorkPool {
  readonly #nowMs: () => number;
  #left = capacity;
  #filledAt: number;

  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
    this.#filledAt = nowMs();
  }

  /** The most work that the next search may do. */
  limit(): number {
    const now = this.#nowMs();
    this.#left = Math.min(capacity, this.#left + (now - this.#filledAt) * refillPerMs);
    this.#filledAt = now;
    return this.#left >= fullSearch ? fullSearch : briefSearch;
  }

  spend(work: number): void {
    this.#left = Math.max(0, this.#left - work);
  }
}
