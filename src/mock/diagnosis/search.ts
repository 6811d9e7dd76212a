import { createSecretKey } from 'node:crypto';
import { rightDigest, wrongHashings, type HashKey, type Hashing } from './digest/hashings.js';
import type { Reading } from './digest/read-signature.js';
import type { Draft, Key, Stage } from './ingredient.js';
import { costOf, mostSteps, Variations, type Variation } from './variations.js';

/** A combination of mistakes that reproduces a signature. */
export interface Combination {
  readonly text: Variation<Draft>;
  readonly key: Variation<Key>;
  /** Undefined for the right one. */
  readonly hashing: Hashing | undefined;
  readonly layers: Reading['layers'];
}

/** The values to begin with, their mistakes stage by stage, and the digests that explain the signature. */
export interface SearchSpace {
  readonly draft: Draft;
  readonly stages: readonly Stage[];
  readonly key: Key;
  readonly keyStages: readonly Stage<Key>[];
  readonly readings: readonly Reading[];
}

/** Work is counted, not timed, so that the same request always has the same diagnosis: 1 is about a nanosecond. */
const workPer = { hash: 3_000, mistake: 2_500, hashedByte: 2, character: 8, characterOfParts: 24 } as const;
const mostWork = 84_000_000;
const highestCost = 12;
const rightSize = 32;

function isOfHabits({ steps }: Variation<Draft>): boolean {
  return steps.every(({ ingredient }) => ingredient.isHabit);
}

// The parts of JSON are changed one by one, a text as a whole.
function workOf(before: Draft, after: Draft | undefined): number {
  const isInParts = after !== undefined && before.tree !== after.tree;
  const length = (after ?? before).text?.length ?? 0;
  return workPer.mistake + length * (isInParts ? workPer.characterOfParts : workPer.character);
}

/** Sorting is one call with two other habits: json.dumps(order, sort_keys=True), jq -S, http_build_query after ksort. */
function stepsOf(text: Variation<Draft>): number {
  const isOneCall = isOfHabits(text) && text.steps.some(({ ingredient }) => ingredient.id === 'field-order');
  return isOneCall ? Math.min(text.steps.length, 2) : text.steps.length;
}

export class Search {
  readonly #readings: readonly Reading[];
  readonly #hashings: readonly Hashing[];
  /** The length of the signature tells that the hash is a wrong one. */
  readonly #isOtherHash: boolean;
  readonly #texts: Variations<Draft>;
  readonly #keys: Variations<Key>;
  /** Prepared once for all texts. */
  readonly #hashKeys = new WeakMap<Key, HashKey>();
  readonly #rightKey: Variation<Key>;
  #spent = 0;
  #found: Combination | undefined;

  constructor({ draft, stages, key, keyStages, readings }: SearchSpace) {
    this.#readings = readings;
    this.#hashings = wrongHashings.filter(({ size }) =>
      readings.some((reading) => (reading.size ?? size) === size && size > (reading.moreThan ?? 0)),
    );
    this.#isOtherHash = readings.every(({ size = rightSize }) => size !== rightSize);
    this.#rightKey = { value: key, steps: [], stage: -1 };
    const isOver = () => this.#isOver();
    this.#texts = new Variations({
      root: draft,
      stages,
      // Every text is tried with the right key as soon as it is made; equal digests are equal texts.
      identify: (variation) => this.#try(variation, this.#rightKey, undefined)?.toString('latin1'),
      onTried: (before, after) => (this.#spent += workOf(before, after)),
      isOver,
    });
    this.#keys = new Variations({
      root: key,
      stages: keyStages,
      identify: ({ value }) => value.toString('latin1'),
      onTried: () => (this.#spent += workPer.mistake),
      isOver,
    });
  }

  /** The cheapest combination, or undefined where none was found within the work that a search may do. */
  run(): Combination | undefined {
    for (let cost = 0; cost <= highestCost && !this.#isOver(); cost++) {
      if (cost > 0) this.#texts.makeSingle(cost);
      if (!this.#isOtherHash) this.#combine(cost, undefined);
      const discount = Number(this.#isOtherHash);
      for (const hashing of this.#hashings) this.#combine(cost - costOf(hashing) + discount, hashing);
      this.#texts.makeSeveral(cost);
    }
    return this.#found;
  }

  #isOver(): boolean {
    return this.#found !== undefined || this.#spent > mostWork;
  }

  /** Tries texts and keys whose costs add up to this. */
  #combine(cost: number, hashing: Hashing | undefined): void {
    // Texts with the right key and the right hashing were tried when they were made.
    for (let keyCost = hashing ? 0 : 1; keyCost <= cost; keyCost++) {
      const texts = keyCost === 0 ? this.#texts.ofCost(cost) : this.#besideKey(cost - keyCost);
      for (const key of this.#keys.ofCost(keyCost)) {
        const left = mostSteps - key.steps.length - Number(hashing !== undefined);
        for (const text of texts) {
          if (this.#isOver()) return;
          if (stepsOf(text) <= left) this.#try(text, key, hashing);
        }
      }
    }
  }

  /** Texts to try with a wrong key: a mistake that no library makes by itself is less likely there. */
  #besideKey(cost: number): readonly Variation<Draft>[] {
    const habitual = this.#texts.ofCost(cost).filter(isOfHabits);
    const others = this.#texts.ofCost(cost - 1).filter((text) => !isOfHabits(text));
    return [...habitual, ...others];
  }

  #try(text: Variation<Draft>, key: Variation<Key>, hashing: Hashing | undefined): Buffer | undefined {
    const signed = text.value.bytes ?? text.value.text;
    if (signed === undefined) return undefined;
    this.#spent += workPer.hash + workPer.hashedByte * signed.length;
    const digest = (hashing?.digest ?? rightDigest)(signed, this.#hashKeyOf(key.value));
    const reading = this.#readings.find(({ matches }) => matches(digest));
    if (reading) this.#found ??= { text, key, hashing, layers: reading.layers };
    return digest;
  }

  #hashKeyOf(key: Key): HashKey {
    const known = this.#hashKeys.get(key) ?? { bytes: key, key: createSecretKey(key) };
    this.#hashKeys.set(key, known);
    return known;
  }
}
