import { mistake, type Mistake, type MistakeId } from '../mistake.js';
import type { Tree } from './tree.js';

/** A text, or its bytes if its encoding is not UTF-8. */
export type Text = string | Uint8Array;

/** Writes data. Returns undefined if the data has no such text. */
export type Write = (tree: Tree) => string | undefined;

interface Parts {
  readonly tree: Tree;
  readonly write: Write;
  readonly text?: Text;
}

type Mistakes = () => readonly Mistake[];

/** A text that might have been signed, with the data from which it is written, and the mistakes that lead to it. */
export class Candidate {
  readonly tree: Tree;
  readonly write: Write;
  readonly mistakes: Mistakes;
  #text: Text | undefined;

  constructor({ tree, write, text }: Parts, mistakes: Mistakes = () => []) {
    this.tree = tree;
    this.write = write;
    this.mistakes = mistakes;
    this.#text = text;
  }

  /** The text. It is written when it is read for the first time. */
  get text(): Text | undefined {
    return (this.#text ??= this.write(this.tree));
  }

  /** Returns the candidate with a different part, and the mistakes that lead to that part. */
  with(part: Partial<Parts>, mistakes: Mistakes): Candidate {
    const { tree, write } = this;
    return new Candidate({ tree, write, ...part }, () => [...this.mistakes(), ...mistakes()]);
  }
}

/** Makes one mistake. Returns undefined if the mistake changes nothing. */
export type Step = (candidate: Candidate) => Candidate | undefined;

/**
 * The mistakes, and how each changes a value. The result is undefined, or the same value, if a mistake changes
 * nothing.
 */
export type Rows<From, To = From> = Readonly<Partial<Record<MistakeId, (value: From) => To | undefined>>>;

export const entriesOf = <From, To>(rows: Rows<From, To>) =>
  Object.entries(rows) as [MistakeId, (value: From) => To | undefined][];

/** Creates steps that change the data. `detail` makes the text that replaces `%` in the sentence of a mistake. */
export function onTree(rows: Rows<Tree>, detail?: (before: Tree, after: Tree) => string): Step[] {
  return entriesOf(rows).map(([id, change]) => (candidate) => {
    const tree = change(candidate.tree);
    if (tree === undefined || tree === candidate.tree) return undefined;
    return candidate.with({ tree }, () => [mistake(id, detail?.(candidate.tree, tree))]);
  });
}

/** Creates steps that write the data in a different way. */
export function onWrite(rows: Rows<Tree, string>): Step[] {
  return entriesOf(rows).map(
    ([id, write]) =>
      (candidate) =>
        candidate.with({ write }, () => [mistake(id)]),
  );
}

/** Creates steps that change the text, unless it is bytes. */
export function onText(rows: Rows<string, Text>): Step[] {
  return entriesOf(rows).map(([id, change]) => (candidate) => {
    const before = candidate.text;
    const text = typeof before === 'string' ? change(before) : undefined;
    if (text === undefined || text === before) return undefined;
    return candidate.with({ text }, () => [mistake(id)]);
  });
}
