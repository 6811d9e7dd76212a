import type { Reading } from './notations.js';
import type { Mistake } from './mistake.js';
import type { Signing, Signings } from './signings.js';
import type { Candidate, Step, Text } from './candidates/candidate.js';

/** The texts that might have been signed, as the sent text and the steps that lead from it to the other texts. */
export interface Candidates {
  /** The text that was sent. */
  readonly sent: Candidate;
  /**
   * The steps that are combined with a step of another list. The lists are in the order in which their steps change a
   * text. Each list begins with its most likely step.
   */
  readonly lists: readonly (readonly Step[])[];
  /** The steps that are not combined with a second mistake. */
  readonly alone: readonly Step[];
  /** The steps that are tried after all pairs, because there are thousands of them. */
  readonly last?: Iterable<Step>;
  /** The work of one step. */
  readonly workPerStep: number;
}

/** The mistakes that together lead to the received signature. */
export interface Match {
  readonly mistakes: readonly Mistake[];
  readonly text: Text;
}

// The work of each pass is counted, not timed, so that the same request always gets the same diagnosis. The unit is
// about a nanosecond.
const workOfSigning = 25e6;
const workOfSteps = 120e6;
const workOfPairs = 70e6;

/** The work of one digest. */
const hashing = (length = 0) => 3000 + length;

/** A step to try from a candidate. */
interface Trial {
  readonly from: Candidate;
  readonly step: Step;
  /** The number of the list that contains the step; undefined if the step is not combined with another step. */
  readonly list?: number;
}

/** A step that changes the sent text, or that changes data which only another style can write as text. */
interface Effective {
  readonly step: Step;
  readonly candidate: Candidate;
  readonly list: number;
  /** The position among the effective steps of its list. */
  readonly rank: number;
}

/** The pairs of steps from different lists, the most likely first. */
function pairsOf(effective: readonly Effective[]): Trial[] {
  const pairs = effective.flatMap(({ candidate: from, list, rank }) =>
    effective
      .filter((second) => second.list > list)
      .map((second) => ({ from, step: second.step, rank: rank + second.rank })),
  );
  return pairs.sort((a, b) => a.rank - b.rank);
}

/** Searches for the fewest mistakes, two at most, that lead to the received signature, in bounded work. */
export class Search {
  readonly #candidates: Candidates;
  readonly #signings: Signings;
  readonly #readings: readonly Reading[];
  /** One valid signature of each text that was tried. It identifies the text. */
  readonly #seen = new Set<string>();
  readonly #effective: Effective[] = [];

  constructor(candidates: Candidates, signings: Signings, readings: readonly Reading[]) {
    this.#candidates = candidates;
    this.#signings = signings;
    this.#readings = readings;
  }

  run(): Match | undefined {
    if (this.#readings.length === 0) return undefined;
    const { sent } = this.#candidates;
    return (
      this.#signRight(sent, this.#readings).match ??
      this.#singleMistakes(sent) ??
      this.#pairs(sent) ??
      this.#lastSteps(sent)
    );
  }

  #singleMistakes(sent: Candidate): Match | undefined {
    const { lists, alone } = this.#candidates;
    const combined = lists.flatMap((steps, list) => steps.map((step) => ({ from: sent, step, list })));
    const trials: Trial[] = [...combined, ...alone.map((step) => ({ from: sent, step }))];
    return (
      this.#sign([sent], this.#signings.wrong, this.#readings) ??
      this.#tryAll(trials, workOfSteps, this.#readings)
    );
  }

  #pairs(sent: Candidate): Match | undefined {
    // A wrong notation is a mistake too. With a pair of steps, there would be three mistakes.
    const readings = this.#readings.filter(({ mistakes }) => mistakes.length === 0);
    if (readings.length === 0) return undefined;
    const changed = this.#effective.map(({ candidate }) => candidate);
    return (
      this.#sign([sent], this.#signings.wrongTwice, readings) ??
      this.#sign(changed, this.#signings.wrong, readings) ??
      this.#tryAll(pairsOf(this.#effective), workOfPairs, readings)
    );
  }

  #lastSteps(from: Candidate): Match | undefined {
    const { last = [] } = this.#candidates;
    function* trials(): Generator<Trial> {
      for (const step of last) yield { from, step };
    }
    return this.#tryAll(trials(), workOfSteps, this.#readings);
  }

  /** Signs a text with the valid keys and the right digest. A text that occurs again is not signed again. */
  #signRight(
    candidate: Candidate,
    readings: readonly Reading[],
  ): { isNew: boolean; match?: Match | undefined } {
    const { text } = candidate;
    if (text === undefined) return { isNew: true };
    const [first, ...others] = this.#signings.right;
    const identity = first.sign(text);
    if (this.#seen.has(identity)) return { isNew: false };
    this.#seen.add(identity);
    const match =
      matchOf(candidate, text, first, identity, readings) ?? this.#sign([candidate], others, readings);
    return { isNew: true, match };
  }

  /** Signs texts, in the most likely ways first. */
  #sign(
    candidates: readonly Candidate[],
    signings: readonly Signing[],
    readings: readonly Reading[],
  ): Match | undefined {
    let left = workOfSigning;
    const sizes = new Set(readings.map(({ size }) => size));
    // Without this conversion, each digest of a text would encode the text again.
    const texts = candidates.flatMap((candidate) =>
      candidate.text === undefined ? [] : [{ candidate, bytes: Buffer.from(candidate.text) }],
    );
    for (const signing of signings.filter(({ size }) => sizes.has(size))) {
      for (const { candidate, bytes } of texts) {
        if (left <= 0) return undefined;
        left -= hashing(bytes.length);
        const match = matchOf(candidate, bytes, signing, signing.sign(bytes), readings);
        if (match) return match;
      }
    }
    return undefined;
  }

  /** Applies steps, and signs the results with the valid keys and the right digest. */
  #tryAll(trials: Iterable<Trial>, work: number, readings: readonly Reading[]): Match | undefined {
    let left = work;
    for (const { from, step, list } of trials) {
      if (left <= 0) return undefined;
      const candidate = step(from);
      left -= this.#candidates.workPerStep + hashing(candidate?.text?.length);
      if (!candidate) continue;
      const { isNew, match } = this.#signRight(candidate, readings);
      if (match) return match;
      if (!isNew || list === undefined) continue;
      const rank = this.#effective.filter((other) => other.list === list).length;
      this.#effective.push({ step, candidate, list, rank });
    }
    return undefined;
  }
}

function matchOf(
  { mistakes }: Candidate,
  text: Text,
  signing: Signing,
  signature: string,
  readings: readonly Reading[],
): Match | undefined {
  const reading = readings.find(({ size, fits }) => size === signing.size && fits(signature));
  return reading && { mistakes: [...mistakes(), ...signing.mistakes, ...reading.mistakes], text };
}
