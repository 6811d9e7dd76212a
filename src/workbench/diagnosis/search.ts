import { rightDigest, wrongDigests, type Digest } from './digests.js';
import { rightKeys, wrongKeys, type Key } from './keys.js';
import type { Reading } from './notations.js';
import type { Words } from './row.js';
import type { Candidate, List, Mistake, Text, Texts } from './signed/candidates.js';
import type { RefusedRequest } from '../../mock/observation.js';

/** Mistakes that together lead to the received signature. */
export interface Match {
  readonly mistakes: readonly Words[];
  readonly text: Text;
}

/** A key and a digest. */
export interface Signing {
  readonly size: number;
  readonly sign: (text: Text) => string;
  readonly mistakes: readonly Words[];
}

export interface Signings {
  readonly right: readonly [Signing, ...Signing[]];
  /** Those that are tried with every text, with texts that have two mistakes at most, and with the text that was sent. */
  readonly wrong: readonly [readonly Signing[], readonly Signing[], readonly Signing[]];
}

export function signingsOf(refused: RefusedRequest): Signings {
  const signing = ({ key, mistakes }: Key, { size, hash, mistakes: others }: Digest): Signing => {
    return { size, sign: (text) => hash(text, key), mistakes: [...mistakes, ...others] };
  };
  const digested = (keys: readonly Key[]) =>
    keys.flatMap((key) => wrongDigests.map((digest) => signing(key, digest)));
  const hmacs = (keys: readonly Key[]) => keys.map((key) => signing(key, rightDigest));
  const [first, ...more] = rightKeys(refused);
  const { misread, other } = wrongKeys(refused);
  return {
    right: [signing(first, rightDigest), ...hmacs(more)],
    wrong: [
      [...hmacs(misread), ...digested([first, ...more])],
      hmacs(other),
      digested([...misread, ...other]),
    ],
  };
}

/**
 * So many of the lists. Where there are more than two, one at most may be combined `once`. Lists that are combined freely
 * come first; of products, then the short ones, which are tried whole.
 */
function products(lists: readonly List[], count: number): List[][] {
  type Product = List[];
  const others = (product: Product) => product.filter(({ combined }) => combined !== 'freely').length;
  const size = (product: Product) => product.reduce((sum, { mistakes }) => sum * mistakes.length, 1);
  const chosen = (from: Product, left: number): Product[] =>
    left === 0
      ? [[]]
      : from.flatMap((list, index) => chosen(from.slice(index + 1), left - 1).map((rest) => [list, ...rest]));
  const combined = lists.filter((list) => count < 2 || list.combined !== 'alone');
  return chosen(combined, count)
    .filter((product) => count < 3 || others(product) < 2)
    .sort((a, b) => others(a) - others(b) || (count > 1 ? size(a) - size(b) : 0));
}

// Work is counted and not timed, so that the same request always has the same diagnosis. The unit is a digest of a short text.
// Long texts count for more than they take: a short order can then be searched deeper within the same bound.
const hashedPerUnit = 2000;
const writtenPerUnit = 200;
/** For texts with so many mistakes: the work on the texts themselves, and that of signing them in wrong ways. */
const mostWork = [
  [1, 6000],
  [42_000, 5000],
  [28_000, 9000],
  [15_000, 6000],
  [2000, 0],
] as const;

function firstMatch<Value>(values: readonly Value[], find: (value: Value) => Match | undefined) {
  for (const value of values) {
    const found = find(value);
    if (found) return found;
  }
  return undefined;
}

/** The fewest mistakes that lead to the received signature, within the work that is allowed. */
export function search(
  { sent, lists }: Texts,
  { right: [first, ...more], wrong }: Signings,
  readings: readonly Reading[],
): Match | undefined {
  type Explanation = readonly (() => Words)[];
  const sizes = new Set(readings.map(({ size }) => size));
  const signingsUpTo = (count: number) =>
    [more, ...wrong.slice(0, count)].flat().filter(({ size }) => sizes.has(size));
  const [all, most, few] = [signingsUpTo(3), signingsUpTo(2), signingsUpTo(1)];
  /** The right signatures of the texts that were tried. A text that comes a second time is not tried again. */
  const seen = new Set<string>();
  let [leftForTexts, leftForSignings] = [0, 0];

  function matchOf(
    candidate: Candidate,
    explanation: Explanation,
    signings: readonly Signing[],
  ): Match | undefined {
    const text = candidate.text();
    if (text === undefined) return undefined;
    const work = 1 + text.length / hashedPerUnit;
    leftForTexts -= work + text.length / writtenPerUnit;
    const identity = first.sign(text);
    if (seen.has(identity)) return undefined;
    seen.add(identity);

    const matchWith = (signing: Signing, signature: string): Match | undefined => {
      const reading = readings.find(({ fits }) => fits(signature));
      if (!reading) return undefined;
      return {
        mistakes: [...explanation.map((words) => words()), ...signing.mistakes, ...reading.mistakes],
        text,
      };
    };
    // Each digest of a string would encode it again.
    const bytes = leftForSignings > 0 && signings.length > 1 ? Buffer.from(text) : text;
    const matchOtherwise = (signing: Signing) => {
      if (leftForSignings < 0) return undefined;
      leftForSignings -= work;
      return matchWith(signing, signing.sign(bytes));
    };
    return matchWith(first, identity) ?? firstMatch(signings, matchOtherwise);
  }

  /** The text that was sent is in no known layout, so changed data has a text only in another one. */
  const isForeign = sent.write(sent.tree) === undefined;
  /** The mistakes that are combined: not those that lead to a text of another one. */
  const effective = new Map(lists.map((list) => [list, [] as Mistake[]]));

  function matchOfOne(list: List): Match | undefined {
    return firstMatch(list.mistakes, (mistake) => {
      const made = leftForTexts < 0 ? undefined : mistake(sent);
      const before = seen.size;
      const found = made && matchOf(made.candidate, [made.words], list.combined === 'alone' ? more : most);
      const isNew = seen.size > before;
      if (isNew || (isForeign && made?.candidate.text() === undefined)) effective.get(list)?.push(mistake);
      return found;
    });
  }

  function matchOfMany(
    [list, ...rest]: readonly List[],
    candidate: Candidate,
    explanation: Explanation,
  ): Match | undefined {
    if (!list) return matchOf(candidate, explanation, explanation.length > 2 ? few : most);
    return firstMatch(list.mistakes, (mistake) => {
      const made = leftForTexts < 0 ? undefined : mistake(candidate);
      return made && matchOfMany(rest, made.candidate, [...explanation, made.words]);
    });
  }

  return firstMatch([...mostWork.entries()], ([count, [forTexts, forSignings]]) => {
    [leftForTexts, leftForSignings] = [forTexts, forSignings];
    if (count === 0) return matchOf(sent, [], all);
    if (count === 1) return firstMatch(products(lists, 1).flat(), matchOfOne);
    const combined = lists.map((list) => ({ ...list, mistakes: effective.get(list) ?? [] }));
    return firstMatch(products(combined, count), (product) => matchOfMany(product, sent, []));
  });
}
