import type { Layout, Tree } from './json-tree.js';
import type { Rewrite } from './rewrites.js';

/** JSON on its way to a text. */
export interface JsonDraft {
  readonly tree: Tree;
  readonly layout: Layout;
  readonly escapes?: Rewrite;
  readonly slashes?: Rewrite;
}

/** The text of the tree with the escapes of the draft. */
export function withEscapes({ escapes, slashes }: JsonDraft, text: string): string {
  const escaped = escapes ? escapes(text) : text;
  return slashes ? slashes(escaped) : escaped;
}
