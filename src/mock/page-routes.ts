import { Hono } from 'hono/tiny';
import openApi from '../../openapi.json' with { type: 'json' };
import { controlRoutes } from './controls/control-routes.js';
import type { Guard } from './controls/guard.js';
import { type Routes, assetRoutes } from './ui/routes.js';
import type { Reply, IncomingRequest } from './common/exchange.js';
import type { MockControls } from './controls/mock-controls.js';
import type { MockContext } from './service/mock-context.js';
import { assets } from './payment-page/assets/payment-assets.js';
import { paymentRoutes } from './payment-page/payment-routes.js';
import { noStore, pageHeaders } from './ui/page-headers.js';

const largestBody = 1024 * 1024;
const reads: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/** Creates the routes of the mock's own pages and controls. */
export function createRoutes(mock: MockControls & MockContext, guard: Guard, inspector: Routes): Routes {
  const routes: Routes = new Hono();
  routes.use(noStore, pageHeaders(), guard);
  routes.get('/', (context) => context.redirect('/_mock'));
  routes.route('/_mock/assets', assetRoutes(assets));
  // The inspector comes before the controls, because it responds to its own forms.
  routes.route('/_mock', inspector);
  routes.route('/_mock', controlRoutes(mock));
  routes.route('/pay', paymentRoutes(mock));
  routes.get('/openapi.json', (context) => context.json(openApi));
  routes.notFound((context) => context.json({ error: 'Unknown page or control.' }, 404));
  return routes;
}

/** Serves a page or control, at the address that the pages show. */
export async function servePage(routes: Routes, request: IncomingRequest): Promise<Reply> {
  const { method, boundHost, baseUrl } = request;
  // A Request cannot have this method.
  if (method === 'TRACE') return refused(405, 'The method TRACE is not allowed.');
  const body = reads.has(method) ? Buffer.alloc(0) : await request.readBody(largestBody);
  if (!body) return refused(413, 'The body is larger than 1 MiB.');
  const page = request.toRequest(body.length > 0 ? Uint8Array.from(body) : undefined, baseUrl);
  return { kind: 'page', response: await routes.fetch(page, { boundHost, baseUrl }) };
}

const refused = (status: number, error: string): Reply => ({
  kind: 'page',
  response: Response.json({ error }, { status }),
});
