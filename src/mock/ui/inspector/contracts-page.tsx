import type { MockControls } from '../../controls/mock-controls.js';
import type { Ledger, LedgerInstallment } from '../../state/ledger.js';
import { Badge } from '../shared/badge.js';
import { dong } from '../shared/money.js';
import { discrepancyText } from './discrepancy-text.js';
import { DetailPage, EmptyState, ListPage } from './layout.js';
import { LedgerChart } from './ledger-chart.js';
import { Panel, TablePanel, type Column } from './panel.js';
import { Timeline } from './timeline.js';

/** Contracts on the list at most; those that changed last come first. */
const listedContracts = 200;

/** The contracts that a lender notified the service of. */
export function ContractsPage({ mock }: { readonly mock: MockControls }) {
  const numbers = mock.contracts().reverse().slice(0, listedContracts);
  return (
    <ListPage place="Contracts">
      {numbers.length === 0 ? (
        <EmptyState title="No contracts yet">
          <p>A contract appears here with its lender's first receipt or allocation.</p>
          <p>
            <a href="/_mock/ui/lender">Send one yourself</a>
          </p>
        </EmptyState>
      ) : (
        <ul class="panel contracts">
          {numbers.map((number) => (
            <ContractRow ledger={mock.ledger(number)} />
          ))}
        </ul>
      )}
    </ListPage>
  );
}

interface LedgerProps {
  readonly ledger: Ledger;
}

function ContractRow({ ledger }: LedgerProps) {
  const { contractNumber, received, reversed, allocated, unallocated } = ledger;
  return (
    <li>
      <a href={`/_mock/ui/contracts/${encodeURIComponent(contractNumber)}`}>
        <span class="reference">{contractNumber}</span>
        <span>
          <LedgerBadge ledger={ledger} />
        </span>
        <span class="quiet">
          received {dong(received)}, {reversed > 0 && `kept ${dong(received - reversed)}, `}allocated{' '}
          {dong(allocated.total)}, not allocated {dong(unallocated)}
        </span>
      </a>
    </li>
  );
}

function LedgerBadge({ ledger: { discrepancies } }: LedgerProps) {
  const count = discrepancies.length;
  if (count === 0) return <Badge tone="good">adds up</Badge>;
  return (
    <Badge tone="bad">
      {count} {count === 1 ? 'discrepancy' : 'discrepancies'}
    </Badge>
  );
}

interface ContractProps {
  readonly contractNumber: string;
  readonly mock: MockControls;
}

const columns: readonly Column<LedgerInstallment>[] = [
  [
    'Number',
    ({ installmentNumber, installmentId }) => (
      <>
        {installmentNumber} {installmentId !== undefined && <span class="quiet">{installmentId}</span>}
      </>
    ),
  ],
  ['Principal', ({ principal }) => dong(principal)],
  ['Service fee', ({ serviceFee }) => dong(serviceFee)],
  ['Late payment fee', ({ penalty }) => dong(penalty)],
  ['Total', ({ total }) => dong(total)],
];

/** Where the money of one contract came from and where it went. */
export function ContractPage({ contractNumber, mock }: ContractProps) {
  const ledger = mock.ledger(contractNumber);
  const { discrepancies, installments } = ledger;
  const isOfContract = (notification: Pick<Ledger, 'contractNumber'>) =>
    notification.contractNumber === contractNumber;
  return (
    <DetailPage
      place="Contracts"
      title={`Contract ${contractNumber}`}
      crumbs={[
        ['/_mock/ui/contracts', 'All contracts'],
        [
          `/_mock/ui/lender?contractNumber=${encodeURIComponent(contractNumber)}`,
          'Send a receipt or allocation',
        ],
      ]}
      heading={
        <>
          Contract <span class="reference">{contractNumber}</span>
        </>
      }
      beside={<LedgerBadge ledger={ledger} />}
    >
      {discrepancies.length > 0 && (
        <Panel id="problems" title="Discrepancies" kind="problems">
          <ul>
            {discrepancies.map((discrepancy) => (
              <li>{discrepancyText(discrepancy)}</li>
            ))}
          </ul>
        </Panel>
      )}
      <Panel id="ledger" title="Received and allocated">
        <LedgerChart ledger={ledger} />
      </Panel>
      <TablePanel
        id="installments"
        title="Installments"
        columns={columns}
        rows={installments}
        class="amounts"
      />
      <Panel id="timeline" title="Timeline">
        <Timeline
          receipts={mock.receipts.all().filter(isOfContract)}
          allocations={mock.allocations.all().filter(isOfContract)}
        />
      </Panel>
    </DetailPage>
  );
}
