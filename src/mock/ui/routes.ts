import { extname } from 'node:path';
import { Hono } from 'hono/tiny';

/** The facts of a request that only the server has. */
export interface RouteBindings {
  /** The URL that the pages show: `publicUrl`, or the URL at which the mock was reached. */
  readonly baseUrl: string;
  /** The host on which the server listens; undefined without a socket. */
  readonly boundHost?: string | undefined;
}

/** The routes of the mock's own pages and controls. */
export type Routes = Hono<{ Bindings: RouteBindings }>;

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Creates the routes of the styles, scripts and icons that pages load, by name. */
export function assetRoutes(assets: Readonly<Record<string, string>>): Routes {
  const routes: Routes = new Hono();
  for (const [name, text] of Object.entries(assets)) {
    const type = types[extname(name)] ?? 'application/octet-stream';
    routes.get(`/${name}`, (context) => context.body(text, 200, { 'content-type': type }));
  }
  return routes;
}
