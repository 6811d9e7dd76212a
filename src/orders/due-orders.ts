import type { OrderStorage, Position } from './storage.js';

/** A sweep reads this many keys at once, and takes some of them by chance: another machine takes others. */
const windowSize = 1_000;

const start: Position = { at: 0, key: '' };

/** How often one sweep takes the same order: an order that is paid may have an upload to do at once. */
const mostTurns = 5;

/**
 * The orders that are due, in portions. Machines that sweep at the same time take different ones, and orders with which this
 * process can do nothing, however many they are and however long they have been due, do not keep it from the others: every
 * second portion begins at a place by chance.
 */
export class DueOrders {
  readonly #storage: OrderStorage;
  readonly #now: number;
  readonly #limit: number;
  readonly #random: () => number;
  readonly #turns = new Map<string, number>();
  readonly #active = new Set<string>();
  /** Up to here each due order had its turn. */
  #after = start;
  #oldest = Infinity;
  #portions = 0;

  constructor(storage: OrderStorage, now: number, limit: number, random: () => number) {
    this.#storage = storage;
    this.#now = now;
    this.#limit = limit;
    this.#random = random;
  }

  /** The sweep has ended its work on an order. One that it has moved may be due again. */
  end(key: string, isMoved: boolean): void {
    this.#active.delete(key);
    if (!isMoved) this.#turns.set(key, mostTurns);
  }

  /** Begins at the oldest once more: an order that was moved may be due again. */
  restart(): void {
    this.#after = start;
  }

  /** Keys of orders that this sweep works on now; none if nothing else is due. */
  async next(): Promise<string[]> {
    this.#portions += 1;
    if (this.#portions % 2 === 0) {
      const keys = this.#take(await this.#window(this.#placeByChance()));
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

  /** Ages of a second, a minute and a day are equally likely: what is due since a minute is behind what is due for weeks. */
  #placeByChance(): Position {
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
      const [key = '', last = ''] = [waiting[index], waiting.pop()];
      if (index < waiting.length) waiting[index] = last;
      taken.push(key);
      this.#active.add(key);
      this.#turns.set(key, (this.#turns.get(key) ?? 0) + 1);
    }
    return taken;
  }
}
