import { Hono } from 'hono/tiny';
import type { Routes } from '../../controls/guard.js';
import type { Script } from '../../controls/script.js';
import type { Journal } from '../../state/journal.js';
import type { MockPayment } from '../../state/payments.js';
import type { MockService } from '../../types.js';
import { ContractPage, ContractsPage, listedContracts } from './contracts-page.js';
import { changeEvents } from './event-stream.js';
import { formRoutes } from './form-routes.js';
import { MissingPage } from './layout.js';
import type { LenderSender } from './lender-sender.js';
import { PaymentsPage } from './payments-page.js';
import { requestRoutes } from './request-routes.js';

/** What the inspector needs besides the mock itself. */
export interface InspectorSetup extends LenderSender {
  readonly script: Script;
  readonly journal: Journal;
}

/** The pages that show what a mock has, and the forms that control it: `/_mock` itself, and `/_mock/ui` below it. */
export function inspectorRoutes(mock: MockService, setup: InspectorSetup): Routes {
  const routes: Routes = new Hono();
  routes.route('/', requestRoutes(mock));
  routes.route('/ui', stateRoutes(mock));
  routes.route('/ui', formRoutes(mock, setup));
  return routes;
}

/** Payments and contracts. */
function stateRoutes(mock: MockService): Routes {
  const routes: Routes = new Hono();

  routes.get('/payments', (context) => {
    const page = Math.max(1, Math.trunc(Number(context.req.query('page'))) || 1);
    const payments = mock.payments.all().reverse();
    const invoices = mock.invoices.all();
    const invoicesOf = ({ referenceId, merchantId }: MockPayment) =>
      invoices.filter((invoice) => invoice.referenceId === referenceId && invoice.merchantId === merchantId);
    return context.html(<PaymentsPage payments={payments} invoicesOf={invoicesOf} page={page} />);
  });

  routes.get('/contracts', (context) => {
    const numbers = mock.contracts().reverse().slice(0, listedContracts);
    return context.html(<ContractsPage ledgers={numbers.map((number) => mock.ledger(number))} />);
  });

  routes.get('/contracts/:contractNumber', (context) => {
    const contractNumber = context.req.param('contractNumber');
    if (!mock.contracts().includes(contractNumber)) {
      return context.html(<MissingPage what="There is no contract with this number" />, 404);
    }
    const isOfContract = (notification: { readonly contractNumber: string }) =>
      notification.contractNumber === contractNumber;
    return context.html(
      <ContractPage
        ledger={mock.ledger(contractNumber)}
        receipts={mock.receipts.all().filter(isOfContract)}
        allocations={mock.allocations.all().filter(isOfContract)}
      />,
    );
  });

  routes.get('/changes', (context) => changeEvents(context, mock));
  return routes;
}
