import type { Child } from 'hono/jsx';
import type { RepaymentTransactionWire } from '../../../protocol/lender-types.js';
import type { MockAllocation } from '../../state/allocations.js';
import type { MockReceipt } from '../../state/receipts.js';
import { Moment } from '../shared/moment.js';
import { dong } from '../shared/money.js';

/** Something that a lender notified the service of. */
interface TimelineEvent {
  readonly at: Date;
  readonly kind: 'received' | 'reversed' | 'allocated';
  readonly content: Child;
}

interface TimelineProps {
  readonly receipts: readonly MockReceipt[];
  readonly allocations: readonly MockAllocation[];
}

/** The notifications of a contract, in the order in which they arrived. */
export function Timeline({ receipts, allocations }: TimelineProps) {
  const events = [...receipts.flatMap(receiptEvents), ...allocations.map(allocationEvent)];
  events.sort((a, b) => a.at.getTime() - b.at.getTime());
  return (
    <ol class="timeline">
      {events.map(({ at, kind, content }) => (
        <li class={kind}>
          <div>{content}</div>
          <p class="quiet">
            <Moment at={at} />
          </p>
        </li>
      ))}
    </ol>
  );
}

function receiptEvents(receipt: MockReceipt): TimelineEvent[] {
  const { recordedAt, reversedAt, receivedAmount, lenderTransactionCode: code } = receipt;
  const received: TimelineEvent = {
    at: recordedAt,
    kind: 'received',
    content: (
      <>
        <p>
          <b>Received {dong(receivedAmount)}</b>
        </p>
        <p class="quiet">
          Receipt <code>{code}</code>, at the lender {receipt.receivedDatetime}
        </p>
      </>
    ),
  };
  if (!reversedAt) return [received];
  const content = (
    <>
      <p>
        <b>Reversed {dong(receivedAmount)}</b>
      </p>
      <p class="quiet">
        Receipt <code>{code}</code>: {receipt.reversalReason}
      </p>
    </>
  );
  return [received, { at: reversedAt, kind: 'reversed', content }];
}

function allocationEvent(allocation: MockAllocation): TimelineEvent {
  const { recordedAt, repaymentTransactions, repaymentType, requestId } = allocation;
  const content = (
    <>
      {repaymentTransactions.map((transaction) => (
        <Transaction transaction={transaction} />
      ))}
      <p class="quiet">
        {repaymentType ?? 'Allocation'} <code>{requestId}</code>
      </p>
    </>
  );
  return { at: recordedAt, kind: 'allocated', content };
}

function Transaction({ transaction }: { readonly transaction: RepaymentTransactionWire }) {
  const { installmentNumber, allocatedTotal, lenderTransactionCode } = transaction;
  const parts = [
    ['principal', transaction.allocatedPrincipal],
    ['service fee', transaction.allocatedServiceFee],
    ['late payment fee', transaction.allocatedPenalty],
  ] as const;
  const named = parts.flatMap(([name, amount]) => (amount ? [`${name} ${dong(amount)}`] : []));
  return (
    <>
      <p>
        <b>Allocated {dong(allocatedTotal)}</b> to installment {installmentNumber}
      </p>
      <p class="quiet">
        From <code>{lenderTransactionCode}</code>
        {named.length > 0 && `: ${named.join(', ')}`}
      </p>
    </>
  );
}
