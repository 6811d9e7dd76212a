import { encode } from 'uqr';

// The margin that scanners need around a code, in modules (ISO/IEC 18004).
const quietZone = 4;

/** A QR code as an SVG with one path: each run of dark modules is a rectangle in it. */
export function qrCode(text: string, label: string) {
  const { data, size } = encode(text, { ecc: 'M', border: quietZone });
  const path = data.flatMap((row, y) => {
    const modules = row.map((dark) => (dark ? '#' : ' ')).join('');
    return [...modules.matchAll(/#+/g)].map(
      ({ 0: { length }, index }) => `M${index} ${y}h${length}v1h-${length}z`,
    );
  });
  const shape = { viewBox: `0 0 ${size} ${size}`, 'shape-rendering': 'crispEdges' };
  return (
    <svg class="qr" role="img" aria-label={label} {...shape}>
      <rect width={size} height={size} fill="#fff" />
      <path d={path.join('')} fill="#000" />
    </svg>
  );
}
