import { rightDigest, rightSize, type DigestRow } from './digests.js';
import type { KeyRow } from './keys.js';
import type { Reading } from './notations.js';
import type { Words } from './row.js';
import type { SignedText, TextsWith } from './signed/signed-texts.js';

/** The four lists. */
export interface Lists {
  /** Texts that may have been signed, by the number of mistakes in them; the one without a mistake was sent. */
  readonly texts: TextsWith;
  readonly secretKey: string;
  readonly keys: readonly KeyRow[];
  readonly digests: readonly DigestRow[];
  /** The received signature, peeled: this list is not tried but read. */
  readonly readings: readonly Reading[];
}

/** Mistakes that together lead to the received signature. */
export interface Finding {
  readonly mistakes: readonly Words[];
  readonly text: string | Uint8Array;
  readonly isOtherText: boolean;
}

/** A choice of a key and a digest; what is not in it is right. */
interface Beside {
  readonly key?: Key | undefined;
  readonly digest?: DigestRow | undefined;
}

interface Key {
  readonly row: KeyRow;
  readonly bytes: Buffer;
}

/** How many mistakes are in the text and how many beside it: the fewest in all come first. */
const plan: readonly (readonly [inText: number, beside: number])[] = [
  [0, 0],
  [0, 1],
  [1, 0],
  [2, 0],
  [1, 1],
  [0, 2],
  [3, 0],
  [2, 1],
  [3, 1],
];

// Work is counted and not timed, so that the same request always has the same diagnosis. A unit is about a nanosecond.
const mostWork = 120_000_000;
/** In each step that combines mistakes. */
const mostPerStep = mostWork / 2;
const perDigest = 3_000;
const perWrittenCharacter = 15;

interface MadeText extends SignedText {
  readonly bytes: Uint8Array;
}

/** The simplest choice from the lists that leads to the received signature, within the work that is allowed. */
export function search({ texts, secretKey, keys, digests, readings }: Lists): Finding | undefined {
  const rightKey = Buffer.from(secretKey);
  const choices = choicesBeside(differentKeys(keys, secretKey), digests, readings);
  /** The texts that were made, by the number of mistakes in them. */
  const made: MadeText[][] = [];
  const seen = new Set<string | Uint8Array>();
  let left = mostWork;

  function* newTexts(count: number): Iterable<MadeText> {
    const kept: MadeText[] = [];
    made[count] = kept;
    for (const each of texts(count)) {
      left -= each.text.length * perWrittenCharacter;
      if (seen.has(each.text)) continue;
      seen.add(each.text);
      const text = { ...each, bytes: Buffer.from(each.text) };
      kept.push(text);
      yield text;
    }
  }

  function step(inText: number, beside: readonly Beside[], least: number): Finding | undefined {
    for (const { key, digest } of beside) {
      for (const { mistakes, text, bytes } of made[inText] ?? newTexts(inText)) {
        left -= perDigest + bytes.length;
        const hashed = { text: bytes, key: key?.bytes ?? rightKey };
        const result = digest?.change(hashed) ?? rightDigest(hashed);
        const reading = readings.find((each) => each.bytes.equals(result));
        if (reading) {
          const rows = [key?.row, digest].filter((row) => row !== undefined);
          return { mistakes: [...mistakes, ...rows, ...reading.mistakes], text, isOtherText: inText > 0 };
        }
        if (left < least) return undefined;
      }
    }
    return undefined;
  }

  for (const [inText, beside] of plan) {
    const isSingle = inText + beside < 2;
    const found = step(inText, choices[beside] ?? [], isSingle ? 0 : Math.max(0, left - mostPerStep));
    if (found) return found;
  }
  return undefined;
}

/** The keys that differ from the right one. */
function differentKeys(rows: readonly KeyRow[], secretKey: string): Key[] {
  return rows.flatMap((row) => {
    const key = row.change(secretKey);
    const bytes = Buffer.from(key ?? '');
    return key === undefined || bytes.equals(Buffer.from(secretKey)) ? [] : [{ row, bytes }];
  });
}

/** The choices without a mistake, with one and with two, as far as the received signature may have their size. */
function choicesBeside(
  keys: readonly Key[],
  digests: readonly DigestRow[],
  readings: readonly Reading[],
): readonly (readonly Beside[])[] {
  const fits = (size: number) => readings.some(({ bytes }) => bytes.length === size);
  const fitting = digests.filter(({ size }) => fits(size));
  const withRightDigest = <Value>(list: readonly Value[]) => (fits(rightSize) ? list : []);
  return [
    withRightDigest([{}]),
    [...withRightDigest(keys.map((key) => ({ key }))), ...fitting.map((digest) => ({ digest }))],
    fitting.flatMap((digest) => keys.map((key) => ({ key, digest }))),
  ];
}
