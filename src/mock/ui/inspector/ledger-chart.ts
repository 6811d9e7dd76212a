import { html, type Markup } from '../shared/markup.js';
import { dong } from '../shared/money.js';
import type { Ledger } from '../../state/ledger.js';

/** A stretch of a bar. */
interface Stretch {
  readonly kind: 'received' | 'reversed' | 'principal' | 'fee' | 'penalty' | 'free';
  readonly label: string;
  readonly amount: number;
}

const chartWidth = 1000;
const barHeight = 28;

/** What was received against what it was allocated to, as two bars on one scale and as text. */
export function ledgerChart({ received, reversed, allocated, unallocated }: Ledger): Markup {
  const receivedBar: Stretch[] = [
    { kind: 'received', label: 'Received', amount: received - reversed },
    { kind: 'reversed', label: 'Reversed', amount: reversed },
  ];
  const allocatedBar: Stretch[] = [
    { kind: 'principal', label: 'Principal', amount: allocated.principal },
    { kind: 'fee', label: 'Service fee', amount: allocated.serviceFee },
    { kind: 'penalty', label: 'Late payment fee', amount: allocated.penalty },
    { kind: 'free', label: 'Not allocated', amount: Math.max(0, unallocated) },
  ];
  const scale = Math.max(received, allocated.total + Math.max(0, unallocated), 1);
  return html`<figure class="chart">
    ${bar('Received', received, receivedBar, scale)} ${bar('Allocated', allocated.total, allocatedBar, scale)}
    <figcaption>
      <ul class="keys">
        ${[...receivedBar, ...allocatedBar].map(
          ({ kind, label, amount }) =>
            html`<li>
              <svg class="key" viewBox="0 0 12 12" aria-hidden="true">
                <rect class="${kind}" width="12" height="12" rx="3" />
              </svg>
              ${label} <b>${dong(amount)}</b>
            </li>`,
        )}
      </ul>
    </figcaption>
  </figure>`;
}

function bar(label: string, total: number, stretches: readonly Stretch[], scale: number): Markup {
  const shown = stretches.filter(({ amount }) => amount > 0);
  const description = shown.map(({ label: part, amount }) => `${part} ${dong(amount)}`).join(', ');
  let x = 0;
  return html`<div class="bar">
    <p><b>${label}</b> ${dong(total)}</p>
    <svg
      role="img"
      aria-label="${label}: ${description || 'nothing'}"
      viewBox="0 0 ${chartWidth} ${barHeight}"
      preserveAspectRatio="none"
    >
      <rect class="track" width="${chartWidth}" height="${barHeight}" />
      ${shown.map(({ kind, amount }) => {
        const width = (amount / scale) * chartWidth;
        const piece = html`<rect class="${kind}" x="${x}" width="${width}" height="${barHeight}" />`;
        x += width;
        return piece;
      })}
    </svg>
  </div>`;
}
