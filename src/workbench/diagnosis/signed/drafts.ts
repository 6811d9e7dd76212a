import type { Row } from '../row.js';

/** A text, or the bytes of one that is not in UTF-8. */
export type Text = string | Uint8Array;

/** The parts that a text is made of. */
export interface Draft {
  /** Changes the written text. */
  readonly rewrite?: (text: string) => Text | undefined;
}

/** A change of the written text. */
export type TextRow = Row<string, Text> & { readonly says: string };

/** Rows of one list: an explanation has one of them at most. */
export interface List<From> {
  /**
   * How they are combined with rows of other lists: `freely` for the ways in which a library writes, `once` with them, or
   * `alone`, as for texts that have nothing to do with what was sent.
   */
  readonly combined: 'freely' | 'once' | 'alone';
  readonly rows: readonly Row<From>[];
}

/** The text that was sent, and the lists that lead to the signed one, in the order in which they change it. */
export interface Texts<D extends Draft> {
  readonly sent: Text;
  readonly draft: D;
  /** Gives the text of a draft, or undefined where it cannot be written. */
  readonly write: (draft: D) => Text | undefined;
  readonly lists: readonly List<D>[];
}

/** Rows of the written text as rows of what it is made of. */
export function onText<D extends Draft>(combined: List<D>['combined'], texts: readonly TextRow[]): List<D> {
  const rows = texts.map(({ change, ...words }): Row<D> => {
    const rewrite = (draft: D) => (text: string) => {
      const before = draft.rewrite ? draft.rewrite(text) : text;
      return typeof before === 'string' ? change(before) : undefined;
    };
    return { ...words, change: (draft) => ({ ...draft, rewrite: rewrite(draft) }) };
  });
  return { combined, rows };
}
