import { mistake, type Mistake, type MistakeId } from '../mistake.js';
import type { Tree } from './tree.js';

/** A text, or the bytes of one that is not in UTF-8. */
export type Text = string | Uint8Array;

/** Writes data; undefined for data that has no such text. */
export type Write = (tree: Tree) => string | undefined;

interface Parts {
  readonly tree: Tree;
  readonly write: Write;
  readonly text?: Text;
}

type Mistakes = () => readonly Mistake[];

/** A text that may have been signed, the data that it is written from, and the mistakes that lead to it. */
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

  /** The text, which is written when it is first read. */
  get text(): Text | undefined {
    return (this.#text ??= this.write(this.tree));
  }

  /** The candidate with another part, and the mistakes that lead to that. */
  with(part: Partial<Parts>, mistakes: Mistakes): Candidate {
    const { tree, write } = this;
    return new Candidate({ tree, write, ...part }, () => [...this.mistakes(), ...mistakes()]);
  }
}

/** Makes one mistake; undefined if it changes nothing. */
export type Step = (candidate: Candidate) => Candidate | undefined;

/** Mistakes, and what each makes of a value: undefined, or the same value, if it changes nothing. */
export type Rows<From, To = From> = Readonly<Partial<Record<MistakeId, (value: From) => To | undefined>>>;

export const entriesOf = <From, To>(rows: Rows<From, To>) =>
  Object.entries(rows) as [MistakeId, (value: From) => To | undefined][];

/** Steps that change the data. `detail` is what their sentences say of it. */
export function onTree(rows: Rows<Tree>, detail?: (before: Tree, after: Tree) => string): Step[] {
  return entriesOf(rows).map(([id, change]) => (candidate) => {
    const tree = change(candidate.tree);
    if (tree === undefined || tree === candidate.tree) return undefined;
    return candidate.with({ tree }, () => [mistake(id, detail?.(candidate.tree, tree))]);
  });
}

/** Steps that write the data in another way. */
export function onWrite(rows: Rows<Tree, string>): Step[] {
  return entriesOf(rows).map(
    ([id, write]) =>
      (candidate) =>
        candidate.with({ write }, () => [mistake(id)]),
  );
}

/** Steps that change the text, unless it is bytes. */
export function onText(rows: Rows<string, Text>): Step[] {
  return entriesOf(rows).map(([id, change]) => (candidate) => {
    const before = candidate.text;
    const text = typeof before === 'string' ? change(before) : undefined;
    if (text === undefined || text === before) return undefined;
    return candidate.with({ text }, () => [mistake(id)]);
  });
}
