import type { Context } from 'hono';
import { Hono } from 'hono/tiny';
import type { RouteBindings, Routes } from '../../controls/guard.js';
import type { MockControls } from '../../controls/mock-controls.js';
import { worldName } from '../../worlds/resolve-world.js';
import { contractPage, contractsPage } from './contracts-page.js';
import { changeEvents } from './event-stream.js';
import { requestFiltersOf, requestPage } from './filters.js';
import { findingsPage } from './findings-page.js';
import { firstRequest } from './first-request.js';
import { formRoutes } from './form-routes.js';
import type { InspectorSetup } from './inspector-setup.js';
import { missing, StandingContext } from './layout.js';
import { paymentDetailPage } from './payment-detail.js';
import { paymentsPage } from './payments-page.js';
import { requestDetailPage } from './request-detail.js';
import { requestListPage, requestRows } from './request-list.js';
import { webhookPage, webhooksPage } from './webhooks-page.js';

/** The pages that show what a mock has, and the forms that control it: `/_mock` itself, and `/_mock/ui` below it. */
export function inspectorRoutes(mock: MockControls, setup: InspectorSetup): Routes {
  const { clientOptions, journal, now, wire } = setup;
  const routes: Routes = new Hono();
  const standing = () => ({ world: worldName(mock.world()), findings: String(mock.findings().length || '') });
  routes.use(async (context, next) => {
    context.setRenderer((page) =>
      context.html(<StandingContext.Provider value={standing()}>{page}</StandingContext.Provider>),
    );
    await next();
  });

  const rowsFor = (context: Context<{ Bindings: RouteBindings }>) => {
    const filters = requestFiltersOf(context.req.query());
    const before = Number(context.req.query('before') ?? Infinity);
    const origin = context.env.baseUrl;
    return {
      filters,
      page: requestPage(journal.all(), filters, before),
      origin,
      curl: firstRequest(origin, clientOptions(), now()),
      isOlder: Number.isFinite(before),
    };
  };
  routes.get('/', (context) => context.render(requestListPage(rowsFor(context))));
  routes.get('/ui/rows', (context) => context.html(requestRows(rowsFor(context))));
  routes.get('/ui/payments', (context) => context.render(paymentsPage(mock, context.req.query())));
  routes.get('/ui/webhooks', (context) => context.render(webhooksPage(mock)));
  routes.get('/ui/contracts', (context) => context.render(contractsPage(mock)));
  routes.get('/ui/findings', (context) => context.render(findingsPage(mock)));

  routes.get('/ui/requests/:id', (context) => {
    const id = Number(context.req.param('id'));
    const entry = journal.get(id);
    if (!entry) return missing(context, 'There is no request with this number');
    const { referenceId, merchantId } = entry;
    const payment = referenceId === undefined ? undefined : mock.payments.get(referenceId, merchantId);
    const [newer, older] = [id + 1, id - 1].map((neighbour) => journal.get(neighbour)?.id);
    const origin = context.env.baseUrl;
    return context.render(requestDetailPage({ entry, payment, origin, wire, newer, older }));
  });
  routes.get('/ui/payments/:token', (context) => {
    const payment = mock.payments.byToken(context.req.param('token'));
    if (!payment) return missing(context, 'There is no such payment');
    return context.render(paymentDetailPage(payment, mock));
  });
  routes.get('/ui/webhooks/:id', (context) => {
    const delivery = mock.webhooks.get(context.req.param('id'));
    if (!delivery) return missing(context, 'There is no such webhook');
    return context.render(webhookPage(delivery));
  });
  routes.get('/ui/contracts/:number', (context) => {
    const number = context.req.param('number');
    if (!mock.contracts().includes(number)) return missing(context, 'There is no contract with this number');
    return context.render(contractPage(number, mock));
  });

  routes.get('/ui/standing', (context) => context.json(standing()));
  routes.get('/ui/changes', (context) => changeEvents(context, mock));
  routes.get('/ui/events', (context) => changeEvents(context, mock, requestFiltersOf(context.req.query())));
  routes.route('/ui', formRoutes(mock, setup));
  return routes;
}
