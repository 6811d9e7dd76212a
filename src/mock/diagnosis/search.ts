import { rightDigest, rightSize, type DigestRow } from './digests.js';
import type { KeyRow } from './keys.js';
import type { Reading } from './notations.js';
import type { Words } from './row.js';
import { inTurn, type SignedText, type SignedTexts } from './signed/signed-texts.js';
import type { TextRow } from './signed/whole-text.js';

/** The four lists, and what should have been in each. */
export interface Lists {
  readonly sent: string | Uint8Array;
  readonly secretKey: string;
  readonly texts: SignedTexts;
  readonly wholeTexts: readonly TextRow[];
  readonly keys: readonly KeyRow[];
  readonly digests: readonly DigestRow[];
  /** The received signature, peeled: this list is not tried but read. */
  readonly readings: readonly Reading[];
}

/** Mistakes that together lead to the received signature. */
export interface Finding {
  readonly mistakes: readonly Words[];
  /** The signed text. */
  readonly text: string | Uint8Array;
  readonly isOtherText: boolean;
}

/** A wrong key. */
interface Key {
  readonly row: KeyRow;
  readonly bytes: Buffer;
}

/** A choice from the lists beside the text; what is not in it is right. */
interface Rest {
  readonly wholeText?: TextRow;
  readonly key?: Key;
  readonly digest?: DigestRow;
}

/** How many mistakes are in the text and how many beside it: the fewest in all come first. */
const plan: readonly (readonly [inText: number, beside: number])[] = [
  [0, 0],
  [1, 0],
  [0, 1],
  [2, 0],
  [1, 1],
  [0, 2],
  [3, 0],
  [2, 1],
  [1, 2],
  [3, 1],
];

/*
 * Work is counted and not timed, so that the same request always has the same diagnosis. Its unit is a hashed byte; the
 * whole takes about 0.1 s. Each step of several mistakes gets a part of it.
 */
const mostWork = 130_000_000;
const mostPerStep = mostWork / 8;
/** Of each list, where two of them are wrong at once. */
const mostPaired = 60;
const perDigest = 6_000;
const perWrittenCharacter = 40;

/** The simplest choice from the lists that leads to the received signature, within the work that is allowed. */
export function search(lists: Lists): Finding | undefined {
  return new Search(lists).run();
}

class Search {
  readonly #lists: Lists;
  readonly #rightKey: Buffer;
  readonly #wrongKeys: readonly Key[];
  /** Whether the signature may have the size of the right digest. */
  readonly #isRightSize: boolean;
  readonly #wrongDigests: readonly DigestRow[];
  /** The texts by the number of mistakes in them, for the steps that combine them. */
  readonly #texts: SignedText[][] = [];
  readonly #seenTexts = new Set<string>();
  #left = mostWork;
  /** Work that has to be left at the end of a step. */
  #least = 0;

  constructor(lists: Lists) {
    const fits = (size: number) => lists.readings.some((reading) => (reading.size ?? size) === size);
    this.#lists = lists;
    this.#rightKey = Buffer.from(lists.secretKey);
    this.#wrongKeys = keysOf(lists);
    this.#isRightSize = fits(rightSize);
    this.#wrongDigests = lists.digests.filter(({ size }) => fits(size));
  }

  run(): Finding | undefined {
    for (const [inText, beside] of plan) {
      const isSingle = inText + beside < 2;
      this.#least = isSingle ? 0 : Math.max(0, this.#left - mostPerStep);
      for (const [text, rest] of beside === 0 ? this.#alone(inText) : this.#combined(inText, beside)) {
        const found = this.#attempt(text, rest);
        if (found) return found;
        if (this.#left <= this.#least) break;
      }
    }
    return undefined;
  }

  *#alone(inText: number): Iterable<readonly [SignedText, Rest]> {
    const rests = this.#rests(0);
    for (const text of this.#make(inText)) {
      for (const rest of rests) yield [text, rest];
    }
  }

  /** The usual ones of both first. */
  *#combined(inText: number, beside: number): Iterable<readonly [SignedText, Rest]> {
    const texts = this.#texts[inText]?.filter(isHabit) ?? [];
    yield* pairs(texts, this.#rests(beside));
  }

