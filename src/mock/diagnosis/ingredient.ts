import fixes from './fixes.json' with { type: 'json' };
import type { JsonTree } from './tree/tree.js';
import { isWritable, writeTree, type Style } from './tree/write-tree.js';
import type { Mistake } from './types.js';

/** A candidate for the signed text, on its way from the parts of a request to bytes. */
export interface Draft {
  /** JSON, or the fields of an upload, before it is written out. */
  readonly tree?: JsonTree | undefined;
  /** Undefined while the tree is not written out. */
  readonly text?: string | undefined;
  /** Only where they are not the UTF-8 of the text. */
  readonly bytes?: Uint8Array | undefined;
  /** Writes a changed tree in the form in which it was sent, where that form is known. */
  readonly write?: ((tree: JsonTree) => string | undefined) | undefined;
}

/** A candidate for the key of the HMAC. */
export type Key = Buffer;

/** How unusual a mistake is: 2 for a usual one, 3 for an unusual, 4 for a rare, 5 for an exotic one. */
export type Rarity = 2 | 3 | 4 | 5;

export function rarer(rarity: Rarity, degrees: number): Rarity {
  return Math.min(rarity + degrees, 5) as Rarity;
}

/** Sentences that say what to do. Those that mistakes share are said once. */
export type Advice = string | readonly string[];

type Names<Joined> = Joined extends `${infer First} ${infer Rest}` ? First | Names<Rest> : Joined;

/** The ways to mend mistakes: of a mistake in general, or of one kind of it after a dot. */
export type FixName = Extract<Names<keyof typeof fixes>, Mistake | `${Mistake}.${string}`>;

/** The fixes by name; mistakes with the same fix have one entry with their names. */
const fixOf = new Map(
  Object.entries(fixes).flatMap(([names, fix]) => names.split(' ').map((name) => [name, fix] as const)),
);

/** The mistake that a fix is for, and its words. */
export function mend(name: FixName): { readonly id: Mistake; readonly fix: string } {
  return { id: name.split('.', 1)[0] as Mistake, fix: fixOf.get(name) ?? '' };
}

type Told<Words, Value> = Words | ((before: Value, after: Value) => Words);

/** The value with a mistake in it, or undefined where the mistake cannot be made. */
export type Apply<Value> = (value: Value) => Value | undefined;

/** One mistake that changes a draft or a key. */
export interface Ingredient<Value> {
  readonly id: Mistake;
  readonly rarity: Rarity;
  readonly message: Told<string, Value>;
  readonly fix: Told<Advice, Value>;
  readonly apply: Apply<Value>;
  /** A habit of a library that writes requests, which often makes several at once, and beside any wrong key. */
  readonly isHabit?: boolean;
  /** It may have an effect after other mistakes though it has none on what was sent. */
  readonly isLate?: boolean;
}

/** Mistakes of one kind, of which at most one is made. */
export type Stage<Value = Draft> = readonly Ingredient<Value>[];

/** The texts that callers may have signed: what should have been, and the mistakes on the way, stage by stage. */
export interface Candidates {
  readonly draft: Draft;
  readonly stages: readonly Stage[];
  readonly referenceId: string | undefined;
}

/** The rarity of a mistake, its words, its change, and its fix where it differs from the fix of the table. */
export type Row<Change> = readonly [rarity: Rarity, what: string, change: Change, fix?: FixName];

/** Rows for a list of texts with ` | ` between them, which are their own words. */
export function listed(rarity: Rarity, list: string): Row<string>[] {
  return list.split(' | ').map((text) => [rarity, text, text]);
}

/** The ingredients of a table. In their sentence, `%` stands for the words of each. */
export function mistakes<Value, Change>(
  fix: FixName,
  sentence: string,
  on: (change: Change) => Apply<Value>,
  rows: readonly Row<Change>[],
): Stage<Value> {
  return rows.map(([rarity, what, change, own = fix]) => {
    return { ...mend(own), rarity, message: sentence.replace('%', () => what), apply: on(change) };
  });
}

/** The same ingredients with a fix in which `%` stands for a name. */
export function about<Value>(name: string, stage: Stage<Value>): Stage<Value> {
  return stage.map((each) => ({ ...each, fix: String(each.fix).replace('%', () => name) }));
}

/** The same ingredients as habits of libraries, but for those that are rarer. */
export function asHabits<Value>(upTo: Rarity, stage: Stage<Value>): Stage<Value> {
  return stage.map((each) => ({ ...each, isHabit: each.rarity <= upTo }));
}

/** The ingredients of a table of habits. */
export function habits<Value, Change>(
  upTo: Rarity,
  ...table: Parameters<typeof mistakes<Value, Change>>
): Stage<Value> {
  return asHabits(upTo, mistakes(...table));
}

/** A mistake in a text that is written out: another text, or other bytes than its UTF-8. */
export function onText(change: (text: string) => string | Uint8Array | undefined): Apply<Draft> {
  return ({ text, bytes, ...parts }) => {
    const changed = text === undefined || bytes !== undefined ? undefined : change(text);
    if (typeof changed === 'string') return { ...parts, text: changed };
    return !changed || Buffer.from(text ?? '').equals(changed) ? undefined : { text, bytes: changed };
  };
}

export type TreeChange = (tree: JsonTree) => JsonTree | undefined;

/** A mistake in a tree, which is then written in the form in which it was sent. */
export function onTree(change: TreeChange): Apply<Draft> {
  return ({ tree, write }) => {
    const changed = tree === undefined ? undefined : change(tree);
    if (changed === undefined || changed === tree) return undefined;
    return { tree: changed, text: write?.(changed), write };
  };
}

/** The tree in a style, where its text has a bounded size. */
export function inStyle(style: Style): Apply<Draft> {
  return ({ tree }) =>
    tree !== undefined && isWritable(tree, style) ? { text: writeTree(tree, style) } : undefined;
}

/** Another draft, whatever came. */
export function instead(signed: string | Draft | undefined): Apply<Draft> {
  return () => (typeof signed === 'string' ? { text: signed } : signed);
}

export type KeyChange = (text: string, key: Key) => string | Uint8Array | undefined;

/** A mistake in a key, as text or as bytes. */
export function onKey(change: KeyChange): Apply<Key> {
  return (key) => {
    const changed = change(key.toString(), key);
    return changed === undefined ? undefined : Buffer.from(changed);
  };
}
