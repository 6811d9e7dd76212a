import { Hono } from 'hono/tiny';
import type { Routes } from '../../controls/guard.js';
import type { MockControls } from '../../controls/mock-controls.js';
import { ContractPage, ContractsPage } from './contracts-page.js';
import { changeEvents } from './event-stream.js';
import { FindingsPage } from './findings-page.js';
import { formRoutes } from './form-routes.js';
import type { InspectorSetup } from './inspector-setup.js';
import { missing } from './layout.js';
import { PaymentDetailPage } from './payment-detail.js';
import { PaymentsPage } from './payments-page.js';
import { requestRoutes } from './request-routes.js';
import { StandingContext, standingOf } from './standing.js';
import { WebhookPage, WebhooksPage } from './webhooks-page.js';

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

/** The pages of everything but the requests. */
function stateRoutes(mock: MockControls): Routes {
  const routes: Routes = new Hono();

  routes.get('/payments', (context) =>
    context.render(<PaymentsPage mock={mock} query={context.req.query()} />),
  );
  routes.get('/payments/:token', (context) => {
    const payment = mock.payments.byToken(context.req.param('token'));
    return payment
      ? context.render(<PaymentDetailPage payment={payment} mock={mock} />)
      : missing(context, 'There is no such payment');
  });

  routes.get('/webhooks', (context) => context.render(<WebhooksPage mock={mock} />));
  routes.get('/webhooks/:id', (context) => {
    const delivery = mock.webhooks.get(context.req.param('id'));
    return delivery
      ? context.render(<WebhookPage delivery={delivery} />)
      : missing(context, 'There is no such webhook');
  });

  routes.get('/contracts', (context) => context.render(<ContractsPage mock={mock} />));
  routes.get('/contracts/:contractNumber', (context) => {
    const contractNumber = context.req.param('contractNumber');
    return mock.contracts().includes(contractNumber)
      ? context.render(<ContractPage contractNumber={contractNumber} mock={mock} />)
      : missing(context, 'There is no contract with this number');
  });

  routes.get('/findings', (context) => context.render(<FindingsPage mock={mock} />));
  routes.get('/standing', (context) => context.json(standingOf(mock)));
  routes.get('/changes', (context) => changeEvents(context, mock));
  return routes;
}
