import { Hono } from 'hono';
import openApi from '../../openapi.json' with { type: 'json' };
import { controlRoutes } from './controls/control-routes.js';
import { guard, type Routes } from './controls/guard.js';
import type { Delivery, IncomingRequest } from './service/delivery.js';
import type { MockService } from './types.js';
import { assetRoutes } from './ui/assets/assets.js';
import { inspectorRoutes, type InspectorSetup } from './ui/inspector/inspector-routes.js';
import { paymentRoutes } from './ui/payment-page/payment-routes.js';
import { pageHeaders, withPageHeaders } from './ui/shared/page-headers.js';

const largestBody = 1024 * 1024;
const pagePaths = /^\/(?:openapi\.json$|(?:_mock|pay)(?:\/|$))/;
const reads: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/** True for a request to the mock's own pages and controls, false for one to the service. */
export function isPageRequest({ method, path }: IncomingRequest): boolean {
  return pagePaths.test(path) || (path === '/' && reads.has(method));
}

/** The mock's own pages and controls. */
export function createRoutes(mock: MockService, setup: InspectorSetup): Routes {
  const routes: Routes = new Hono();
  routes.use(withPageHeaders, guard);
  routes.get('/', (context) => context.redirect('/_mock'));
  routes.route('/_mock/assets', assetRoutes());
  routes.route('/_mock', controlRoutes(mock));
  routes.route('/_mock', inspectorRoutes(mock, setup));
  routes.route('/pay', paymentRoutes(mock, setup.now));
  routes.get('/openapi.json', (context) => context.json(openApi));
  routes.notFound((context) => context.json({ error: 'Unknown page or control.' }, 404));
  return routes;
}

/** Serves a page or control. */
export async function servePage(routes: Routes, request: IncomingRequest): Promise<Delivery> {
  const { method, boundHost } = request;
  const hasBody = !reads.has(method);
  const body = hasBody ? await request.readBody(largestBody) : undefined;
  if (hasBody && !body) return refusedPage(413, 'The body is larger than 1 MiB.');
  // A Request cannot have this method.
  if (method === 'TRACE') return refusedPage(405, 'The method TRACE is not allowed.');
  const page = request.toRequest(body && Uint8Array.from(body));
  return { kind: 'page', response: await routes.fetch(page, { boundHost }) };
}

function refusedPage(status: number, error: string): Delivery {
  return { kind: 'page', response: Response.json({ error }, { status, headers: pageHeaders() }) };
}
