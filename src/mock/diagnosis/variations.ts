import type { Ingredient, Rarity, Stage } from './ingredient.js';

/** A value with mistakes in it, each of another stage and in the order of the stages. */
export interface Variation<Value> {
  readonly value: Value;
  readonly steps: readonly Step<Value>[];
  /** The stage of the last mistake; -1 for none. */
  readonly stage: number;
}

export interface Step<Value> {
  readonly ingredient: Ingredient<Value>;
  readonly before: Value;
  readonly after: Value;
}

interface VariationOptions<Value> {
  readonly root: Value;
  readonly stages: readonly Stage<Value>[];
  /** Equal for values that lead to the same bytes; undefined for a value that has no bytes yet. */
  readonly identify: (variation: Variation<Value>) => string | undefined;
  /** Called for each mistake that is tried, so that it can be counted as work. */
  readonly onTried: (before: Value, after: Value | undefined) => void;
  readonly isOver: () => boolean;
}

export const mostSteps = 3;

const costs: Readonly<Record<Rarity, number>> = { 2: 2, 3: 4, 4: 5, 5: 6 };

/** Two usual mistakes together are tried as early as an unusual one. */
export function costOf({ rarity }: { readonly rarity: Rarity }): number {
  return costs[rarity];
}

/** The cost of a mistake after others: a second habit of the same library is likely. */
function costAfter<Value>(steps: readonly Step<Value>[], ingredient: Ingredient<Value>): number {
  const isLikely = ingredient.isHabit === true && steps.some((step) => step.ingredient.isHabit);
  return costOf(ingredient) - Number(isLikely);
}

/**
 * The variations of a value by their total cost, each made once. A mistake that changes nothing, or that leads to what
 * a cheaper combination leads to already, is in none of them: whatever a variation names is there.
 */
export class Variations<Value> {
  readonly #options: VariationOptions<Value>;
  readonly #byCost: Variation<Value>[][] = [];
  readonly #seen = new Set<string | undefined>();
  /** Mistakes without an effect of their own on the right value: not tried again in combinations. */
  readonly #idle = new Set<Ingredient<Value>>();

  constructor(options: VariationOptions<Value>) {
    this.#options = options;
    const root = { value: options.root, steps: [], stage: -1 };
    this.#isNew(root);
    this.#byCost.push([root]);
  }

  /** Those whose costs add up to exactly this. */
  ofCost(cost: number): readonly Variation<Value>[] {
    for (let next = this.#byCost.length; next <= cost; next++) {
      this.makeSingle(next);
      this.makeSeveral(next);
    }
    return this.#byCost[cost] ?? [];
  }

  /** Makes those with one mistake of this cost: before those with several, which never stand for what is one. */
  makeSingle(cost: number): void {
    this.#byCost[cost] = (this.#byCost[0] ?? []).flatMap((root) => this.#extend(root, cost));
  }

  /** Makes those with several mistakes: first those in which the last one adds least. */
  makeSeveral(cost: number): void {
    for (let before = cost - 1; before > 0; before--) {
      for (const variation of this.#byCost[before] ?? []) {
        this.#byCost[cost]?.push(...this.#extend(variation, cost - before));
      }
    }
  }

  #extend({ value: before, steps, stage: last }: Variation<Value>, cost: number): Variation<Value>[] {
    const found: Variation<Value>[] = [];
    const { stages, onTried, isOver } = this.#options;
    if (steps.length === mostSteps) return found;
    for (let stage = last + 1; stage < stages.length; stage++) {
      for (const ingredient of stages[stage] ?? []) {
        if (costAfter(steps, ingredient) !== cost || this.#idle.has(ingredient)) continue;
        if (isOver()) return found;
        const after = ingredient.apply(before);
        onTried(before, after);
        const extended = after && { value: after, steps: [...steps, { ingredient, before, after }], stage };
        if (extended && this.#isNew(extended)) found.push(extended);
        else if (steps.length === 0 && !ingredient.isLate) this.#idle.add(ingredient);
      }
    }
    return found;
  }

  #isNew(variation: Variation<Value>): boolean {
    const identity = this.#options.identify(variation);
    const isNew = !this.#seen.has(identity);
    if (identity !== undefined) this.#seen.add(identity);
    return isNew;
  }
}
