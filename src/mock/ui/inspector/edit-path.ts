/** One step from a text to another: a character of both, of the first alone, or of the second alone. */
export interface Step {
  readonly left?: string;
  readonly right?: string;
}

/** How far into the first text each diagonal reaches: on diagonal d, the second text is at that place less d. */
type Reach = ReadonlyMap<number, number>;

// The work grows with its square. Texts further apart than this have no alignment worth looking at.
const mostEdits = 800;

/**
 * The shortest way from one text to another (Myers, "An O(ND) Difference Algorithm", 1986), or undefined where it has
 * more than 800 edits.
 */
export function editPath(left: readonly string[], right: readonly string[]): Step[] | undefined {
  const trace: Reach[] = [];
  let reach: Reach = new Map([[1, 0]]);
  for (let edits = 0; edits <= mostEdits; edits += 1) {
    trace.push(reach);
    const next = new Map<number, number>();
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      let x = startOf(reach, diagonal, edits);
      while (x < left.length && x - diagonal < right.length && left[x] === right[x - diagonal]) x += 1;
      next.set(diagonal, x);
      if (x >= left.length && x - diagonal >= right.length) return walkBack(trace, left, right);
    }
    reach = next;
  }
  return undefined;
}

function at(reach: Reach, diagonal: number): number {
  return reach.get(diagonal) ?? 0;
}

/** Whether a diagonal is best entered by an insertion, from the one above it, rather than by a deletion. */
function isInsertion(reach: Reach, diagonal: number, edits: number): boolean {
  if (diagonal === -edits) return true;
  return diagonal !== edits && at(reach, diagonal - 1) < at(reach, diagonal + 1);
}

/** Where a diagonal is entered. */
function startOf(reach: Reach, diagonal: number, edits: number): number {
  return isInsertion(reach, diagonal, edits) ? at(reach, diagonal + 1) : at(reach, diagonal - 1) + 1;
}

/** The steps from the end back to the start, turned round. */
function walkBack(trace: readonly Reach[], left: readonly string[], right: readonly string[]): Step[] {
  const steps: Step[] = [];
  let x = left.length;
  let y = right.length;
  const take = (isLeft: boolean, isRight: boolean) => {
    if (isLeft) x -= 1;
    if (isRight) y -= 1;
    steps.push({
      ...(isLeft && characterAt(left, x, 'left')),
      ...(isRight && characterAt(right, y, 'right')),
    });
  };
  for (const [edits, reach] of [...trace.entries()].reverse()) {
    const diagonal = x - y;
    const start = startOf(reach, diagonal, edits);
    while (x > start) take(true, true);
    if (edits > 0) {
      const inserted = isInsertion(reach, diagonal, edits);
      take(!inserted, inserted);
    }
  }
  return steps.reverse();
}

function characterAt(text: readonly string[], place: number, side: keyof Step): Step {
  const character = text[place];
  return character === undefined ? {} : { [side]: character };
}
