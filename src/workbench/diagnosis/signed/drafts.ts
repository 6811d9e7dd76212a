import { mistakeOf, type Mistake, type Row } from '../row.js';

/** A text, or the bytes of one that is not in UTF-8. */
export type Text = string | Uint8Array;

/** Makes a text of data; undefined for data that has no such text. */
export type Write<Data> = (data: Data) => string | undefined;

/** A text that may have been signed, and the data that it is written from. */
export interface Draft<Data> {
  readonly data: Data;
  readonly write: Write<Data>;
  /** The text, which is written once, as soon as it is needed. */
  readonly text: () => Text | undefined;
}

/** Makes one mistake; undefined if it changes nothing. */
export type Step<Data> = (
  draft: Draft<Data>,
) => { readonly draft: Draft<Data>; readonly mistakes: () => readonly Mistake[] } | undefined;

/** Mistakes of which an explanation has one at most. */
export interface List<Data> {
  /** True for texts that no second mistake leads to, such as a text that has nothing to do with what was sent. */
  readonly isAlone?: boolean;
  readonly steps: Iterable<Step<Data>>;
}

/** The text that was sent, and the lists that lead to the signed one, in the order in which they change it. */
export interface Texts<Data> {
  readonly sent: Draft<Data>;
  readonly lists: readonly List<Data>[];
  /** The work of one step, in the units of the search. */
  readonly writing: number;
}

/** The draft of this data, written in this way. */
export function draftOf<Data>(data: Data, write: Write<Data>): Draft<Data> {
  let text: { readonly made: string | undefined } | undefined;
  return { data, write, text: () => (text ??= { made: write(data) }).made };
}

/** Rows of a part of a draft: `read` takes it out, and `replace` makes the draft with another one. */
function stepsOf<Data, From, To extends From | Text>(
  rows: readonly Row<From, To>[],
  read: (draft: Draft<Data>) => From | undefined,
  replace: (draft: Draft<Data>, after: To) => Draft<Data>,
): Step<Data>[] {
  return rows.map((row) => (draft) => {
    const before = read(draft);
    const after = before === undefined ? undefined : row.change(before);
    if (before === undefined || after === undefined || after === before) return undefined;
    return { draft: replace(draft, after), mistakes: () => [mistakeOf(row, before, after)] };
  });
}

/** Rows of the data. */
export function onData<Data extends object | string>(rows: readonly Row<Data>[]): List<Data> {
  const steps = stepsOf<Data, Data, Data>(
    rows,
    ({ data }) => data,
    ({ write }, after) => draftOf(after, write),
  );
  return { steps };
}

/** Rows of how the data is written. */
export function onWrite<Data>(rows: readonly Row<Write<Data>>[]): Step<Data>[] {
  return stepsOf<Data, Write<Data>, Write<Data>>(
    rows,
    ({ write }) => write,
    ({ data }, after) => draftOf(data, after),
  );
}

/** Rows of the text, unless it is bytes. */
export function onText<Data>(rows: readonly Row<string, Text>[]): List<Data> {
  const read = (draft: Draft<Data>) => {
    const text = draft.text();
    return typeof text === 'string' ? text : undefined;
  };
  return { steps: stepsOf(rows, read, (draft, after) => ({ ...draft, text: () => after })) };
}
