/**
 * A shop with Fastify, which can send a Response: checkout, invoice, webhook and order page.
 *
 *   npx tsx examples/fastify.ts
 *   curl -i -X POST http://127.0.0.1:3000/checkout/ORDER-1
 *   curl -i -T examples/invoice.pdf -H 'Content-Type: application/pdf' http://127.0.0.1:3000/invoices/ORDER-1-1
 */
import type { Readable } from 'node:stream';
import Fastify from 'fastify';
import { checkout, orderPage, uploadInvoice } from './checkout.js';
import { shop } from './demo-shop.js';
import { webhook } from './webhooks/handler.js';

const app = Fastify();

// A file is passed on as a stream. It is read only up to the size that the service accepts. The webhook verifies the
// bytes of its JSON, so those are not parsed either.
const unread = ['application/pdf', 'image/png', 'image/jpeg', 'application/json'];
app.addContentTypeParser(unread, (_request, payload, parsed) => {
  parsed(null, payload);
});

interface OfOrder {
  Params: { reference: string };
}

app.post<OfOrder>('/checkout/:reference', ({ params }) => checkout(shop, params.reference));
app.put<OfOrder & { Body: Readable }>('/invoices/:reference', ({ params, body }) =>
  uploadInvoice(shop, params.reference, body),
);
app.get<OfOrder>('/orders/:reference', ({ params }) => orderPage(shop, params.reference));
app.post('/webhooks/installments', (request, reply) => {
  reply.hijack(); // the handler responds, not Fastify
  return webhook.node(request.raw, reply.raw);
});

await app.listen({ port: Number(process.env['PORT'] ?? 3000) });
export const { server } = app;
