import { rightDigest, wrongDigests, type Digest } from './digests.js';
import { rightKeys, wrongKeys, type Key } from './keys.js';
import type { Reading } from './notations.js';
import type { Mistake } from './row.js';
import type { List, Step, Text, Texts } from './signed/drafts.js';
import type { RefusedRequest } from '../../mock/observation.js';

/** Mistakes that together lead to the received signature. */
export interface Match {
  readonly mistakes: readonly Mistake[];
  readonly text: Text;
}

/** A key and a digest. */
export interface Way {
  readonly size: number;
  readonly sign: (text: Text) => string;
  readonly mistakes: readonly Mistake[];
}

export interface Ways {
  readonly right: readonly [Way, ...Way[]];
  /** A wrong key, or a wrong digest. */
  readonly wrong: readonly Way[];
  /** A wrong key and a wrong digest. */
  readonly wrongTwice: readonly Way[];
}

export function waysOf(refused: RefusedRequest): Ways {
  const wayOf = ({ key, mistakes }: Key, digest: Digest): Way => ({
    size: digest.size,
    sign: (text) => digest.hash(text, key),
    mistakes: [...mistakes, ...digest.mistakes],
  });
  const hmacs = (keys: readonly Key[]) => keys.map((key) => wayOf(key, rightDigest));
  const digested = (keys: readonly Key[]) =>
    keys.flatMap((key) => wrongDigests.map((digest) => wayOf(key, digest)));
  const [first, ...more] = rightKeys(refused);
  const wrong = wrongKeys(refused);
  return {
    right: [wayOf(first, rightDigest), ...hmacs(more)],
    wrong: [...hmacs(wrong), ...digested([first, ...more])],
    wrongTwice: digested(wrong),
  };
}

