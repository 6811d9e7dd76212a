import { readFile } from 'node:fs/promises';
import { renderMermaidSVG } from 'beautiful-mermaid';

/** The picture of the README. */
export const sequenceDiagramTarget = 'docs/diagrams/payment.svg';

/** The colours of light and dark pages, with enough contrast for the labels, and no font from another host. */
const style = `
  text { font-family: Inter, "Segoe UI", "Helvetica Neue", Arial, sans-serif; }
  .message text { paint-order: stroke; stroke: var(--bg); stroke-width: 3px; }
  svg { --bg: #fff; --fg: #27272a; --muted: color-mix(in srgb, var(--fg) 85%, var(--bg)); background: var(--bg); }
  @media (prefers-color-scheme: dark) { svg { --bg: #1b1b1f; --fg: #e8e8ec; } }`;

/** Converts a Mermaid diagram to SVG. The texts of nodes must be at the first mention of a node. */
export function mermaidSvg(source: string): string {
  const svg = renderMermaidSVG(source);
  const [, id] = />([A-Z])<\/(?:text|tspan)>/.exec(svg) ?? [];
  if (id !== undefined)
    throw new Error(`a diagram shows the ID ${id}: write the text of this node at its first mention`);
  return svg
    .replace(/(<svg [^>]*?) style="[^"]*"/, '$1')
    .replace(/\n *@import [^\n]*\n *text \{[^\n]*/, style);
}

/** The sequence diagram of the concepts. */
export async function sequenceDiagram(): Promise<string> {
  const page = await readFile('docs/concepts.md', 'utf8');
  const [, source] = /^```mermaid\n(sequenceDiagram\n[^]*?)^```$/m.exec(page) ?? [];
  if (source === undefined) throw new Error('docs/concepts.md has no sequence diagram');
  return mermaidSvg(source);
}
