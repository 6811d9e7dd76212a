import { Hono, type Context } from 'hono';
import type { MockService } from '../../types.js';
import type { RouteBindings, Routes } from '../../controls/guard.js';
import { requestStream } from './event-stream.js';
import { filtersOf, requestPage } from './filters.js';
import { missingPage } from './layout.js';
import { requestDetailPage } from './request-detail.js';
import { requestListPage, requestRows } from './request-list.js';

type PageContext = Context<{ Bindings: RouteBindings }>;

/** Scheme and host under which a page was asked for. */
export function originOf(context: PageContext): string {
  return new URL(context.req.url).origin;
}

/** Server-sent events as a response. */
export function eventResponse(stream: ReadableStream<Uint8Array>): Response {
  return new Response(stream, { headers: { 'content-type': 'text/event-stream' } });
}

/** The requests that reached a mock: the live list, and everything about each. */
export function requestRoutes(mock: MockService): Routes {
  const routes: Routes = new Hono();

  const stretch = (context: PageContext) => {
    const filters = filtersOf(context.req.query());
    const before = Number(context.req.query('before') ?? Infinity);
    return {
      filters,
      isOlder: Number.isFinite(before),
      page: requestPage(mock.journal.all(), filters, before),
    };
  };

  routes.get('/', (context) => {
    const { filters, isOlder, page } = stretch(context);
    return context.html(requestListPage(page, filters, { origin: originOf(context), isOlder }));
  });

  routes.get('/ui/rows', (context) => {
    const { filters, page } = stretch(context);
    return context.html(requestRows(page, filters, originOf(context)));
  });

  routes.get('/ui/events', (context) => eventResponse(requestStream(mock, filtersOf(context.req.query()))));

  routes.get('/ui/requests/:id', (context) => {
    const id = Number(context.req.param('id'));
    const entry = mock.journal.get(id);
    if (!entry) return context.html(missingPage('There is no request with this number'), 404);
    const beside = (other: number) => mock.journal.get(other)?.id;
    return context.html(
      requestDetailPage(entry, { origin: originOf(context), newer: beside(id + 1), older: beside(id - 1) }),
    );
  });

  return routes;
}
