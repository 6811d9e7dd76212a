import { encode } from 'uqr';
import { html, type Markup } from '../shared/markup.js';

// What scanners need around a code to find it, in modules (ISO/IEC 18004).
const quietZone = 4;

/** A QR code as one SVG path, a run of dark modules after the other. */
export function qrCode(text: string, label: string): Markup {
  const { data, size } = encode(text, { ecc: 'M', border: quietZone });
  const runs = data.flatMap((row, y) =>
    darkRuns(row).map(([x, length]) => `M${x} ${y}h${length}v1h-${length}z`),
  );
  return html`<svg
    class="qr"
    role="img"
    aria-label="${label}"
    viewBox="0 0 ${size} ${size}"
    shape-rendering="crispEdges"
  >
    <rect width="${size}" height="${size}" fill="#fff" />
    <path d="${runs.join('')}" fill="#000" />
  </svg>`;
}

/** Start and length of each run of dark modules. */
function darkRuns(row: readonly boolean[]): [number, number][] {
  const runs: [number, number][] = [];
  row.forEach((dark, x) => {
    const last = runs.at(-1);
    if (!dark) return;
    if (last && last[0] + last[1] === x) last[1] += 1;
    else runs.push([x, 1]);
  });
  return runs;
}
