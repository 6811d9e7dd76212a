import type { Draft, Ingredient, Rarity } from './draft.js';
import { isScalar, isShallow, type JsonTree } from './json-tree.js';
import type { Write } from './notations.js';
import type { Mistake } from './types.js';

// Deeper than any order; the path of a value grows with its depth.
const deepest = 8;

function isWritable(tree: JsonTree | undefined): tree is JsonTree {
  return tree !== undefined && !isScalar(tree) && isShallow(tree, deepest);
}

/** A body that is written as something else than JSON. */
export function notJson(
  id: Mistake,
  rarity: Rarity,
  message: string,
  fix: string,
  write: Write,
): Ingredient<Draft> {
  return {
    id,
    rarity,
    message,
    fix,
    apply: ({ tree }) => (isWritable(tree) ? { text: write(tree) } : undefined),
  };
}
