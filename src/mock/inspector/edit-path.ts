/** One step from a text to another: a character of both, of the first alone, or of the second alone. */
export interface Step {
  readonly left?: string;
  readonly right?: string;
}

// The work grows with its square. Texts further apart than this have no alignment worth looking at.
const mostEdits = 800;

/**
 * The shortest way from one text to another (Myers, "An O(ND) Difference Algorithm", 1986), or undefined where it has
 * more than 800 edits.
 */
export function editPath(left: readonly string[], right: readonly string[]): Step[] | undefined {
  const trace: Map<number, number>[] = [];
  let furthest = new Map([[1, 0]]);
  for (let edits = 0; edits <= Math.min(mostEdits, left.length + right.length); edits += 1) {
    trace.push(furthest);
    const next = new Map<number, number>();
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      let x = startOf(furthest, diagonal, edits);
      while (x < left.length && x - diagonal < right.length && left[x] === right[x - diagonal]) x += 1;
      next.set(diagonal, x);
      if (x >= left.length && x - diagonal >= right.length) return walkBack(trace, left, right);
    }
    furthest = next;
  }
  return undefined;
}

/** Whether a diagonal is reached by an insertion, from the one above it, rather than by a deletion. */
function isInsertion(furthest: ReadonlyMap<number, number>, diagonal: number, edits: number): boolean {
  const above = furthest.get(diagonal + 1) ?? -1;
  return diagonal === -edits || (diagonal !== edits && (furthest.get(diagonal - 1) ?? -1) < above);
}

function startOf(furthest: ReadonlyMap<number, number>, diagonal: number, edits: number): number {
  return isInsertion(furthest, diagonal, edits)
    ? (furthest.get(diagonal + 1) ?? 0)
    : (furthest.get(diagonal - 1) ?? 0) + 1;
}

function walkBack(
  trace: readonly ReadonlyMap<number, number>[],
  left: readonly string[],
  right: readonly string[],
): Step[] {
  const steps: Step[] = [];
  let x = left.length;
  let y = right.length;
  const both = () => steps.push({ left: left[--x] ?? '', right: right[--y] ?? '' });
  for (let edits = trace.length - 1; edits > 0; edits -= 1) {
    const furthest = trace[edits] ?? new Map<number, number>();
    const inserted = isInsertion(furthest, x - y, edits);
    const start = startOf(furthest, x - y, edits);
    while (x > start) both();
    if (inserted) steps.push({ right: right[--y] ?? '' });
    else steps.push({ left: left[--x] ?? '' });
  }
  while (x > 0) both();
  return steps.reverse();
}
