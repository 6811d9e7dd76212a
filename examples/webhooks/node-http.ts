/**
 * A webhook with node:http.
 *
 *   INSTALLMENT_SECRET_KEY=demo-secret npx tsx examples/webhooks/node-http.ts
 */
import { createServer } from 'node:http';
import { webhook } from './handler.js';

export const server = createServer((request, response) => {
  if (request.url === '/webhooks/installments') void webhook.node(request, response);
  else response.writeHead(404).end();
}).listen(Number(process.env['PORT'] ?? 3000));