/** The first result of some values that is not undefined. */
function firstOf<Value, Result>(values: Iterable<Value>, find: (value: Value) => Result | undefined) {
  for (const value of values) {
    const found = find(value);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * The work of one pass. It is counted and not timed, so that the same request always has the same diagnosis. The unit is
 * about a nanosecond.
 */
export class Budget {
  #left: number;

  constructor(units: number) {
    this.#left = units;
  }

  spend(units: number): void {
    this.#left -= units;
  }

  get isSpent(): boolean {
    return this.#left <= 0;
  }
}

/** The work of one digest. */
const hashing = (text: Text) => 3000 + text.length;

/** All pairs of some values, in their order. */
export function pairsOf<Value>(values: readonly Value[]): (readonly [Value, Value])[] {
  return values.flatMap((first, index) => values.slice(index + 1).map((second) => [first, second] as const));
}

interface Signed {
  readonly text: Text;
  readonly mistakes: () => readonly Mistake[];
}

/** Looks for the fewest mistakes, two at most, that lead to the received signature, in bounded work. */
export class Search<Data> {
  readonly #texts: Texts<Data>;
  readonly #ways: Ways;
  readonly #readings: readonly Reading[];
  /** The right signatures of the texts that were tried. */
  readonly #seen = new Set<string>();
  /** The texts with one mistake that a second one may be combined with. */
  readonly #changed: Signed[] = [];
  /** The steps that lead to a text of their own, by the list that has them. */
  readonly #effective = new Map<List<Data>, Step<Data>[]>();

  constructor(texts: Texts<Data>, ways: Ways, readings: readonly Reading[]) {
    this.#texts = texts;
    this.#ways = ways;
    this.#readings = readings;
  }

  run(): Match | undefined {
    return this.#unchanged() ?? this.#singleMistakes() ?? this.#pairs();
  }

  #unchanged(): Match | undefined {
    return firstOf(this.#sent(), (sent) => this.#tryText(sent, this.#readings).match);
  }

  #singleMistakes(): Match | undefined {
    return this.#inWays(this.#sent(), this.#ways.wrong, this.#readings) ?? this.#changedTexts();
  }

  #pairs(): Match | undefined {
    // A notation that is wrong is a mistake too.
    const readings = this.#readings.filter(({ mistakes }) => mistakes.length === 0);
    if (readings.length === 0) return undefined;
    return (
      this.#inWays(this.#sent(), this.#ways.wrongTwice, readings) ??
      this.#inWays(this.#changed, this.#ways.wrong, readings) ??
      this.#textsChangedTwice(readings)
    );
  }

  #sent(): readonly Signed[] {
    const text = this.#texts.sent.text();
    // Each digest of a string would encode it again.
    return text === undefined ? [] : [{ text: Buffer.from(text), mistakes: () => [] }];
  }

  /** Signs a text in the right ways. A text that comes a second time is not tried again. */
  #tryText(signed: Signed, readings: readonly Reading[]): { isNew: boolean; match?: Match | undefined } {
    const [first, ...others] = this.#ways.right;
    const identity = first.sign(signed.text);
    if (this.#seen.has(identity)) return { isNew: false };
    this.#seen.add(identity);
    const match =
      matchOf(signed, first, identity, readings) ??
      firstOf(others, (way) => matchOf(signed, way, way.sign(signed.text), readings));
    return { isNew: true, match };
  }

  #inWays(texts: readonly Signed[], ways: readonly Way[], readings: readonly Reading[]): Match | undefined {
    const budget = new Budget(25e6);
    const sizes = new Set(readings.map(({ size }) => size));
    for (const way of ways.filter(({ size }) => sizes.has(size))) {
      for (const signed of texts) {
        if (budget.isSpent) return undefined;
        budget.spend(hashing(signed.text));
        const match = matchOf(signed, way, way.sign(signed.text), readings);
        if (match) return match;
      }
    }
    return undefined;
  }

  #changedTexts(): Match | undefined {
    const budget = new Budget(120e6);
    const { sent, lists, writing } = this.#texts;
    for (const list of lists) {
      const effective: Step<Data>[] = [];
      this.#effective.set(list, effective);
      for (const step of list.steps) {
        if (budget.isSpent) break;
        const made = step(sent);
        const text = made?.draft.text();
        budget.spend(writing + hashing(text ?? ''));
        // Data that was sent in an unknown layout has a text only in another one.
        if (made && text === undefined) effective.push(step);
        if (!made || text === undefined) continue;
        const { isNew, match } = this.#tryText({ text, mistakes: made.mistakes }, this.#readings);
        if (match) return match;
        if (!isNew || list.isAlone) continue;
        effective.push(step);
        this.#changed.push({ text: Buffer.from(text), mistakes: made.mistakes });
      }
    }
    return undefined;
  }

  #textsChangedTwice(readings: readonly Reading[]): Match | undefined {
    const budget = new Budget(70e6);
    const { sent, writing } = this.#texts;
    const made = new Map<Step<Data>, ReturnType<Step<Data>>>();
    for (const { first, second } of this.#pairsOfSteps()) {
      if (budget.isSpent) return undefined;
      if (!made.has(first)) made.set(first, first(sent));
      const once = made.get(first);
      const twice = once && second(once.draft);
      const text = twice?.draft.text();
      budget.spend(writing + hashing(text ?? ''));
      if (!once || !twice || text === undefined) continue;
      const mistakes = () => [...once.mistakes(), ...twice.mistakes()];
      const { match } = this.#tryText({ text, mistakes }, readings);
      if (match) return match;
    }
    return undefined;
  }

  /** Two steps of different lists. The likely ones are first in their lists, and their pairs are first here. */
  #pairsOfSteps() {
    const combined = this.#texts.lists.filter(({ isAlone }) => !isAlone);
    const lists = combined.map((list) => this.#effective.get(list) ?? []);
    const pairs = pairsOf(lists).flatMap(([some, others]) =>
      some.flatMap((first, index) => others.map((second, place) => ({ first, second, rank: index + place }))),
    );
    return pairs.sort((a, b) => a.rank - b.rank);
  }
}

function matchOf(
  { text, mistakes }: Signed,
  way: Way,
  signature: string,
  readings: readonly Reading[],
): Match | undefined {
  const reading = readings.find(({ size, fits }) => size === way.size && fits(signature));
  return reading && { mistakes: [...mistakes(), ...way.mistakes, ...reading.mistakes], text };
}
