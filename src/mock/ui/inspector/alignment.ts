import { diffArrays } from 'diff';

/** One place of two aligned texts: a character of each, or a gap on one side. */
export interface Column {
  readonly expected: string | undefined;
  readonly received: string | undefined;
  readonly kind: 'same' | 'first' | 'different';
}

/** A line of two aligned texts. */
export interface AlignedLine {
  readonly columns: readonly Column[];
  readonly same: boolean;
}

/** Lines of this width. Without gaps, texts are compared place by place, as suits digests. */
type AlignOptions = Readonly<{ width: number; gaps: boolean }>;

/** Aligns two texts character by character, with gaps that keep equal characters together; marks the first difference. */
export function align(expected: string, received: string, { width, gaps }: AlignOptions): AlignedLine[] {
  const [left, right] = [Array.from(expected), Array.from(received)];
  const columns = (gaps ? withGaps(left, right) : undefined) ?? placeByPlace(left, right);
  const first = columns.find(({ kind }) => kind === 'different');
  const marked = columns.map((column) => (column === first ? { ...column, kind: 'first' as const } : column));
  return Array.from({ length: Math.ceil(marked.length / width) }, (_, line) => {
    const inLine = marked.slice(line * width, (line + 1) * width);
    return { columns: inLine, same: inLine.every(({ kind }) => kind === 'same') };
  });
}

function placeByPlace(left: readonly string[], right: readonly string[]): Column[] {
  return Array.from({ length: Math.max(left.length, right.length) }, (_, place) => {
    const [expected, received] = [left[place], right[place]];
    return { expected, received, kind: expected === received ? 'same' : 'different' };
  });
}

// The work grows with its square. Texts that differ more have no alignment worth showing.
const maxEditLength = 800;

/** By the fewest edits; a removal and the addition that follows it share their places. */
function withGaps(left: readonly string[], right: readonly string[]): Column[] | undefined {
  const runs = diffArrays([...left], [...right], { maxEditLength });
  return runs?.flatMap(({ removed, added, value }, index) => {
    const [before, after] = [runs[index - 1], runs[index + 1]];
    if (removed) return placeByPlace(value, after?.added ? after.value : []);
    if (added) return before?.removed ? [] : placeByPlace([], value);
    return placeByPlace(value, value);
  });
}
