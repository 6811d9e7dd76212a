/**
 * The checkout with Fastify, which can send a Response.
 *
 *   npx tsx examples/fastify.ts
 *   curl -i -X POST http://127.0.0.1:3000/checkout/ORDER-1
 *   curl -i -T examples/invoice.pdf -H 'Content-Type: application/pdf' http://127.0.0.1:3000/invoices/ORDER-1
 */
import type { Readable } from 'node:stream';
import Fastify from 'fastify';
import { checkout, uploadInvoice } from './checkout.js';
import { shop } from './demo-shop.js';

const app = Fastify();

// A file is handed over as a stream. It is read no further than the size that the service accepts.
app.addContentTypeParser(['application/pdf', 'image/png', 'image/jpeg'], (_request, payload, parsed) => {
  parsed(null, payload);
});

interface OfOrder {
  Params: { reference: string };
}

app.post<OfOrder>('/checkout/:reference', ({ params }) => checkout(shop, params.reference));
app.put<OfOrder & { Body: Readable }>('/invoices/:reference', ({ params, body }) =>
  uploadInvoice(shop, params.reference, body),
);

await app.listen({ port: Number(process.env['PORT'] ?? 3000) });
export const { server } = app;
