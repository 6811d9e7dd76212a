import { Hono } from 'hono';
import { inspectorStyles } from '../inspector/inspector-styles.js';
import { paymentStyles } from '../payment-page/payment-styles.js';
import type { Routes } from '../../controls/guard.js';
import { baseStyles } from '../shared/base-styles.js';
import { scripts } from './scripts.js';

const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
<rect width="32" height="32" rx="8" fill="#0b5c53"/>
<path d="M8 20h16M8 14h10M8 26h6" transform="translate(0 -4)" stroke="#fff" stroke-width="3" stroke-linecap="round"/>
</svg>`;

const css = 'text/css; charset=utf-8';
const javascript = 'text/javascript; charset=utf-8';

const assets: Readonly<Record<string, { readonly type: string; readonly text: string }>> = {
  'icon.svg': { type: 'image/svg+xml', text: icon },
  'inspector.css': { type: css, text: baseStyles + inspectorStyles },
  'payment.css': { type: css, text: baseStyles + paymentStyles },
  ...Object.fromEntries(Object.entries(scripts).map(([name, text]) => [name, { type: javascript, text }])),
};

/** Styles, scripts and the icon: everything that the pages load. */
export function assetRoutes(): Routes {
  const routes: Routes = new Hono();
  routes.get('/:name', (context) => {
    const name = context.req.param('name');
    const asset = Object.hasOwn(assets, name) ? assets[name] : undefined;
    if (!asset) return context.notFound();
    return context.body(asset.text, 200, { 'content-type': asset.type });
  });
  return routes;
}
