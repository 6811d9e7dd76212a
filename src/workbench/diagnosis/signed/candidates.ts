import { wordsOf, type Row, type Words } from '../row.js';
import type { Tree } from './json-tree.js';

/** A text, or the bytes of one that is not in UTF-8. */
export type Text = string | Uint8Array;

/** Makes a text of data; undefined for data that has no such text. */
export type Write = (tree: Tree) => string | undefined;

/** A text that may have been signed, and the data that it is written from. */
export interface Candidate {
  readonly tree: Tree;
  readonly write: Write;
  /** The text, which is written once, as soon as it is needed. */
  readonly text: () => Text | undefined;
}

/** Makes one mistake; undefined where that changes nothing. */
export type Mistake = (
  candidate: Candidate,
) => { readonly candidate: Candidate; readonly words: () => Words } | undefined;

/** Mistakes of one kind: an explanation has one of them at most. */
export interface List {
  /**
   * How they are combined with mistakes of other lists: `freely` for the ways in which a library writes, `once` with them,
   * or `alone`, as for texts that have nothing to do with what was sent.
   */
  readonly combined: 'freely' | 'once' | 'alone';
  readonly mistakes: readonly Mistake[];
}

/** The text that was sent, and the lists that lead to the signed one, in the order in which they change it. */
export interface Texts {
  readonly sent: Candidate;
  readonly lists: readonly List[];
}

type Combined = List['combined'];

/** Rows of something that a candidate has: `read` takes it out, and `replace` makes the candidate with another one. */
function listOf<From, To extends From | Text>(
  combined: Combined,
  rows: readonly Row<From, To>[],
  read: (candidate: Candidate) => From | undefined,
  replace: (candidate: Candidate, after: To) => Candidate,
): List {
  const mistakes = rows.map((row): Mistake => (candidate) => {
    const before = read(candidate);
    const after = before === undefined ? undefined : row.change(before);
    if (before === undefined || after === undefined || after === before) return undefined;
    return { candidate: replace(candidate, after), words: () => wordsOf(row, before, after) };
  });
  return { combined, mistakes };
}

/** Rows of the data, or of how it is written. */
export function onPart<Part extends 'tree' | 'write'>(
  part: Part,
  combined: Combined,
  rows: readonly Row<Candidate[Part]>[],
): List {
  const replace = (candidate: Candidate, after: Candidate[Part]): Candidate => {
    const { tree, write }: Candidate = { ...candidate, [part]: after };
    let text: { readonly made: string | undefined } | undefined;
    return { tree, write, text: () => (text ??= { made: write(tree) }).made };
  };
  return listOf(combined, rows, (candidate) => candidate[part], replace);
}

/** Rows of the text, but for bytes. */
export function onText(combined: Combined, rows: readonly Row<string, Text>[]): List {
  const read = (candidate: Candidate) => {
    const text = candidate.text();
    return typeof text === 'string' ? text : undefined;
  };
  return listOf(combined, rows, read, (candidate, after) => ({ ...candidate, text: () => after }));
}
