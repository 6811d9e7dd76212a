import type { Context } from 'hono';
import { Hono } from 'hono/tiny';
import type { RouteBindings, Routes } from '../../controls/guard.js';
import type { MockControls } from '../../controls/mock-controls.js';
import { worldName } from '../../worlds/resolve-world.js';
import { contractPage, contractsPage } from './contracts-page.js';
import { changeEvents } from './event-stream.js';
import { requestFiltersOf } from './filters.js';
import { findingsPage } from './findings-page.js';
import { formRoutes } from './form-routes.js';
import type { InspectorSetup } from './inspector-setup.js';
import { documentOf, missing, type Page } from './layout.js';
import { paymentDetailPage } from './payment-detail.js';
import { paymentsPage } from './payments-page.js';
import { requestDetailPage } from './request-detail.js';
import { requestListPage, requestRows, requestsOf } from './request-list.js';
import { webhookPage, webhooksPage } from './webhooks-page.js';

type Asked = Context<{ Bindings: RouteBindings }>;

/** The pages that show what a mock has, and the forms that control it: `/_mock` itself, and `/_mock/ui` below it. */
export function inspectorRoutes(mock: MockControls, setup: InspectorSetup): Routes {
  const routes: Routes = new Hono();
  const standing = () => ({ world: worldName(mock.world()), findings: String(mock.findings().length || '') });
  const show = (context: Context, page: Page) => context.html(documentOf(page, standing()), page.status);
  const requests = ({ req, env }: Asked) => requestsOf(req.query(), env.baseUrl, setup);

  routes.get('/', (context) => show(context, requestListPage(requests(context))));
  routes.get('/ui/rows', (context) => context.html(requestRows(requests(context))));
  routes.get('/ui/payments', (context) => show(context, paymentsPage(mock, context.req.query())));
  routes.get('/ui/webhooks', (context) => show(context, webhooksPage(mock)));
  routes.get('/ui/contracts', (context) => show(context, contractsPage(mock)));
  routes.get('/ui/findings', (context) => show(context, findingsPage(mock)));

  const records: Readonly<Record<string, (id: string, context: Asked) => Page>> = {
    requests(id, { env }) {
      const entry = mock.journal.get(Number(id));
      if (!entry) return missing('There is no request with this number');
      return requestDetailPage(entry, mock, setup.wire, env.baseUrl);
    },
    payments(id) {
      const payment = mock.payments.byToken(id);
      return payment ? paymentDetailPage(payment, mock) : missing('There is no such payment');
    },
    webhooks(id) {
      const delivery = mock.webhooks.get(id);
      return delivery ? webhookPage(delivery) : missing('There is no such webhook');
    },
    contracts(id) {
      if (!mock.contracts().includes(id)) return missing('There is no contract with this number');
      return contractPage(id, mock);
    },
  };
  for (const [kind, pageOf] of Object.entries(records))
    routes.get(`/ui/${kind}/:id`, (context) => show(context, pageOf(context.req.param('id'), context)));

  routes.get('/ui/standing', (context) => context.json(standing()));
  routes.get('/ui/changes', (context) => changeEvents(context, mock));
  routes.get('/ui/events', (context) => changeEvents(context, mock, requestFiltersOf(context.req.query())));
  routes.route('/ui', formRoutes(mock, setup, show));
  return routes;
}
