import type { MockControls } from '../../controls/mock-controls.js';
import type { Ledger, LedgerInstallment } from '../../state/ledger.js';
import { badge, dong, link, quiet } from '../shared/elements.js';
import { discrepancyText } from './discrepancy-text.js';
import { detailPage, emptyState, listPage } from './layout.js';
import { ledgerChart } from './ledger-chart.js';
import { panel, tablePanel, type Columns } from './panel.js';
import { timeline } from './timeline.js';

/** Contracts on the list at most; those that changed last come first. */
const listedContracts = 200;

const noContracts = emptyState(
  'No contracts yet',
  "A contract appears here with its lender's first receipt or allocation.",
  link('/_mock/ui/lender', 'Send one yourself'),
);

/** The contracts that a lender notified the service of. */
export function contractsPage(mock: MockControls) {
  const numbers = mock.contracts().reverse().slice(0, listedContracts);
  const rows = numbers.map((number) => contractRow(mock.ledger(number)));
  return listPage('Contracts', rows.length === 0 ? noContracts : <ul class="panel contracts">{rows}</ul>);
}

function contractRow(ledger: Ledger) {
  const { contractNumber, received, reversed, allocated, unallocated } = ledger;
  const kept = reversed > 0 ? `kept ${dong(received - reversed)}, ` : '';
  return (
    <li>
      <a href={`/_mock/ui/contracts/${encodeURIComponent(contractNumber)}`}>
        <span class="reference">{contractNumber}</span>
        <span>{ledgerBadge(ledger)}</span>
        <span class="quiet">
          received {dong(received)}, {kept}allocated {dong(allocated.total)}, not allocated{' '}
          {dong(unallocated)}
        </span>
      </a>
    </li>
  );
}

function ledgerBadge({ discrepancies: { length } }: Ledger) {
  if (length === 0) return badge('good', 'adds up');
  return badge('bad', `${length} ${length === 1 ? 'discrepancy' : 'discrepancies'}`);
}

const columns: Columns<LedgerInstallment> = [
  ['Number', ({ installmentNumber, installmentId }) => [`${installmentNumber} `, quiet(installmentId)]],
  ['Principal', ({ principal }) => dong(principal)],
  ['Service fee', ({ serviceFee }) => dong(serviceFee)],
  ['Late payment fee', ({ penalty }) => dong(penalty)],
  ['Total', ({ total }) => dong(total)],
];

/** Where the money of one contract came from and where it went. */
export function contractPage(contractNumber: string, mock: MockControls) {
  const ledger = mock.ledger(contractNumber);
  const { discrepancies, installments } = ledger;
  const isOfContract = (record: Pick<Ledger, 'contractNumber'>) => record.contractNumber === contractNumber;
  const receipts = mock.receipts.all().filter(isOfContract);
  const allocations = mock.allocations.all().filter(isOfContract);
  const send = `/_mock/ui/lender?contractNumber=${encodeURIComponent(contractNumber)}`;
  const problems = discrepancies.map((discrepancy) => <li>{discrepancyText(discrepancy)}</li>);
  return detailPage({
    place: 'Contracts',
    title: `Contract ${contractNumber}`,
    crumbs: [link('/_mock/ui/contracts', 'All contracts'), link(send, 'Send a receipt or allocation')],
    heading: ['Contract ', <span class="reference">{contractNumber}</span>],
    beside: ledgerBadge(ledger),
    content: [
      problems.length > 0 &&
        panel('problems', 'Discrepancies', <ul>{problems}</ul>, undefined, 'panel problems'),
      panel('ledger', 'Received and allocated', ledgerChart(ledger)),
      tablePanel('installments', 'Installments', columns, installments),
      panel('timeline', 'Timeline', timeline(receipts, allocations)),
    ],
  });
}
