import type { RepaymentTransactionWire } from '../../../protocol/lender-types.js';
import type { MockAllocation } from '../../state/allocations.js';
import type { MockReceipt } from '../../state/receipts.js';
import { Moment } from '../shared/moment.js';
import { dong } from '../shared/money.js';

interface TimelineProps {
  readonly receipts: readonly MockReceipt[];
  readonly allocations: readonly MockAllocation[];
}

/** The notifications of a contract, in the order in which they arrived. */
export function Timeline({ receipts, allocations }: TimelineProps) {
  const events = [
    ...receipts.map((receipt) => ({ at: receipt.recordedAt, kind: 'received', content: received(receipt) })),
    ...receipts.flatMap((receipt) =>
      receipt.reversedAt ? [{ at: receipt.reversedAt, kind: 'reversed', content: reversed(receipt) }] : [],
    ),
    ...allocations.map((each) => ({ at: each.recordedAt, kind: 'allocated', content: allocated(each) })),
  ].sort((a, b) => a.at.getTime() - b.at.getTime());
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

const received = ({ receivedAmount, lenderTransactionCode, receivedDatetime }: MockReceipt) => (
  <>
    <p>
      <b>Received {dong(receivedAmount)}</b>
    </p>
    <p class="quiet">
      Receipt <code>{lenderTransactionCode}</code>, at the lender {receivedDatetime}
    </p>
  </>
);

const reversed = ({ receivedAmount, lenderTransactionCode, reversalReason }: MockReceipt) => (
  <>
    <p>
      <b>Reversed {dong(receivedAmount)}</b>
    </p>
    <p class="quiet">
      Receipt <code>{lenderTransactionCode}</code>: {reversalReason}
    </p>
  </>
);

const allocated = ({ repaymentTransactions, repaymentType, requestId }: MockAllocation) => (
  <>
    {repaymentTransactions.map((transaction) => (
      <>
        <p>
          <b>Allocated {dong(transaction.allocatedTotal)}</b> to installment {transaction.installmentNumber}
        </p>
        <p class="quiet">
          From <code>{transaction.lenderTransactionCode}</code>
          {partsOf(transaction)}
        </p>
      </>
    ))}
    <p class="quiet">
      {repaymentType ?? 'Allocation'} <code>{requestId}</code>
    </p>
  </>
);

function partsOf({ allocatedPrincipal, allocatedServiceFee, allocatedPenalty }: RepaymentTransactionWire) {
  const parts = [
    ['principal', allocatedPrincipal],
    ['service fee', allocatedServiceFee],
    ['late payment fee', allocatedPenalty],
  ] as const;
  const named = parts.flatMap(([name, amount]) => (amount ? [`${name} ${dong(amount)}`] : []));
  return named.length > 0 && `: ${named.join(', ')}`;
}
