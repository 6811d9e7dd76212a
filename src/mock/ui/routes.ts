import type { MiddlewareHandler } from 'hono';
import { Hono } from 'hono/tiny';
import openApi from '../../../openapi.json' with { type: 'json' };
import { controlRoutes } from '../controls/control-routes.js';
import type { Guard, RouteBindings, Routes } from '../controls/guard.js';
import type { Reply, IncomingRequest } from '../common/exchange.js';
import type { MockControls } from '../controls/mock-controls.js';
import { assetRoutes } from './assets/asset-routes.js';
import { inspectorRoutes } from './inspector/inspector-routes.js';
import type { InspectorSetup } from './inspector/inspector-setup.js';
import { paymentRoutes } from './payment-page/payment-routes.js';
import { noStore, pageHeaders } from './shared/page-headers.js';

const largestBody = 1024 * 1024;
const reads: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/** The mock's own pages and controls. */
export function createRoutes(mock: MockControls, setup: InspectorSetup, guard: Guard): Routes {
  const routes: Routes = new Hono();
  routes.use(noStore, pageHeaders(), refused, guard);
  routes.get('/', (context) => context.redirect('/_mock'));
  routes.route('/_mock/assets', assetRoutes());
  routes.route('/_mock', controlRoutes(mock, setup.whenAnnounced));
  routes.route('/_mock', inspectorRoutes(mock, setup));
  routes.route('/pay', paymentRoutes(mock, setup.now, setup.whenAnnounced));
  routes.get('/openapi.json', (context) => context.json(openApi));
  routes.notFound((context) => context.json({ error: 'Unknown page or control.' }, 404));
  return routes;
}

/** Serves a page or control. */
export async function servePage(routes: Routes, request: IncomingRequest): Promise<Reply> {
  const { method, boundHost, baseUrl } = request;
  const hasBody = !reads.has(method);
  const body = hasBody ? await request.readBody(largestBody) : undefined;
  const refusal = hasBody && !body ? tooLarge : method === 'TRACE' ? wrongMethod : undefined;
  // A Request cannot have the method TRACE.
  const page = refusal ? new Request(request.baseUrl) : publicly(request, body && Uint8Array.from(body));
  return { kind: 'page', response: await routes.fetch(page, { boundHost, baseUrl, refusal }) };
}

/** The request under the address that the pages name. */
function publicly(request: IncomingRequest, body: Uint8Array<ArrayBuffer> | undefined): Request {
  const { url, method, headers } = request.toRequest();
  const { pathname, search } = new URL(url);
  return new Request(new URL(pathname + search, request.baseUrl), { method, headers, ...(body && { body }) });
}

const tooLarge = { status: 413, error: 'The body is larger than 1 MiB.' } as const;
const wrongMethod = { status: 405, error: 'The method TRACE is not allowed.' } as const;

/** Answers a request that was refused before the routes, so that it gets their headers. */
const refused: MiddlewareHandler<{ Bindings: RouteBindings }> = async ({ env, json }, next) =>
  env.refusal ? json({ error: env.refusal.error }, env.refusal.status) : next();
