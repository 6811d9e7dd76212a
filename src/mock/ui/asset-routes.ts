import { Hono } from 'hono/tiny';
import { extname } from 'node:path';
import type { Routes } from './routes.js';

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Styles, scripts and icons that pages load, by name. */
export function assetRoutes(assets: Readonly<Record<string, string>>): Routes {
  const routes: Routes = new Hono();
  for (const [name, text] of Object.entries(assets)) {
    const type = types[extname(name)] ?? 'application/octet-stream';
    routes.get(`/${name}`, (context) => context.body(text, 200, { 'content-type': type }));
  }
  return routes;
}
