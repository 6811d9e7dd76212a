import type { Digest } from './digests.js';
import type { KeyRow } from './keys.js';
import type { Reading } from './notations.js';
import type { SecretKeyEncoding } from '../../protocol/signature.js';
import type { Words } from './row.js';
import type { SignedText, Text, TextsWith } from './signed/signed-texts.js';

/** The four lists. */
export interface Lists {
  /** Texts that may have been signed, by the number of mistakes in them; the one without a mistake was sent. */
  readonly texts: TextsWith;
  /** Each is right. */
  readonly secretKeys: readonly string[];
  /** How they are written. @default 'utf8' */
  readonly secretKeyEncoding?: SecretKeyEncoding | undefined;
  readonly keys: readonly KeyRow[];
  readonly digests: readonly Digest[];
  /** The received signature, peeled: this list is not tried but read. */
  readonly readings: readonly Reading[];
}

/** Mistakes that together lead to the received signature. */
export interface Match {
  readonly mistakes: readonly Words[];
  readonly text: Text;
}

/** A key and a digest, and the mistakes in them. */
interface Way {
  readonly mistakes: readonly Words[];
  readonly size: number;
  readonly hash: (text: Uint8Array) => string;
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
const mostWork = 90_000_000;
/** In each step that combines mistakes. */
const mostPerStep = mostWork / 2;
const perDigest = 2_500;
const perWrittenCharacter = 15;

interface MadeText extends SignedText {
  readonly bytes: Uint8Array;
}

/** The simplest choice from the lists that leads to the received signature, within the work that is allowed. */
export function search(lists: Lists): Match | undefined {
  const { texts, readings } = lists;
  const ways = waysOf(lists);
  /** The texts that were made, by the number of mistakes in them. */
  const made: MadeText[][] = [];
  const seen = new Set<Text>();
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

  function step(inText: number, beside: number, least: number): Match | undefined {
    for (const { mistakes: ofWay, size, hash } of ways[beside] ?? []) {
      const fitting = readings.filter(({ digest }) => digest.length === size);
      for (const { mistakes, text, bytes } of fitting.length > 0 ? (made[inText] ?? newTexts(inText)) : []) {
        left -= perDigest + bytes.length;
        const digest = hash(bytes);
        const reading = fitting.find((each) => each.digest === digest);
        if (reading) return { mistakes: [...mistakes, ...ofWay, ...reading.mistakes], text };
        if (left < least) return undefined;
      }
    }
    return undefined;
  }

  for (const [inText, beside] of plan) {
    const found = step(inText, beside, inText + beside < 2 ? 0 : Math.max(0, left - mostPerStep));
    if (found) return found;
  }
  return undefined;
}

/** Every key with every digest, by the number of mistakes in them. */
function waysOf({ secretKeys, secretKeyEncoding, keys, digests }: Lists): readonly (readonly Way[])[] {
  const right = secretKeys.map((key) => ({ mistakes: [], bytes: Buffer.from(key, secretKeyEncoding) }));
  const wrong = secretKeys.flatMap((secretKey) =>
    keys.flatMap((row) => {
      const key = row.change(secretKey);
      const bytes = Buffer.from(key ?? '');
      const isRight = key === undefined || right.some((each) => bytes.equals(each.bytes));
      return isRight ? [] : [{ mistakes: [row], bytes }];
    }),
  );
  const ways = digests.flatMap(({ mistakes: inDigest, size, hash }) =>
    [...right, ...wrong].map(({ mistakes: inKey, bytes }): Way => ({
      mistakes: [...inKey, ...inDigest],
      size,
      hash: (text) => hash(text, bytes),
    })),
  );
  return [0, 1, 2].map((count) => ways.filter(({ mistakes }) => mistakes.length === count));
}
