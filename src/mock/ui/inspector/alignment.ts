import { editPath, type Step } from './edit-path.js';

/** One place of two texts that lie in line: a character of each, or a gap that keeps the rest in line. */
export interface Column {
  readonly expected: string | undefined;
  readonly received: string | undefined;
  readonly kind: 'same' | 'first' | 'different';
}

/** A stretch of two texts that lie in line. */
export interface AlignedLine {
  readonly columns: readonly Column[];
  readonly same: boolean;
}

/**
 * Lays two texts in line, character by character: with `gaps`, so that what they share stands under itself, or place
 * by place as digests are compared. The first place where they differ is marked.
 */
export function align(
  expected: string,
  received: string,
  { width, gaps }: { readonly width: number; readonly gaps: boolean },
): AlignedLine[] {
  const left = Array.from(expected);
  const right = Array.from(received);
  const steps = (gaps ? editPath(left, right) : undefined) ?? placeByPlace(left, right);
  const columns = columnsOf(paired(steps));
  return Array.from({ length: Math.ceil(columns.length / width) }, (_, line) => {
    const stretch = columns.slice(line * width, (line + 1) * width);
    return { columns: stretch, same: stretch.every(({ kind }) => kind === 'same') };
  });
}

function placeByPlace(left: readonly string[], right: readonly string[]): Step[] {
  return Array.from({ length: Math.max(left.length, right.length) }, (_, place) =>
    stepOf(left[place], right[place]),
  );
}

function stepOf(left: string | undefined, right: string | undefined): Step {
  return { ...(left !== undefined && { left }), ...(right !== undefined && { right }) };
}

function isSame({ left, right }: Step): boolean {
  return left === right;
}

/** What was taken out and what was put in at one spot share their places. */
function paired(steps: readonly Step[]): Step[] {
  const result: Step[] = [];
  let lefts: string[] = [];
  let rights: string[] = [];
  const settle = () => {
    result.push(...placeByPlace(lefts, rights));
    lefts = [];
    rights = [];
  };
  for (const step of steps) {
    if (isSame(step)) {
      settle();
      result.push(step);
    } else {
      if (step.left !== undefined) lefts.push(step.left);
      if (step.right !== undefined) rights.push(step.right);
    }
  }
  settle();
  return result;
}

function columnsOf(steps: readonly Step[]): Column[] {
  const first = steps.findIndex((step) => !isSame(step));
  return steps.map((step, place) => ({
    expected: step.left,
    received: step.right,
    kind: isSame(step) ? 'same' : place === first ? 'first' : 'different',
  }));
}
