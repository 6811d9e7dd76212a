/**
 * A shop with Hono, on Node: checkout, invoice, webhook and order page. On Bun, Deno and other runtimes, `export
 * default app` serves it.
 *
 *   npx tsx examples/hono.ts
 *   curl -i -X POST http://127.0.0.1:3000/checkout/ORDER-1
 *   curl -i -F invoice=@examples/invoice.pdf http://127.0.0.1:3000/invoices/ORDER-1-1
 */
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { checkout, orderPage, uploadInvoice } from './checkout.js';
import { shop } from './demo-shop.js';
import { webhook } from './webhooks/handler.js';

const app = new Hono();

app.post('/checkout/:reference', ({ req }) => checkout(shop, req.param('reference')));
app.post('/invoices/:reference', async ({ req }) => {
  const { invoice } = await req.parseBody();
  return invoice instanceof File
    ? uploadInvoice(shop, req.param('reference'), invoice)
    : Response.json({ error: 'NO_FILE' }, { status: 400 });
});
app.get('/orders/:reference', ({ req }) => orderPage(shop, req.param('reference')));
app.post('/webhooks/installments', ({ req }) => webhook.fetch(req.raw));

export const server = serve({
  fetch: app.fetch,
  port: Number(process.env['PORT'] ?? 3000),
  overrideGlobalObjects: false,
});
