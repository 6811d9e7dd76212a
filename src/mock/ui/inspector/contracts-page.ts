import { html, type Markup } from '../shared/markup.js';
import { dong } from '../shared/money.js';
import type { MockAllocation } from '../../state/allocations.js';
import type { Ledger, LedgerInstallment } from '../../state/ledger.js';
import type { MockReceipt } from '../../state/receipts.js';
import { emptyState, inspectorPage } from './layout.js';
import { ledgerChart } from './ledger-chart.js';
import { discrepancyText } from './ledger-words.js';
import { timeline } from './timeline.js';

/** Contracts on the list at most; those that changed last come first. */
export const listedContracts = 200;

/** The contracts that a lender notified the service of. */
export function contractsPage(ledgers: readonly Ledger[]): Markup {
  return inspectorPage(
    'Contracts',
    'Contracts',
    html`<h1>Contracts</h1>
      <div id="region" data-live-region>
        ${
          ledgers.length === 0
            ? emptyState(
                'No contracts yet',
                html`<p>A contract shows up with the first receipt or allocation of its lender.</p>
                  <p><a href="/_mock/ui/lender">Send one yourself</a></p>`,
              )
            : html`<ul class="panel contracts">
                ${ledgers.map(contractRow)}
              </ul>`
        }
      </div>`,
  );
}

/** The address of a contract's page. */
export function contractPath(contractNumber: string): string {
  return `/_mock/ui/contracts/${encodeURIComponent(contractNumber)}`;
}

function contractRow(ledger: Ledger): Markup {
  const { contractNumber, received, allocated, unallocated, discrepancies } = ledger;
  return html`<li>
    <a href="${contractPath(contractNumber)}">
      <span class="reference">${contractNumber}</span>
      <span>${problemBadge(discrepancies.length)}</span>
      <span class="quiet">
        received ${dong(received)}, allocated ${dong(allocated.total)}, not allocated ${dong(unallocated)}
      </span>
    </a>
  </li>`;
}

function problemBadge(count: number): Markup {
  if (count === 0) return html`<span class="badge good">adds up</span>`;
  return html`<span class="badge bad">${count} ${count === 1 ? 'discrepancy' : 'discrepancies'}</span>`;
}

/** Where the money of one contract came from and went. */
export function contractPage(
  ledger: Ledger,
  receipts: readonly MockReceipt[],
  allocations: readonly MockAllocation[],
): Markup {
  const { contractNumber, discrepancies, installments } = ledger;
  return inspectorPage(
    'Contracts',
    `Contract ${contractNumber}`,
    html`<nav class="crumbs" aria-label="Contracts">
        <a href="/_mock/ui/contracts">All contracts</a>
        <a href="/_mock/ui/lender?contractNumber=${encodeURIComponent(contractNumber)}"
          >Notify of a receipt or allocation</a
        >
      </nav>
      <div id="region" data-live-region>
        <div class="heading">
          <h1>Contract <span class="reference">${contractNumber}</span></h1>
          ${problemBadge(discrepancies.length)}
        </div>
        ${
          discrepancies.length > 0 &&
          html`<section class="panel problems" aria-labelledby="problems">
            <h2 id="problems">What does not add up</h2>
            <ul>
              ${discrepancies.map((discrepancy) => html`<li>${discrepancyText(discrepancy)}</li>`)}
            </ul>
          </section>`
        }
        <section class="panel" aria-labelledby="ledger">
          <h2 id="ledger">Received and allocated</h2>
          ${ledgerChart(ledger)}
        </section>
        ${installments.length > 0 && installmentTable(installments)}
        <section class="panel" aria-labelledby="timeline">
          <h2 id="timeline">What happened</h2>
          ${timeline(receipts, allocations)}
        </section>
      </div>`,
  );
}

function installmentTable(installments: readonly LedgerInstallment[]): Markup {
  return html`<section class="panel" aria-labelledby="installments">
    <h2 id="installments">Installments</h2>
    <div class="scroll" tabindex="0" role="group" aria-labelledby="installments">
      <table>
        <thead>
          <tr>
            <th scope="col">Number</th>
            <th scope="col">Principal</th>
            <th scope="col">Service fee</th>
            <th scope="col">Late payment fee</th>
            <th scope="col">Total</th>
          </tr>
        </thead>
        <tbody>
          ${installments.map(
            ({ installmentNumber, installmentId, principal, serviceFee, penalty, total }) =>
              html`<tr>
                <th scope="row">
                  ${installmentNumber}
                  ${installmentId !== undefined && html`<span class="quiet">${installmentId}</span>`}
                </th>
                ${[principal, serviceFee, penalty, total].map((amount) => html`<td>${dong(amount)}</td>`)}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
  </section>`;
}
