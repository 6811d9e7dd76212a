import type {
  Ledger,
  LenderReversals,
  MockAllocation,
  MockReceipt,
  ObservedMock,
} from '../../mock/observation.js';
import { badge, dong, link, moment, quiet } from '../../mock/ui/elements.js';
import { emptyState, tablePanel, type Columns } from './components.js';
import type { Page } from './layout.js';
import { found, listHeading, newest, pathOf, type ListQuery } from './list-page.js';

/** The notifications of the lender, and the ledgers of their contracts. */
export function lenderPage(
  query: ListQuery,
  mock: Pick<ObservedMock, 'receipts' | 'allocations' | 'ledger' | 'lender'>,
): Page {
  const receipts = found(mock.receipts.all(), query);
  const allocations = found(mock.allocations.all(), query);
  const contracts = new Set([...receipts, ...allocations].map(({ contractNumber }) => contractNumber));
  const ledgers = newest([...contracts]).rows.map((contractNumber) => mock.ledger(contractNumber));
  const main = [
    listHeading('Lender', `${contracts.size}`, query),
    contracts.size === 0 && noContracts,
    tablePanel('ledgers', 'Ledgers', ledgerColumns, ledgers, quiet(reversalsText[mock.lender.reversals])),
    tablePanel('receipts', 'Receipts', receiptColumns, newest(receipts).rows),
    tablePanel('allocations', 'Allocations', allocationColumns, newest(allocations).rows.flatMap(parts)),
  ];
  return { place: 'Lender', main };
}

const noContracts = emptyState(
  'No contracts',
  "A contract appears here with its lender's first receipt or allocation.",
);

/** The URL of the part of the page about one contract. */
export const contractLink = (contractNumber: string) =>
  link(pathOf('/_mock/ui/lender', { search: contractNumber }), contractNumber);

const reversalsText: Readonly<Record<LenderReversals, string>> = {
  'same-code': 'A reversal has the same code as its receipt.',
  'own-code': 'A reversal has a separate code.',
};

const ledgerColumns: Columns<Ledger> = [
  ['Contract', ({ contractNumber }) => contractLink(contractNumber)],
  ['Received', ({ received }) => dong(received), 'amount'],
  ['Reversed', ({ reversed }) => dong(reversed), 'amount'],
  ['Allocated', ({ allocated }) => dong(allocated.total), 'amount'],
  ['Not allocated', ({ unallocated }) => dong(unallocated), 'amount'],
  ['Discrepancies', discrepancyBadges, 'wide'],
];

function discrepancyBadges({ discrepancies }: Ledger) {
  if (discrepancies.length === 0) return badge('good', 'none');
  const badges = discrepancies.map(({ kind, lenderTransactionCode }) =>
    badge('bad', `${lenderTransactionCode}: ${kind.replaceAll('_', ' ')}`),
  );
  return <span class="badges">{badges}</span>;
}

const receiptColumns: Columns<MockReceipt> = [
  ['Transaction', ({ lenderTransactionCode }) => <code>{lenderTransactionCode}</code>],
  ['Contract', ({ contractNumber }) => contractNumber],
  ['Amount', ({ receivedAmount }) => dong(receivedAmount), 'amount'],
  ['Status', ({ receivedStatus }) => badge(receivedStatus === 'SUCCESS' ? 'good' : 'bad', receivedStatus)],
  ['Reason', ({ reversalReason }) => reversalReason, 'wide'],
  ['Recorded', ({ recordedAt }) => moment(recordedAt)],
];

/** The transactions of an allocation, each with the data of the whole allocation. */
const parts = ({ repaymentTransactions, ...allocation }: MockAllocation) =>
  repaymentTransactions.map((transaction) => ({ ...allocation, ...transaction }));

const allocationColumns: Columns<ReturnType<typeof parts>[number]> = [
  ['Transaction', ({ lenderTransactionCode }) => <code>{lenderTransactionCode}</code>],
  ['Contract', ({ contractNumber }) => contractNumber],
  ['Installment', ({ installmentNumber, installmentId }) => [`${installmentNumber} `, quiet(installmentId)]],
  ['Principal', ({ allocatedPrincipal = 0 }) => dong(allocatedPrincipal), 'amount'],
  ['Service fee', ({ allocatedServiceFee = 0 }) => dong(allocatedServiceFee), 'amount'],
  ['Late payment fee', ({ allocatedPenalty = 0 }) => dong(allocatedPenalty), 'amount'],
  ['Total', ({ allocatedTotal }) => dong(allocatedTotal), 'amount'],
  ['Recorded', ({ recordedAt }) => moment(recordedAt)],
];
