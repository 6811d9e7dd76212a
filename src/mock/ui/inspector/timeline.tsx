import type { Child } from 'hono/jsx';
import type { RepaymentTransactionWire } from '../../../protocol/lender-types.js';
import type { MockAllocation, MockReceipt } from '../../state/lender-store.js';
import { dong, moment } from '../shared/elements.js';

type Event = readonly [kind: 'received' | 'reversed' | 'allocated', at: Date, content: Child];

/** The notifications of a contract, in the order in which they arrived. */
export function timeline(receipts: readonly MockReceipt[], allocations: readonly MockAllocation[]) {
  const reversals = receipts.flatMap((each): Event[] =>
    each.reversedAt ? [['reversed', each.reversedAt, reversed(each)]] : [],
  );
  const events: Event[] = [
    ...receipts.map((each): Event => ['received', each.recordedAt, received(each)]),
    ...reversals,
    ...allocations.map((each): Event => ['allocated', each.recordedAt, allocated(each)]),
  ];
  const items = events
    .sort(([, a], [, b]) => a.getTime() - b.getTime())
    .map(([kind, at, content]) => (
      <li class={kind}>{[<div>{content}</div>, <p class="quiet">{moment(at)}</p>]}</li>
    ));
  return <ol class="timeline">{items}</ol>;
}

/** A line of money, and below it where it came from: the code of a receipt, between two texts. */
const entry = (money: string, to: string, from: string, code: string, more: Child) => [
  <p>{[<b>{money}</b>, to]}</p>,
  <p class="quiet">{[from, <code>{code}</code>, more]}</p>,
];

const received = ({ receivedAmount, lenderTransactionCode: code, receivedDatetime }: MockReceipt) =>
  entry(`Received ${dong(receivedAmount)}`, '', 'Receipt ', code, `, at the lender ${receivedDatetime}`);

const reversed = ({ receivedAmount, lenderTransactionCode: code, reversalReason = '' }: MockReceipt) =>
  entry(`Reversed ${dong(receivedAmount)}`, '', 'Receipt ', code, `: ${reversalReason}`);

const allocated = ({ repaymentTransactions, repaymentType, requestId }: MockAllocation) => [
  ...repaymentTransactions.map((each) => {
    const [money, to] = [
      `Allocated ${dong(each.allocatedTotal)}`,
      ` to installment ${each.installmentNumber}`,
    ];
    return entry(money, to, 'From ', each.lenderTransactionCode, partsOf(each));
  }),
  <p class="quiet">{[`${repaymentType ?? 'Allocation'} `, <code>{requestId}</code>]}</p>,
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
