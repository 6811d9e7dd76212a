/**
 * A webhook with Hono.
 *
 *   INSTALLMENT_SECRET_KEY=demo-secret npx tsx examples/webhooks/hono.ts
 */
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { webhook } from './handler.js';

const app = new Hono();
app.post('/webhooks/installments', ({ req }) => webhook.fetch(req.raw));

// The rest of the shop.
app.post('/orders', async (context) => context.json(await context.req.json<object>()));

export const server = serve({
  fetch: app.fetch,
  port: Number(process.env['PORT'] ?? 3000),
  overrideGlobalObjects: false,
});
