/**
 * A webhook with Fastify. In a separate scope, a content type parser leaves the payload unread.
 *
 *   INSTALLMENT_SECRET_KEY=demo-secret npx tsx examples/webhooks/fastify.ts
 */
import Fastify from 'fastify';
import { webhook } from './handler.js';

const app = Fastify();
await app.register((scope, _options, done) => {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', (_request, _payload, parsed) => {
    parsed(null);
  });
  scope.post('/webhooks/installments', (request, reply) => {
    reply.hijack(); // the handler responds, not Fastify
    return webhook.node(request.raw, reply.raw);
  });
  done();
});

// The rest of the shop, with Fastify's own parsers.
app.post('/orders', (request) => request.body);

await app.listen({ port: Number(process.env['PORT'] ?? 3000) });
export const { server } = app;
