import type { Ledger } from '../../state/ledger.js';
import { dong } from '../shared/money.js';

/** A segment of a bar. */
interface Segment {
  readonly kind: 'received' | 'reversed' | 'principal' | 'fee' | 'penalty' | 'free';
  readonly label: string;
  readonly amount: number;
}

const chartWidth = 1000;
const barHeight = 28;

/** The received amount beside its allocations, as two bars on one scale and as text. */
export function LedgerChart({ ledger }: { readonly ledger: Ledger }) {
  const { received, reversed, allocated, unallocated } = ledger;
  const receivedBar: Segment[] = [
    { kind: 'received', label: 'Kept', amount: received - reversed },
    { kind: 'reversed', label: 'Reversed', amount: reversed },
  ];
  const allocatedBar: Segment[] = [
    { kind: 'principal', label: 'Principal', amount: allocated.principal },
    { kind: 'fee', label: 'Service fee', amount: allocated.serviceFee },
    { kind: 'penalty', label: 'Late payment fee', amount: allocated.penalty },
    { kind: 'free', label: 'Not allocated', amount: Math.max(0, unallocated) },
  ];
  const scale = Math.max(received, allocated.total + Math.max(0, unallocated), 1);
  return (
    <figure class="chart">
      <Bar label="Received" total={received} segments={receivedBar} scale={scale} />
      <Bar label="Allocated" total={allocated.total} segments={allocatedBar} scale={scale} />
      <figcaption>
        <ul class="keys">
          {[...receivedBar, ...allocatedBar].map(({ kind, label, amount }) => (
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

interface BarProps {
  readonly label: string;
  readonly total: number;
  readonly segments: readonly Segment[];
  /** The amount that fills the whole width. */
  readonly scale: number;
}

function Bar({ label, total, segments, scale }: BarProps) {
  const shown = segments.filter(({ amount }) => amount > 0);
  const description = shown.map((segment) => `${segment.label} ${dong(segment.amount)}`).join(', ');
  let end = 0;
  return (
    <div class="bar">
      <p>
        <b>{label}</b> {dong(total)}
      </p>
      <svg
        role="img"
        aria-label={`${label}: ${description || 'nothing'}`}
        viewBox={`0 0 ${String(chartWidth)} ${String(barHeight)}`}
        preserveAspectRatio="none"
      >
        <rect class="track" width={chartWidth} height={barHeight} />
        {shown.map(({ kind, amount }) => {
          const x = end;
          const width = (amount / scale) * chartWidth;
          end += width;
          return <rect class={kind} x={x} width={width} height={barHeight} />;
        })}
      </svg>
    </div>
  );
}
