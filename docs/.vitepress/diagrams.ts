import type { MarkdownRenderer } from 'vitepress';
import { mermaidSvg } from '../../scripts/diagrams.js';

const kinds: Readonly<Record<string, string>> = {
  flowchart: 'Flow chart',
  sequenceDiagram: 'Sequence diagram',
  'stateDiagram-v2': 'State diagram',
};

/** Draws the fences of Mermaid, which GitHub draws by itself. A picture keeps its style sheet apart from that of the page. */
export function drawDiagrams({ renderer }: MarkdownRenderer): void {
  const { fence } = renderer.rules;
  renderer.rules.fence = (tokens, index, options, env, self) => {
    const { info = '', content = '' } = tokens[index] ?? {};
    if (info.trim() !== 'mermaid') return fence?.(tokens, index, options, env, self) ?? '';
    const [kind = ''] = content.trim().split(/\s/, 1);
    const data = Buffer.from(mermaidSvg(content)).toString('base64');
    return `<p><img class="diagram" alt="${kinds[kind] ?? 'Diagram'}" src="data:image/svg+xml;base64,${data}"></p>\n`;
  };
}
