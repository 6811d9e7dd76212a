/**
 * The number of edits between two words: characters that are inserted, removed, replaced or swapped with a neighbour.
 */
export function changesBetween(left: string, right: string): number {
  let above = Array.from({ length: right.length + 1 }, (_, column) => column);
  let twoAbove: number[] = [];
  for (let line = 1; line <= left.length; line += 1) {
    const row = [line];
    for (let column = 1; column <= right.length; column += 1) {
      const [removed = 0, inserted = 0, replaced = 0] = [above[column], row[column - 1], above[column - 1]];
      const cost = left[line - 1] === right[column - 1] ? 0 : 1;
      const isSwap = left[line - 1] === right[column - 2] && left[line - 2] === right[column - 1];
      const swapped = isSwap ? (twoAbove[column - 2] ?? Infinity) : Infinity;
      row.push(Math.min(removed + 1, inserted + 1, replaced + cost, swapped + 1));
    }
    [twoAbove, above] = [above, row];
  }
  return above[right.length] ?? 0;
}

/** Names in previews of version 1.0, and their replacements. */
const formerNames = new Map(
  Object.entries({
    world: 'scenario',
    worlds: 'scenarios',
    plain: 'baseline',
    'lost-answer': 'lost-response',
    'sparse-answers': 'sparse-responses',
    'written-otherwise': 'other-serialization',
    firstAnswer: 'firstResponse',
    answers: 'responses',
    writing: 'serialization',
    otherwise: 'alternative',
    strange: 'decoys',
    fair: 'ok',
    words: 'statusAliases',
  }),
);

const unquoted = (word: string) => word.replaceAll("'", '');

/**
 * Suggests the name that was probably meant, as a question: the new name of a renamed option, or the nearest name (if
 * at most a third of the name differs), or up to three names that contain the text. The result is '' if there is no
 * such name.
 */
export function didYouMean(written: string, words: readonly string[], prefix = ''): string {
  // No name has more than 60 characters, so a comparison would be useless.
  if (written.length > 60) return '';
  const renamed = words.find((word) => unquoted(word) === formerNames.get(unquoted(written)));
  const nearest = renamed ?? nearestWord(written, words);
  // A text of fewer than four characters would be part of too many names.
  const isPart = (word: string) => written.length >= 4 && word.toLowerCase().includes(written.toLowerCase());
  const meant = nearest === undefined ? words.filter(isPart) : [nearest];
  const isClear = meant.length > 0 && meant.length <= 3;
  return isClear ? `: did you mean ${meant.map((word) => prefix + word).join(' or ')}?` : '';
}

function nearestWord(written: string, words: readonly string[]): string | undefined {
  const [nearest] = words
    .map((word) => ({ word, changes: changesBetween(written.toLowerCase(), word.toLowerCase()) }))
    .filter(({ word, changes }) => changes <= word.length / 3)
    .sort((a, b) => a.changes - b.changes);
  return nearest?.word;
}
