import type { Context } from 'hono';
import { Hono } from 'hono/tiny';
import type { Routes } from '../../controls/guard.js';
import type { MockService } from '../../types.js';
import { requestEvents } from './event-stream.js';
import { filtersOf, requestPage } from './filters.js';
import { MissingPage } from './layout.js';
import { RequestDetailPage } from './request-detail.js';
import { RequestListPage, RequestRows } from './request-list.js';

/** Scheme and host under which a page was asked for. */
export function originOf(context: Context): string {
  return new URL(context.req.url).origin;
}

/** The requests that reached a mock: the live list, and everything about each. */
export function requestRoutes(mock: MockService): Routes {
  const routes: Routes = new Hono();

  const rowsFor = (context: Context) => {
    const filters = filtersOf(context.req.query());
    const before = Number(context.req.query('before') ?? Infinity);
    return {
      filters,
      page: requestPage(mock.journal.all(), filters, before),
      origin: originOf(context),
      isOlder: Number.isFinite(before),
    };
  };

  routes.get('/', (context) => context.html(<RequestListPage {...rowsFor(context)} />));
  routes.get('/ui/rows', (context) => context.html(<RequestRows {...rowsFor(context)} />));
  routes.get('/ui/events', (context) => requestEvents(context, mock, filtersOf(context.req.query())));

  routes.get('/ui/requests/:id', (context) => {
    const id = Number(context.req.param('id'));
    const entry = mock.journal.get(id);
    if (!entry) return context.html(<MissingPage what="There is no request with this number" />, 404);
    const [newer, older] = [id + 1, id - 1].map((neighbour) => mock.journal.get(neighbour)?.id);
    return context.html(
      <RequestDetailPage entry={entry} origin={originOf(context)} newer={newer} older={older} />,
    );
  });

  return routes;
}
