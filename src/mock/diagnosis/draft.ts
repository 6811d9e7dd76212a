import type { JsonTree } from './json-tree.js';
import type { Mistake } from './types.js';

/** A field of a canonical string. */
export type Field = readonly [name: string, value: string];

/** What may have been signed, on its way from the parts of a request to bytes. */
export interface Draft {
  /** JSON before it is written out. */
  readonly tree?: JsonTree;
  /** The fields of an upload before they are joined. */
  readonly fields?: readonly Field[];
  /** Undefined while the parts are not written out. */
  readonly text?: string;
  /** Only where they are not the UTF-8 of the text. */
  readonly bytes?: Uint8Array;
}

type Told<Words, Value> = Words | ((before: Value, after: Value) => Words);

/** Sentences that say what to do. Those that mistakes share are said once. */
export type Advice = string | readonly string[];

/** How unusual a mistake is: 2 for a usual one, 3 for an unusual, 4 for a rare, 5 for an exotic one. */
export type Rarity = 2 | 3 | 4 | 5;

/** The next degree of rarity, as often as is said. */
export function rarer(rarity: Rarity, degrees: number): Rarity {
  const sum = rarity + degrees;
  return sum === 2 || sum === 3 || sum === 4 ? sum : 5;
}

/** One mistake that changes a value: a draft, or a secret key. */
export interface Ingredient<Value> {
  readonly id: Mistake;
  readonly rarity: Rarity;
  /** A sentence that says what differs. */
  readonly message: Told<string, Value>;
  readonly fix: Told<Advice, Value>;
  /** The value with the mistake in it, or undefined where the mistake cannot be made. */
  readonly apply: (value: Value) => Value | undefined;
  /** A habit of a library that writes requests, which often makes several at once, and beside any wrong secret. */
  readonly isHabit?: boolean;
  /** It may have an effect after other mistakes though it has none on what was sent. */
  readonly isLate?: boolean;
}

/** Mistakes of one kind, of which at most one is made. */
export type Stage<Value> = readonly Ingredient<Value>[];

export function told<Words extends Advice, Value>(
  words: Told<Words, Value>,
  before: Value,
  after: Value,
): Words {
  return typeof words === 'function' ? words(before, after) : words;
}

/** A mistake in a text that is written out. */
export function onText(change: (text: string) => string | undefined): Ingredient<Draft>['apply'] {
  return ({ text, bytes, ...parts }) => {
    if (text === undefined || bytes !== undefined) return undefined;
    const changed = change(text);
    return changed === undefined ? undefined : { ...parts, text: changed };
  };
}

/** A mistake in the bytes of a text that is written out. */
export function onBytes(change: (text: string) => Uint8Array | undefined): Ingredient<Draft>['apply'] {
  return ({ text, bytes }) => {
    if (text === undefined || bytes !== undefined) return undefined;
    const changed = change(text);
    if (changed === undefined || Buffer.from(text).equals(changed)) return undefined;
    return { text, bytes: changed };
  };
}
