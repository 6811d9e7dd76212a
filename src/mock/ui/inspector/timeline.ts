import type { RepaymentTransactionWire } from '../../../protocol/lender-types.js';
import { moment } from '../shared/clock.js';
import { html, type Markup } from '../shared/markup.js';
import { dong } from '../shared/money.js';
import type { MockAllocation } from '../../state/allocations.js';
import type { MockReceipt } from '../../state/receipts.js';

/** Something that a lender notified the service of. */
interface TimelineEvent {
  readonly at: Date;
  readonly kind: 'received' | 'reversed' | 'allocated';
  readonly text: Markup;
}

/** What became of a contract's money, in the order in which the service heard of it. */
export function timeline(receipts: readonly MockReceipt[], allocations: readonly MockAllocation[]): Markup {
  const events = [...receipts.flatMap(receiptEvents), ...allocations.map(allocationEvent)];
  events.sort((a, b) => a.at.getTime() - b.at.getTime());
  return html`<ol class="timeline">
    ${events.map(
      ({ at, kind, text }) =>
        html`<li class="${kind}">
          <div>${text}</div>
          <p class="quiet">${moment(at)}</p>
        </li>`,
    )}
  </ol>`;
}

function receiptEvents(receipt: MockReceipt): TimelineEvent[] {
  const { recordedAt, reversedAt, receivedAmount, lenderTransactionCode: code, reversalReason } = receipt;
  const text = html`<p><b>Received ${dong(receivedAmount)}</b></p>
    <p class="quiet">Receipt <code>${code}</code>, at the lender ${receipt.receivedDatetime}</p>`;
  const received: TimelineEvent = { at: recordedAt, kind: 'received', text };
  if (!reversedAt) return [received];
  const reason = html`<p><b>Reversed ${dong(receivedAmount)}</b></p>
    <p class="quiet">Receipt <code>${code}</code>: ${reversalReason}</p>`;
  return [received, { at: reversedAt, kind: 'reversed', text: reason }];
}

function allocationEvent({
  recordedAt,
  repaymentTransactions,
  repaymentType,
  requestId,
}: MockAllocation): TimelineEvent {
  const text = html`${repaymentTransactions.map(allocationLine)}
    <p class="quiet">${repaymentType ?? 'Allocation'} <code>${requestId}</code></p>`;
  return { at: recordedAt, kind: 'allocated', text };
}

function allocationLine(transaction: RepaymentTransactionWire): Markup {
  const { installmentNumber, allocatedTotal, lenderTransactionCode } = transaction;
  const parts = [
    ['principal', transaction.allocatedPrincipal],
    ['service fee', transaction.allocatedServiceFee],
    ['late payment fee', transaction.allocatedPenalty],
  ] as const;
  const named = parts.flatMap(([name, amount]) => (amount ? [`${name} ${dong(amount)}`] : []));
  return html`<p><b>Allocated ${dong(allocatedTotal)}</b> to installment ${installmentNumber}</p>
    <p class="quiet">
      From <code>${lenderTransactionCode}</code>${named.length > 0 && `: ${named.join(', ')}`}
    </p>`;
}
