import { rightDigest, wrongDigests, type Digest } from './digests.js';
import { rightKeys, wrongKeys, type SecretKey } from './keys.js';
import type { Reading } from './notations.js';
import { wordsOf, type Row, type Words } from './row.js';
import type { Draft, List, Text, Texts } from './signed/drafts.js';
import type { RefusedRequest } from '../../mock/common/diagnosis.js';

/** Mistakes that together lead to the received signature. */
export interface Match {
  readonly mistakes: readonly Words[];
  readonly text: Text;
}

/** One choice from the lists. */
interface Choice<D> {
  readonly draft: D;
  readonly key: SecretKey;
  readonly digest: Digest;
}

/** Rows of one part of a choice as rows of the choice. */
function inPart<D, Part extends keyof Choice<D>>(
  part: Part,
  { combined, rows }: List<Choice<D>[Part]>,
): List<Choice<D>> {
  const lifted = rows.map(({ fix, says, change }): Row<Choice<D>> => ({
    fix,
    says: typeof says === 'string' ? says : (before, after) => says(before[part], after[part]),
    change(choice) {
      const after = change(choice[part]);
      return after === undefined ? undefined : { ...choice, [part]: after };
    },
  }));
  return { combined, rows: lifted };
}

/**
 * So many of the lists. Where there are more than two, one at most may be combined `once`. Lists that are combined freely
 * come first, then the short ones, which are tried whole.
 */
function products<From>(lists: readonly List<From>[], count: number): List<From>[][] {
  type Product = List<From>[];
  const others = (product: Product) => product.filter(({ combined }) => combined === 'once').length;
  const size = (product: Product) => product.reduce((sum, { rows }) => sum * rows.length, 1);
  const chosen = (from: Product, left: number): Product[] =>
    left === 0
      ? [[]]
      : from.flatMap((list, index) => chosen(from.slice(index + 1), left - 1).map((rest) => [list, ...rest]));
  const combined = lists.filter((list) => count < 2 || list.combined !== 'alone');
  return chosen(combined, count)
    .filter((product) => count < 3 || others(product) < 2)
    .sort((a, b) => others(a) - others(b) || size(a) - size(b));
}

// Work is counted and not timed, so that the same request always has the same diagnosis. The unit is a digest of a short text.
const mostWork = [1, 16_000, 20_000, 20_000, 10_000];
const hashedPerUnit = 4000;
const writtenPerUnit = 400;

/** The fewest mistakes that lead to the received signature, within the work that is allowed. */
export function search<D extends Draft>(
  { sent, draft, write, lists }: Texts<D>,
  refused: RefusedRequest,
  readings: readonly Reading[],
): Match | undefined {
  let left = 0;
  /** Most choices differ from the one before in their key alone. */
  let last: { readonly draft: D; readonly text: Text | undefined } | undefined;
  const textOf = (made: D) => {
    if (last?.draft === made) return last.text;
    const written = write(made);
    const text = typeof written === 'string' && made.rewrite ? made.rewrite(written) : written;
    left -= (text?.length ?? 0) / writtenPerUnit;
    last = { draft: made, text };
    return text;
  };

  const matchOf = (
    { draft: own, key, digest }: Choice<D>,
    words: readonly (() => Words)[],
  ): Match | undefined => {
    const fitting = readings.filter(({ size }) => size === digest.size);
    const text = fitting.length > 0 ? textOf(own) : undefined;
    if (text === undefined) return undefined;
    left -= 1 + text.length / hashedPerUnit;
    const made = digest.hash(text, key.used);
    const reading = fitting.find(({ fits }) => fits(made));
    return reading && { mistakes: [...words.map((each) => each()), ...reading.mistakes], text };
  };

  function matchIn(
    [list, ...rest]: readonly List<Choice<D>>[],
    choice: Choice<D>,
    words: readonly (() => Words)[],
  ): Match | undefined {
    if (!list) return matchOf(choice, words);
    for (const row of list.rows) {
      const next = left < 0 ? undefined : row.change(choice);
      const found = next && matchIn(rest, next, [...words, () => wordsOf(row, choice, next)]);
      if (found) return found;
    }
    return undefined;
  }

  const starts = rightKeys(refused).map((key): Choice<D> => ({ draft, key, digest: rightDigest }));
  const all = [
    ...lists.map((list) => inPart<D, 'draft'>('draft', list)),
    inPart<D, 'key'>('key', { combined: 'freely', rows: wrongKeys(refused) }),
    inPart<D, 'digest'>('digest', { combined: 'once', rows: wrongDigests }),
  ];
  /** The rows with an effect of their own: others are not combined. */
  const effective: List<Choice<D>>[] = [];

  for (const [count, most] of mostWork.entries()) {
    left = most;
    for (const list of count === 1 ? all : []) {
      const rows: Row<Choice<D>>[] = [];
      effective.push({ ...list, rows });
      for (const row of list.rows) {
        for (const start of starts) {
          const next = left < 0 ? undefined : row.change(start);
          if (!next || (next.draft !== draft && textOf(next.draft) === sent)) continue;
          if (rows.at(-1) !== row) rows.push(row);
          const found = matchOf(next, [() => wordsOf(row, start, next)]);
          if (found) return found;
        }
      }
    }
    for (const product of count === 1 ? [] : products(effective, count)) {
      for (const start of starts) {
        const found = matchIn(product, start, []);
        if (found) return found;
      }
    }
  }
  return undefined;
}