  *#make(count: number): Iterable<SignedText> {
    const kept: SignedText[] = [];
    this.#texts[count] = kept;
    for (const made of this.#textsWith(count)) {
      this.#left -= made.text.length * perWrittenCharacter;
      if (this.#left <= this.#least) return;
      if (typeof made.text === 'string') {
        if (this.#seenTexts.has(made.text)) continue;
        this.#seenTexts.add(made.text);
      }
      kept.push(made);
      yield made;
    }
  }

  *#textsWith(count: number): Iterable<SignedText> {
    const { sent, texts } = this.#lists;
    if (count === 0) yield { mistakes: [], text: sent };
    else yield* inTurn(texts.styles(count), count === 1 ? this.#otherTexts() : []);
  }

  *#otherTexts(): Iterable<SignedText> {
    for (const row of this.#lists.texts.others) {
      const text = row.change(undefined);
      if (text !== undefined) yield { mistakes: [row], text };
    }
  }

  /** The choices with so many mistakes beside the text, the usual ones first. */
  #rests(count: number): readonly Rest[] {
    if (count === 0) return this.#isRightSize ? [{}] : [];
    const digests = this.#wrongDigests.map((digest): Rest => ({ digest }));
    const keys = this.#wrongKeys.map((key): Rest => ({ key }));
    const wholeTexts = this.#lists.wholeTexts.map((wholeText): Rest => ({ wholeText }));
    if (count === 1) return [...(this.#isRightSize ? inTurn(digests, keys, wholeTexts) : digests)];
    const lists = [digests, keys, wholeTexts].map((list) => list.slice(0, mostPaired));
    const [ofDigests = [], ofKeys = [], ofTexts = []] = lists;
    const withKeys = this.#isRightSize ? pairs(ofKeys, ofTexts) : [];
    const combined = inTurn(withKeys, pairs(ofDigests, ofKeys), pairs(ofDigests, ofTexts));
    return Array.from(combined, ([one, other]) => ({ ...one, ...other }));
  }

  #attempt({ mistakes, text }: SignedText, { wholeText, key, digest }: Rest): Finding | undefined {
    const signed = wholeText ? changed(wholeText, text) : text;
    if (signed === undefined) return undefined;
    const bytes = typeof signed === 'string' ? Buffer.from(signed) : signed;
    this.#left -= perDigest + bytes.length;
    const hashed = { text: bytes, key: key?.bytes ?? this.#rightKey };
    const made = digest?.change(hashed) ?? rightDigest(hashed);
    const reading = this.#lists.readings.find(({ matches }) => matches(made));
    if (!reading) return undefined;
    const beside = [wholeText, key?.row, digest].filter((row) => row !== undefined);
    const isOtherText = mistakes.length > 0 || wholeText !== undefined;
    return { mistakes: [...mistakes, ...beside, ...reading.mistakes], text: signed, isOtherText };
  }
}

/** The keys that differ from the right one and from each other. */
function keysOf({ keys, secretKey }: Lists): Key[] {
  const known = new Set([Buffer.from(secretKey).toString('latin1')]);
  return keys.flatMap((row) => {
    const key = row.change(secretKey);
    const bytes = Buffer.from(key ?? '');
    const identity = bytes.toString('latin1');
    if (key === undefined || known.has(identity)) return [];
    known.add(identity);
    return [{ row, bytes }];
  });
}

function changed(row: TextRow, text: SignedText['text']): SignedText['text'] | undefined {
  const after = typeof text === 'string' ? row.change(text) : undefined;
  return after === text ? undefined : after;
}

/** Only mistakes that languages make by themselves are combined with others. */
function isHabit({ mistakes }: SignedText): boolean {
  return mistakes.every(({ by }) => by !== undefined);
}

/** One of each list, those first that are early in both. */
function* pairs<Some, Other>(
  some: readonly Some[],
  others: readonly Other[],
): Iterable<readonly [Some, Other]> {
  for (let sum = 0; sum < some.length + others.length - 1; sum++) {
    for (let index = Math.max(0, sum - others.length + 1); index <= sum && index < some.length; index++) {
      yield [some[index] as Some, others[sum - index] as Other];
    }
  }
}
