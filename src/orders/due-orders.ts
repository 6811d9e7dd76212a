import type { OrderStorage, Position } from './storage.js';

/**
 * The number of due orders that a sweep reads at a time. The sweep takes `limit` of them at random, so that machines
 * take different orders.
 */
const windowSize = 1_000;

const beginning: Position = { at: 0, key: '' };

/**
 * The maximum number of times that one sweep takes the same order. A processed order can be due again at once, for
 * example if a webhook marks the order as paid after the sweep has processed it.
 */
const mostTurns = 5;

/**
 * Reads the orders that are due, and returns them in portions. Machines that sweep at the same time take mostly
 * different orders. Every second portion begins at a random position, because this process might not be able to process
 * the oldest orders, and must still reach the later orders.
 */
export class DueOrders {
  readonly #storage: OrderStorage;
  readonly #now: number;
  readonly #limit: number;
  readonly #random: () => number;
  readonly #turns = new Map<string, number>();
  readonly #active = new Set<string>();
  /** The position up to which all due orders have been taken. */
  #after = beginning;
  /** The time at which the oldest order that was read became due. */
  #oldest = Infinity;
  #portions = 0;

  constructor(storage: OrderStorage, now: number, limit: number, random: () => number) {
    this.#storage = storage;
    this.#now = now;
    this.#limit = limit;
    this.#random = random;
  }

  /**
   * Releases an order that was taken. If the order was processed, `next` can return it again, because it can be due
   * again. If not, `next` does not return it again.
   */
  release(key: string, isProcessed: boolean): void {
    this.#active.delete(key);
    if (!isProcessed) this.#turns.set(key, mostTurns);
  }

  /** Begins at the oldest order again, because a processed order can be due again. */
  restart(): void {
    this.#after = beginning;
  }

  /** Returns the keys of the next orders; an empty list if no more orders are due. */
  async next(): Promise<string[]> {
    this.#portions += 1;
    if (this.#portions % 2 === 0) {
      const keys = this.#take(await this.#window(this.#randomPosition()));
      if (keys.length > 0) return keys;
    }
    for (;;) {
      const rows = await this.#window(this.#after);
      const keys = this.#take(rows);
      const last = rows.at(-1);
      if (keys.length > 0 || !last || rows.length < this.#windowSize) return keys;
      this.#after = last;
    }
  }

  get #windowSize(): number {
    return Math.max(this.#limit, windowSize);
  }

  async #window(after: Position): Promise<Position[]> {
    const rows = await this.#storage.due(this.#now, after, this.#windowSize);
    this.#oldest = Math.min(this.#oldest, rows[0]?.at ?? Infinity);
    return rows;
  }

  /**
   * Returns a position at a random time before now. The logarithm of the time from there to now is distributed evenly.
   * So a position about a second, about a minute or about a day before now is equally likely.
   */
  #randomPosition(): Position {
    const longestMs = Math.max(1, this.#now - this.#oldest);
    return { at: Math.floor(this.#now - longestMs ** this.#random()), key: '' };
  }

  #take(rows: readonly Position[]): string[] {
    const waiting = rows
      .map(({ key }) => key)
      .filter((key) => !this.#active.has(key) && (this.#turns.get(key) ?? 0) < mostTurns);
    const taken: string[] = [];
    while (taken.length < this.#limit && waiting.length > 0) {
      const index = Math.floor(this.#random() * waiting.length);
      const [key = ''] = waiting.splice(index, 1);
      taken.push(key);
      this.#active.add(key);
      this.#turns.set(key, (this.#turns.get(key) ?? 0) + 1);
    }
    return taken;
  }
}
