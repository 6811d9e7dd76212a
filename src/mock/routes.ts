import { Hono } from 'hono/tiny';
import openApi from '../../openapi.json' with { type: 'json' };
import type { Delivery, Incoming } from './service/delivery.js';
import { controlRoutes } from './controls/control-routes.js';
import { guard } from './controls/guard.js';
import { inspectorRoutes, type InspectorSetup } from './ui/inspector/inspector-routes.js';
import type { MockService } from './types.js';
import { assetRoutes } from './ui/assets/asset-routes.js';
import { noStore, pageHeaders } from './ui/shared/page-headers.js';
import { paymentRoutes } from './ui/payment-page/payment-routes.js';
import type { Routes } from './controls/route-types.js';

/** Bytes that the body of a control may have. */
const controlLimit = 1024 * 1024;

const pagePaths = /^\/(?:openapi\.json$|(?:_mock|pay)(?:\/|$))/;

/** True for a path that belongs to the mock itself and not to the service that it stands in for. */
export function isPagePath(path: string): boolean {
  return pagePaths.test(path);
}

/** The mock's own pages and controls. */
export function createRoutes(mock: MockService, setup: InspectorSetup): Routes {
  const routes: Routes = new Hono();
  routes.use(guard, noStore, pageHeaders());
  routes.route('/_mock/assets', assetRoutes());
  routes.route('/_mock', controlRoutes(mock));
  routes.route('/_mock', inspectorRoutes(mock, setup));
  routes.route('/pay', paymentRoutes(mock, setup.now));
  routes.get('/openapi.json', (context) => context.json(openApi));
  routes.notFound((context) => context.json({ error: 'There is no such page or control.' }, 404));
  return routes;
}

/** Serves a page or control. */
export async function servePage(routes: Routes, incoming: Incoming): Promise<Delivery> {
  const { method, boundHost } = incoming;
  const bodiless = method === 'GET' || method === 'HEAD';
  const body = bodiless ? undefined : await incoming.readBody(controlLimit);
  if (!bodiless && !body) return refusedPage(413, 'The body is larger than 1 MiB.');
  if (method === 'TRACE') return refusedPage(405, 'There is nothing to trace.');
  const request = incoming.toRequest(body && Uint8Array.from(body));
  return { kind: 'response', response: await routes.fetch(request, { boundHost }) };
}

function refusedPage(status: number, error: string): Delivery {
  return { kind: 'response', response: Response.json({ error }, { status }) };
}
