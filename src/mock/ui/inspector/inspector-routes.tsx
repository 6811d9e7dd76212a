import { Hono } from 'hono/tiny';
import type { Routes } from '../../controls/guard.js';
import type { MockInvoice } from '../../state/invoices.js';
import type { MockPayment } from '../../state/payments.js';
import type { MockControls } from '../../controls/mock-controls.js';
import { ContractPage, ContractsPage, listedContracts } from './contracts-page.js';
import { changeEvents } from './event-stream.js';
import { FindingsPage } from './findings-page.js';
import { formRoutes } from './form-routes.js';
import type { InspectorSetup } from './inspector-setup.js';
import { missing } from './layout.js';
import { PaymentDetailPage } from './payment-detail.js';
import { isPaymentShown, paymentFiltersOf } from './payment-filters.js';
import { PaymentsPage } from './payments-page.js';
import { requestRoutes } from './request-routes.js';
import { StandingContext, standingOf } from './standing.js';
import { listedWebhooks, WebhookPage, WebhooksPage } from './webhooks-page.js';

/** The pages that show what a mock has, and the forms that control it: `/_mock` itself, and `/_mock/ui` below it. */
export function inspectorRoutes(mock: MockControls, setup: InspectorSetup): Routes {
  const routes: Routes = new Hono();
  routes.use(async (context, next) => {
    context.setRenderer((page) =>
      context.html(<StandingContext.Provider value={standingOf(mock)}>{page}</StandingContext.Provider>),
    );
    await next();
  });
  routes.route('/', requestRoutes(mock, setup));
  routes.route('/ui', stateRoutes(mock));
  routes.route('/ui', formRoutes(mock, setup));
  return routes;
}

/** Looks up the invoices of each payment among those that there are now. */
function invoicesOf(mock: MockControls): (payment: MockPayment) => readonly MockInvoice[] {
  const invoices = mock.invoices.all();
  return ({ referenceId, merchantId }) =>
    invoices.filter((invoice) => invoice.referenceId === referenceId && invoice.merchantId === merchantId);
}

/** Payments and contracts. */
function stateRoutes(mock: MockControls): Routes {
  const routes: Routes = new Hono();

  routes.get('/payments', (context) => {
    const page = Math.max(1, Math.trunc(Number(context.req.query('page'))) || 1);
    const filters = paymentFiltersOf(context.req.query());
    const payments = mock.payments.all().filter((payment) => isPaymentShown(payment, filters));
    return context.render(
      <PaymentsPage
        payments={payments.reverse()}
        filters={filters}
        invoicesOf={invoicesOf(mock)}
        page={page}
      />,
    );
  });

  routes.get('/payments/:token', (context) => {
    const payment = mock.payments.byToken(context.req.param('token'));
    if (!payment) return missing(context, 'There is no such payment');
    const { referenceId, merchantId } = payment;
    return context.render(
      <PaymentDetailPage
        payment={payment}
        invoices={invoicesOf(mock)(payment)}
        deliveries={mock.webhooks
          .all()
          .filter((delivery) => delivery.referenceId === referenceId && delivery.merchantId === merchantId)}
      />,
    );
  });

  routes.get('/webhooks', (context) => {
    const deliveries = mock.webhooks.all().reverse().slice(0, listedWebhooks);
    return context.render(<WebhooksPage deliveries={deliveries} />);
  });

  routes.get('/webhooks/:id', (context) => {
    const delivery = mock.webhooks.get(context.req.param('id'));
    return delivery
      ? context.render(<WebhookPage delivery={delivery} />)
      : missing(context, 'There is no such webhook');
  });

  routes.get('/contracts', (context) => {
    const numbers = mock.contracts().reverse().slice(0, listedContracts);
    return context.render(<ContractsPage ledgers={numbers.map((number) => mock.ledger(number))} />);
  });

  routes.get('/contracts/:contractNumber', (context) => {
    const contractNumber = context.req.param('contractNumber');
    if (!mock.contracts().includes(contractNumber)) {
      return missing(context, 'There is no contract with this number');
    }
    const isOfContract = (notification: { readonly contractNumber: string }) =>
      notification.contractNumber === contractNumber;
    return context.render(
      <ContractPage
        ledger={mock.ledger(contractNumber)}
        receipts={mock.receipts.all().filter(isOfContract)}
        allocations={mock.allocations.all().filter(isOfContract)}
      />,
    );
  });

  routes.get('/findings', (context) =>
    context.render(<FindingsPage findings={mock.findings()} world={mock.world()} />),
  );
  routes.get('/standing', (context) => context.json(standingOf(mock)));
  routes.get('/changes', (context) => changeEvents(context, mock));
  return routes;
}
