import type { Context } from 'hono';
import { streamSSE } from 'hono/streaming';
import { Hono } from 'hono/tiny';
import { toUrl } from '../../protocol/urls.js';
import { type RouteBindings, type Routes, assetRoutes } from '../../mock/ui/routes.js';
import type { ObservedMock } from '../../mock/observation.js';
import { scenarioName } from '../../mock/scenarios/resolve-scenario.js';
import { findingsOf } from '../findings/findings-of.js';
import { assets } from './assets/inspector-assets.js';
import { controlsPage } from './controls-page.js';
import { findingsPage } from './findings-page.js';
import { documentOf, failurePage, type Page, type Show } from './layout.js';
import { lenderPage } from './lender-page.js';
import { paymentPage, paymentsPage } from './payments-pages.js';
import { requestPage } from './request-page.js';
import { requestsPage } from './requests-page.js';

const missing = failurePage(
  404,
  'Not found',
  'The record was dropped for newer records, or the mock was reset.',
);

/** Creates the pages of the inspector at `/_mock` and `/_mock/ui`, and the redirects after their forms. */
export function inspectorRoutes(mock: ObservedMock): Routes {
  const routes: Routes = new Hono();
  const show: Show = (context, page) =>
    context.html(documentOf(page, scenarioName(mock.scenario())), page.status);

  // A browser sends a form to the controls. Then it is redirected to the page of the form, or gets a page that says
  // what was wrong.
  routes.post('/*', async (context, next) => {
    await next();
    if (!context.req.header('accept')?.includes('text/html')) return;
    const { error } = (await context.res.json()) as { readonly error?: string };
    const from = toUrl(context.req.header('referer') ?? '');
    context.res =
      error === undefined
        ? context.redirect(from?.pathname.startsWith('/_mock/') ? from.pathname + from.search : '/_mock', 303)
        : await show(context, failurePage(400, 'Not possible', error));
  });

  const pages: Readonly<Record<string, (context: Context<{ Bindings: RouteBindings }>) => Page>> = {
    '/': ({ req, env }) => requestsPage(req.query(), env.baseUrl, mock),
    '/ui/requests/:id': ({ req, env }) => {
      const entry = mock.journal.get(Number(req.param('id')));
      return entry ? requestPage(entry, mock, env.baseUrl, mock.wire) : missing;
    },
    '/ui/payments': ({ req }) => paymentsPage(req.query(), mock),
    '/ui/payments/:urlToken': ({ req }) => {
      const payment = mock.payments.byUrlToken(req.param('urlToken') ?? '');
      return payment ? paymentPage(payment, mock) : missing;
    },
    '/ui/findings': () => findingsPage(findingsOf(mock)),
    '/ui/lender': ({ req }) => lenderPage(req.query(), mock),
    '/ui/controls': () => controlsPage(mock),
  };
  for (const [path, pageOf] of Object.entries(pages))
    routes.get(path, (context) => show(context, pageOf(context)));

  routes.route('/assets', assetRoutes(assets));
  routes.get('/findings', (context) => context.json(findingsOf(mock)));
  routes.get('/ui/changes', (context) => changeEvents(context, mock));
  return routes;
}

const pauseMs = 50;

/** Sends a server-sent event after each change. Simultaneous changes share one event. */
function changeEvents(context: Context, mock: ObservedMock): Response {
  // For HEAD, Hono uses the route of GET. The client of a HEAD request would never read the stream.
  if (context.req.method === 'HEAD') return context.body(null, 200, { 'content-type': 'text/event-stream' });
  return streamSSE(context, async (stream) => {
    let notify: () => void = () => undefined;
    const nextChange = () => new Promise<void>((resolve) => (notify = resolve));
    let changed = nextChange();
    const unsubscribe = mock.subscribe(() => {
      notify();
    });
    stream.onAbort(() => {
      unsubscribe();
      notify();
    });
    await stream.write('retry: 1000\n\n');
    while (!stream.aborted) {
      await changed;
      await stream.sleep(pauseMs);
      changed = nextChange();
      await stream.writeSSE({ data: 'changed' });
    }
  });
}
