import type { Ledger } from '../../state/ledger.js';
import { dong } from '../shared/elements.js';

/** A segment of a bar; its class gives it a colour. */
type Segment = readonly [kind: string, label: string, amount: number];

const chartWidth = 1000;
const barHeight = 28;

/** The received amount beside its allocations, as two bars on one scale and as text. */
export function ledgerChart({ received, reversed, allocated, unallocated }: Ledger) {
  const free = Math.max(0, unallocated);
  const receivedBar: Segment[] = [
    ['received', 'Kept', received - reversed],
    ['reversed', 'Reversed', reversed],
  ];
  const allocatedBar: Segment[] = [
    ['principal', 'Principal', allocated.principal],
    ['fee', 'Service fee', allocated.serviceFee],
    ['penalty', 'Late payment fee', allocated.penalty],
    ['free', 'Not allocated', free],
  ];
  const scale = chartWidth / Math.max(received, allocated.total + free, 1);
  return (
    <figure class="chart">
      {bar('Received', received, receivedBar, scale)}
      {bar('Allocated', allocated.total, allocatedBar, scale)}
      <figcaption>
        <ul class="keys">
          {[...receivedBar, ...allocatedBar].map(([kind, label, amount]) => (
            <li>
              <svg class="key" viewBox="0 0 12 12" aria-hidden="true">
                <rect class={kind} width="12" height="12" rx="3" />
              </svg>{' '}
              {label} <b>{dong(amount)}</b>
            </li>
          ))}
        </ul>
      </figcaption>
    </figure>
  );
}

/** A bar with a total and its segments, at so many units of its width for one dong. */
function bar(label: string, total: number, segments: readonly Segment[], scale: number) {
  const shown = segments.filter(([, , amount]) => amount > 0);
  const description = shown.map(([, name, amount]) => `${name} ${dong(amount)}`).join(', ') || 'nothing';
  let end = 0;
  const rectangles = shown.map(([kind, , amount]) => {
    const [x, width] = [end, amount * scale];
    end += width;
    return <rect class={kind} x={x} width={width} height={barHeight} />;
  });
  const viewBox = `0 0 ${chartWidth} ${barHeight}`;
  return (
    <div class="bar">
      <p>
        <b>{label}</b> {dong(total)}
      </p>
      <svg role="img" aria-label={`${label}: ${description}`} viewBox={viewBox} preserveAspectRatio="none">
        <rect class="track" width={chartWidth} height={barHeight} />
        {rectangles}
      </svg>
    </div>
  );
}
