import type { Row, Words } from '../row.js';

/** A text, or the bytes of one that is not in UTF-8. */
export type Text = string | Uint8Array;

/** A text, and what was signed instead of it. */
export type TextRow = Row<string, Text>;

/** A text that may have been signed, and the mistakes that lead to it. */
export interface SignedText {
  readonly mistakes: readonly Words[];
  readonly text: Text;
}

/** Texts with so many mistakes in them, made one by one. */
export type TextsWith = (count: number) => Iterable<SignedText>;

const languages = ['python', 'php', 'javascript', 'go', 'java', 'dotnet', 'shell'];
export const allLanguages = languages.join(' ');

/** A text on its way: what it is made of, and the change of the whole text, which comes last. */
interface Stage<Draft> {
  readonly draft: Draft;
  readonly whole?: TextRow['change'];
}

interface Chosen<Draft> {
  readonly mistakes: readonly Row<Stage<Draft>>[];
  readonly stage: Stage<Draft>;
}

/** The ways to change a text by one row each of so many parts. */
function* chosen<Draft>(
  parts: readonly (readonly Row<Stage<Draft>>[])[],
  count: number,
  { mistakes, stage }: Chosen<Draft>,
): Iterable<Chosen<Draft>> {
  if (count === 0) yield { mistakes, stage };
  // The last parts are how a language writes a text: what they do together is the likeliest to have happened.
  const inTurn = count > 1 ? [...parts.entries()].reverse() : [...parts.entries()];
  for (const [index, part] of count === 0 ? [] : inTurn) {
    for (const row of part) {
      const next = { mistakes: [...mistakes, row], stage: row.change(stage) ?? stage };
      yield* chosen(parts.slice(index + 1), count - 1, next);
    }
  }
}

/**
 * The texts that a draft becomes: rows of these parts change it in this order, it is written, and a row of `whole` changes
 * the written text.
 */
export function textsOf<Draft>(
  draft: Draft,
  parts: readonly (readonly Row<Draft>[])[],
  write: (draft: Draft) => string,
  whole: readonly TextRow[],
): TextsWith {
  const stages: readonly Row<Stage<Draft>>[][] = [
    ...parts.map((part) =>
      part.map((row) => ({
        ...row,
        change: (stage: Stage<Draft>) => ({ draft: row.change(stage.draft) ?? stage.draft }),
      })),
    ),
    whole.map((row) => ({ ...row, change: (stage) => ({ ...stage, whole: row.change }) })),
  ];
  const sent = write(draft);
  /** Rows with an effect of their own: others are not combined. */
  const effective = new Set<Row<Stage<Draft>>>();
  const ofLanguage = (language: string) =>
    stages.map((part) => part.filter((row) => effective.has(row) && row.by?.split(' ').includes(language)));

  return function* (count) {
    const known = new Set<string>();
    const choices = count < 2 ? [stages] : languages.map(ofLanguage);
    for (const choice of choices) {
      for (const { mistakes, stage } of chosen(choice, count, { mistakes: [], stage: { draft } })) {
        const name = mistakes.map(({ says }) => says).join();
        if (known.has(name)) continue;
        known.add(name);
        const written = write(stage.draft);
        const text = stage.whole ? stage.whole(written) : written;
        if (text === undefined || (count > 0 && text === sent)) continue;
        if (count === 1) mistakes.forEach((row) => effective.add(row));
        yield { mistakes, text };
      }
    }
  };
}
