import type { Row, Words } from '../row.js';

/** A text that may have been signed, and the mistakes that lead to it. */
export interface SignedText {
  readonly mistakes: readonly Words[];
  readonly text: string | Uint8Array;
}

/** Texts with so many mistakes in them, made one by one. */
export type TextsWith = (count: number) => Iterable<SignedText>;

const languages = ['python', 'php', 'javascript', 'go', 'java', 'dotnet', 'shell'];
export const allLanguages = languages.join(' ');

interface Chosen<Draft> {
  readonly mistakes: readonly Row<Draft>[];
  readonly draft: Draft;
}

/** The ways to change a draft by one row each of so many parts. */
function* chosen<Draft>(
  parts: readonly (readonly Row<Draft>[])[],
  count: number,
  { mistakes, draft }: Chosen<Draft>,
): Iterable<Chosen<Draft>> {
  if (count === 0) yield { mistakes, draft };
  // The last parts are how a language writes a text: what they do together is the likeliest to have happened.
  const inTurn = count > 1 ? [...parts.entries()].reverse() : [...parts.entries()];
  for (const [index, part] of count === 0 ? [] : inTurn) {
    for (const row of part) {
      const changed = row.change(draft);
      const next = { mistakes: [...mistakes, row], draft: changed ?? draft };
      if (changed !== undefined) yield* chosen(parts.slice(index + 1), count - 1, next);
    }
  }
}

/** The texts that a draft becomes with rows of these parts, which change it in this order. */
export function textsOf<Draft>(
  draft: Draft,
  parts: readonly (readonly Row<Draft>[])[],
  write: (draft: Draft) => string | Uint8Array | undefined,
): TextsWith {
  const sent = write(draft);
  /** Rows with an effect of their own: others are not combined. */
  const effective = new Set<Row<Draft>>();
  const ofLanguage = (language: string) =>
    parts.map((part) => part.filter((row) => effective.has(row) && row.by?.split(' ').includes(language)));

  return function* (count) {
    const known = new Set<string>();
    const choices = count < 2 ? [parts] : languages.map(ofLanguage);
    for (const choice of choices) {
      for (const { mistakes, draft: changed } of chosen(choice, count, { mistakes: [], draft })) {
        const name = mistakes.map(({ says }) => says).join();
        if (known.has(name)) continue;
        known.add(name);
        const text = write(changed);
        if (text === undefined || (count > 0 && text === sent)) continue;
        if (count === 1) mistakes.forEach((row) => effective.add(row));
        yield { mistakes, text };
      }
    }
  };
}
