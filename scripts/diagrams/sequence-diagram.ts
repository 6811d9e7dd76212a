/** An arrow of a sequence diagram, from one participant to another. */
export interface Message {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

export interface SequenceDiagram {
  readonly title: string;
  readonly participants: readonly string[];
  readonly messages: readonly Message[];
}

const column = 260;
const row = 44;
const top = 76;

/** The diagram as an SVG, in the reader's colour scheme, on a background of its own. */
export function sequenceDiagram({ title, participants, messages }: SequenceDiagram): string {
  const width = participants.length * column;
  const height = top + messages.length * row + 20;
  const x = (participant: number) => (participant + 0.5) * column;
  const heads = participants.map(
    (name, index) =>
      `<line class="life" x1="${x(index)}" y1="52" x2="${x(index)}" y2="${height - 12}"/>
<rect class="head" x="${x(index) - 92}" y="16" width="184" height="36" rx="6"/>
<text class="name" x="${x(index)}" y="39">${name}</text>`,
  );
  const arrows = messages.map(({ from, to, text }, index) => {
    const y = top + index * row + 20;
    const direction = Math.sign(to - from);
    const end = x(to) - direction * 2;
    return `<text x="${(x(from) + x(from + direction)) / 2}" y="${y - 8}">${text}</text>
<path class="arrow" d="M${x(from)} ${y}H${end}m${-direction * 8} -5l${direction * 8} 5l${-direction * 8} 5"/>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img">
<title>${title}</title>
<style>
svg { background: #fff; color: #1c2024; font: 15px system-ui, sans-serif; }
text { fill: currentColor; text-anchor: middle; }
.name { font-weight: 600; }
.head { fill: #eef3f8; stroke: #8b98a5; }
.life { stroke: #8b98a5; stroke-dasharray: 4 5; }
.arrow { fill: none; stroke: currentColor; stroke-width: 1.5; }
@media (prefers-color-scheme: dark) {
svg { background: #1b1b1f; color: #e6e8ea; }
.head { fill: #2b3138; }
}
</style>
${[...heads, ...arrows].join('\n')}
</svg>
`;
}
