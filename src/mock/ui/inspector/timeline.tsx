import type { Child } from 'hono/jsx';
import type { RepaymentTransactionWire } from '../../../protocol/lender-types.js';
import type { MockAllocation } from '../../state/allocations.js';
import type { MockReceipt } from '../../state/receipts.js';
import { dong, moment } from '../shared/elements.js';

type Event = readonly [kind: 'received' | 'reversed' | 'allocated', at: Date, content: Child];

/** The notifications of a contract, in the order in which they arrived. */
export function timeline(receipts: readonly MockReceipt[], allocations: readonly MockAllocation[]) {
  const events: Event[] = [
    ...receipts.map((each): Event => ['received', each.recordedAt, received(each)]),
    ...receipts.flatMap((each): Event[] =>
      each.reversedAt ? [['reversed', each.reversedAt, reversed(each)]] : [],
    ),
    ...allocations.map((each): Event => ['allocated', each.recordedAt, allocated(each)]),
  ];
  return (
    <ol class="timeline">
      {events
        .sort(([, a], [, b]) => a.getTime() - b.getTime())
        .map(([kind, at, content]) => (
          <li class={kind}>
            <div>{content}</div>
            <p class="quiet">{moment(at)}</p>
          </li>
        ))}
    </ol>
  );
}

/** A line of money, and below it where it came from: the code that names it between two texts. */
const entry = (money: string, more: string, before: string, code: string, after: Child) => [
  <p>
    <b>{money}</b>
    {more}
  </p>,
  <p class="quiet">
    {before} <code>{code}</code>
    {after}
  </p>,
];

const received = ({ receivedAmount, lenderTransactionCode: code, receivedDatetime }: MockReceipt) =>
  entry(`Received ${dong(receivedAmount)}`, '', 'Receipt', code, `, at the lender ${receivedDatetime}`);

const reversed = ({ receivedAmount, lenderTransactionCode: code, reversalReason = '' }: MockReceipt) =>
  entry(`Reversed ${dong(receivedAmount)}`, '', 'Receipt', code, `: ${reversalReason}`);

const allocated = ({ repaymentTransactions, repaymentType, requestId }: MockAllocation) => [
  ...repaymentTransactions.map((each) => {
    const { allocatedTotal, installmentNumber, lenderTransactionCode: code } = each;
    return entry(
      `Allocated ${dong(allocatedTotal)}`,
      ` to installment ${installmentNumber}`,
      'From',
      code,
      partsOf(each),
    );
  }),
  <p class="quiet">
    {repaymentType ?? 'Allocation'} <code>{requestId}</code>
  </p>,
];

function partsOf({ allocatedPrincipal, allocatedServiceFee, allocatedPenalty }: RepaymentTransactionWire) {
  const parts = [
    ['principal', allocatedPrincipal],
    ['service fee', allocatedServiceFee],
    ['late payment fee', allocatedPenalty],
  ] as const;
  const named = parts.flatMap(([name, amount]) => (amount ? [`${name} ${dong(amount)}`] : []));
  return named.length > 0 && `: ${named.join(', ')}`;
}
