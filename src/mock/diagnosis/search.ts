import { createSecretKey } from 'node:crypto';
import type { Draft, Stage } from './draft.js';
import { hmacSha256, wrongHashings, type HashKey, type Hashing } from './hashes.js';
import type { Secret } from './secret.js';
import { costOf, mostSteps, Variations, type Variation } from './variations.js';
import type { Writing } from './writing.js';
import type { Candidate } from './writings.js';

/** A combination of mistakes that reproduces a signature. */
export interface Finding {
  readonly text: Variation<Draft>;
  readonly secret: Variation<Secret>;
  /** Undefined for the right one. */
  readonly hashing: Hashing | undefined;
  readonly writings: readonly Writing[];
}

/** What is searched, stage by stage. */
export interface SearchSpace {
  readonly text: Draft;
  readonly textStages: readonly Stage<Draft>[];
  readonly secret: Secret;
  readonly secretStages: readonly Stage<Secret>[];
  readonly candidates: readonly Candidate[];
}

/** Work is counted, not timed, so that the same request always has the same diagnosis: 1 is about a nanosecond. */
const work = {
  perHash: 3_000,
  perMistake: 2_500,
  perHashedByte: 2,
  perCharacter: 8,
  perCharacterOfParts: 24,
} as const;
/** The most work of one search. */
const mostWork = 84_000_000;
const highestCost = 12;
const rightSize = 32;

function isOfHabits({ steps }: Variation<Draft>): boolean {
  return steps.every(({ ingredient }) => ingredient.isHabit);
}

/** How much work it is to make a mistake: the parts of JSON are changed one by one, a text as a whole. */
function workOf(before: Draft, after: Draft | undefined): number {
  const isInParts = after !== undefined && before.tree !== after.tree;
  const length = (after ?? before).text?.length ?? 0;
  return work.perMistake + length * (isInParts ? work.perCharacterOfParts : work.perCharacter);
}

/** Sorting is one call with two other habits: json.dumps(order, sort_keys=True), jq -S, http_build_query after ksort. */
function stepsOf(text: Variation<Draft>): number {
  const { steps } = text;
  return steps.some(({ ingredient }) => ingredient.id === 'field-order') && isOfHabits(text)
    ? Math.min(steps.length, 2)
    : steps.length;
}

/** One search for the simplest combination of mistakes that reproduces a signature. */
export class Search {
  readonly #candidates: readonly Candidate[];
  readonly #hashings: readonly Hashing[];
  /** The length of the signature tells that the hash is a wrong one. */
  readonly #isOtherHash: boolean;
  readonly #texts: Variations<Draft>;
  readonly #secrets: Variations<Secret>;
  readonly #keys = new WeakMap<Secret, HashKey>();
  readonly #root: Variation<Secret>;
  #spent = 0;
  #finding: Finding | undefined;

  constructor({ text, textStages, secret, secretStages, candidates }: SearchSpace) {
    this.#candidates = candidates;
    this.#hashings = wrongHashings.filter(({ size }) =>
      candidates.some((candidate) => (candidate.size ?? size) === size && size > (candidate.moreThan ?? 0)),
    );
    this.#isOtherHash = candidates.every(({ size = rightSize }) => size !== rightSize);
    this.#root = { value: secret, steps: [], stage: -1 };
    const isOver = () => this.#isOver();
    this.#texts = new Variations({
      root: text,
      stages: textStages,
      // Every text is tried with the right secret as soon as it is made; equal digests are equal texts.
      identify: (variation) => this.#try(variation, this.#root, undefined)?.toString('latin1'),
      onTried: (before, after) => (this.#spent += workOf(before, after)),
      isOver,
    });
    this.#secrets = new Variations({
      root: secret,
      stages: secretStages,
      identify: ({ value }) => value.toString('latin1'),
      onTried: () => (this.#spent += work.perMistake),
      isOver,
    });
  }

  /** The cheapest combination, or undefined where none was found within the work that a search may do. */
  run(): Finding | undefined {
    for (let cost = 0; cost <= highestCost && !this.#isOver(); cost++) {
      if (cost > 0) this.#texts.makeSingle(cost);
      if (!this.#isOtherHash) this.#combine(cost, undefined);
      const discount = Number(this.#isOtherHash);
      for (const hashing of this.#hashings) this.#combine(cost - costOf(hashing) + discount, hashing);
      this.#texts.makeSeveral(cost);
    }
    return this.#finding;
  }

  #isOver(): boolean {
    return this.#finding !== undefined || this.#spent > mostWork;
  }

  /** Tries texts and secrets whose costs add up to this. */
  #combine(cost: number, hashing: Hashing | undefined): void {
    // Texts with the right secret and the right hashing were tried when they were made.
    for (let secretCost = hashing ? 0 : 1; secretCost <= cost; secretCost++) {
      const texts = secretCost === 0 ? this.#texts.ofCost(cost) : this.#besideSecret(cost - secretCost);
      for (const secret of this.#secrets.ofCost(secretCost)) {
        const left = mostSteps - secret.steps.length - (hashing ? 1 : 0);
        for (const text of texts) {
          if (stepsOf(text) > left) continue;
          if (this.#isOver()) return;
          this.#try(text, secret, hashing);
        }
      }
    }
  }

  /** Texts to try with a wrong secret: what no library does by itself is less likely there. */
  #besideSecret(cost: number): readonly Variation<Draft>[] {
    const habitual = this.#texts.ofCost(cost).filter(isOfHabits);
    const others = cost === 0 ? [] : this.#texts.ofCost(cost - 1).filter((text) => !isOfHabits(text));
    return [...habitual, ...others];
  }

  #try(text: Variation<Draft>, secret: Variation<Secret>, hashing: Hashing | undefined): Buffer | undefined {
    const signed = text.value.bytes ?? text.value.text;
    if (signed === undefined) return undefined;
    this.#spent += work.perHash + work.perHashedByte * signed.length;
    const digest = (hashing?.digest ?? hmacSha256)(signed, this.#keyOf(secret.value));
    const candidate = this.#candidates.find(({ matches }) => matches(digest));
    if (candidate) this.#finding ??= { text, secret, hashing, writings: candidate.writings };
    return digest;
  }

  #keyOf(secret: Secret): HashKey {
    const known = this.#keys.get(secret) ?? { bytes: secret, key: createSecretKey(secret) };
    this.#keys.set(secret, known);
    return known;
  }
}
