import { diffArrays } from 'diff';

/** One step from a text to another: a character of both, of the first alone, or of the second alone. */
export interface Step {
  readonly left?: string;
  readonly right?: string;
}

// The work grows with its square. Texts that differ more have no alignment worth showing.
const maxEditLength = 800;

/** The shortest way from one text to another, or undefined if it has more than 800 edits. */
export function editPath(left: readonly string[], right: readonly string[]): Step[] | undefined {
  const runs = diffArrays([...left], [...right], { maxEditLength });
  return runs?.flatMap(({ value, added, removed }) =>
    value.map((character) => ({ ...(!added && { left: character }), ...(!removed && { right: character }) })),
  );
}
