import type { Context } from 'hono';
import { Hono } from 'hono/tiny';
import type { RouteBindings, Routes } from '../../controls/guard.js';
import type { MockControls } from '../../controls/mock-controls.js';
import type { JournalEntry } from '../../state/journal-types.js';
import { requestEvents } from './event-stream.js';
import { requestFiltersOf, requestPage } from './filters.js';
import { firstRequest } from './first-request.js';
import type { InspectorSetup } from './inspector-setup.js';
import { missing } from './layout.js';
import { RequestDetailPage } from './request-detail.js';
import { RequestListPage, RequestRows } from './request-list.js';

/** The payment that a merchant's request names. */
function paymentOf({ referenceId, merchantId }: JournalEntry, mock: MockControls) {
  return referenceId === undefined ? undefined : mock.payments.get(referenceId, merchantId);
}

/** The requests that reached a mock: the live list, and everything about each. */
export function requestRoutes(
  mock: MockControls,
  { clientOptions, journal, now, wire }: InspectorSetup,
): Routes {
  const routes: Routes = new Hono();

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

  routes.get('/', (context) => context.render(<RequestListPage {...rowsFor(context)} />));
  routes.get('/ui/rows', (context) => context.html(<RequestRows {...rowsFor(context)} />));
  routes.get('/ui/events', (context) => requestEvents(context, mock, requestFiltersOf(context.req.query())));

  routes.get('/ui/requests/:id', (context) => {
    const id = Number(context.req.param('id'));
    const entry = journal.get(id);
    if (!entry) return missing(context, 'There is no request with this number');
    const [newer, older] = [id + 1, id - 1].map((neighbour) => journal.get(neighbour)?.id);
    const payment = paymentOf(entry, mock);
    const origin = context.env.baseUrl;
    return context.render(<RequestDetailPage {...{ entry, payment, origin, wire, newer, older }} />);
  });

  routes.post('/ui/clear', (context) => {
    journal.clear();
    return context.redirect('/_mock', 303);
  });

  return routes;
}
