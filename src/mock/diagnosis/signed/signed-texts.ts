import { languages, type Row, type Words } from '../row.js';

/** A text that may have been signed, and the mistakes that lead to it. */
export interface SignedText {
  readonly mistakes: readonly (Words & Pick<Row<unknown>, 'by'>)[];
  readonly text: string | Uint8Array;
}

/** Texts with so many mistakes in them, made one by one. */
export type Styles = (count: number) => Iterable<SignedText>;

/** Texts that may have been signed instead of the right one: the same data, written again, or another text. */
export interface SignedTexts {
  readonly styles: Styles;
  readonly others: readonly Row<unknown, string | Uint8Array>[];
}

export const noStyles: Styles = () => [];

type Parts<Draft> = readonly (readonly Row<Draft>[])[];

/** One of each list, then another one of each. */
export function* inTurn<Value>(...lists: readonly Iterable<Value>[]): Iterable<Value> {
  const iterators = new Set(lists.map((list) => list[Symbol.iterator]()));
  while (iterators.size > 0) {
    for (const iterator of iterators) {
      const next = iterator.next();
      if (next.done === true) iterators.delete(iterator);
      else yield next.value;
    }
  }
}

/** The ways to choose one row each of so many parts. */
function* chosen<Draft>(parts: Parts<Draft>, count: number): Iterable<readonly Row<Draft>[]> {
  if (count === 0) yield [];
  for (const [index, part] of count === 0 ? [] : parts.entries()) {
    for (const row of part) {
      for (const more of chosen(parts.slice(index + 1), count - 1)) yield [row, ...more];
    }
  }
}

/** The texts that a draft becomes with rows of these parts: the usual parts come first, and change the draft last. */
export function stylesOf<Draft>(draft: Draft, parts: Parts<Draft>, write: (draft: Draft) => string): Styles {
  const sent = write(draft);
  /** Rows with an effect of their own: others are not combined. */
  const effective = new Set<Row<Draft>>();
  const ofLanguage = (language: string) =>
    parts.map((part) => part.filter((row) => effective.has(row) && row.by?.split(' ').includes(language)));
  return function* (count) {
    const known = new Set<string>();
    const several = () => inTurn(...languages.map((language) => chosen(ofLanguage(language), count)));
    for (const mistakes of count === 1 ? chosen(parts, 1) : several()) {
      const name = mistakes.map(({ says }) => says).join();
      if (known.has(name)) continue;
      known.add(name);
      const text = write(mistakes.reduceRight((each, { change }) => change(each) ?? each, draft));
      if (text === sent) continue;
      if (count === 1) mistakes.forEach((row) => effective.add(row));
      yield { mistakes: mistakes.toReversed(), text };
    }
  };
}
