import { Hono } from 'hono';
import type { MockService } from '../../types.js';
import type { Routes } from '../../controls/guard.js';
import type { MockPayment } from '../../state/payments.js';
import { contractPage, contractsPage, listedContracts } from './contracts-page.js';
import { controlRoutes } from './control-routes.js';
import { changeStream } from './event-stream.js';
import { missingPage } from './layout.js';
import type { LenderSender } from './lender-sender.js';
import { paymentsPage } from './payments-page.js';
import { eventResponse, requestRoutes } from './request-routes.js';

/** What the inspector knows of a mock besides the mock itself. */
export type InspectorSetup = LenderSender;

/** The pages that show what a mock has, and the forms that work it: `/_mock` itself, and `/_mock/ui` below it. */
export function inspectorRoutes(mock: MockService, setup: InspectorSetup): Routes {
  const routes: Routes = new Hono();
  routes.route('/', requestRoutes(mock));
  routes.route('/ui', stateRoutes(mock));
  routes.route('/ui', controlRoutes(mock, setup));
  return routes;
}

/** What the mock holds: payments and contracts. */
function stateRoutes(mock: MockService): Routes {
  const routes: Routes = new Hono();

  routes.get('/payments', (context) => {
    const page = Math.max(1, Math.trunc(Number(context.req.query('page'))) || 1);
    const invoices = mock.invoices.all();
    const invoicesOf = ({ referenceId, merchantId }: MockPayment) =>
      invoices.filter((invoice) => invoice.referenceId === referenceId && invoice.merchantId === merchantId);
    return context.html(paymentsPage(mock.payments.all().reverse(), invoicesOf, page));
  });

  routes.get('/contracts', (context) => {
    const numbers = mock.contracts().reverse().slice(0, listedContracts);
    return context.html(contractsPage(numbers.map((number) => mock.ledger(number))));
  });

  routes.get('/contracts/:contractNumber', (context) => {
    const contractNumber = context.req.param('contractNumber');
    if (!mock.contracts().includes(contractNumber)) {
      return context.html(missingPage('There is no contract with this number'), 404);
    }
    const isOfContract = (notification: { readonly contractNumber: string }) =>
      notification.contractNumber === contractNumber;
    return context.html(
      contractPage(
        mock.ledger(contractNumber),
        mock.receipts.all().filter(isOfContract),
        mock.allocations.all().filter(isOfContract),
      ),
    );
  });

  routes.get('/changes', () => eventResponse(changeStream(mock)));
  return routes;
}
