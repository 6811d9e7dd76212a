/**
 * A webhook with Express. It is mounted before express.json(), which would parse the body.
 *
 *   INSTALLMENT_SECRET_KEY=demo-secret npx tsx examples/webhooks/express.ts
 */
import express from 'express';
import { webhook } from './handler.js';

const app = express();
app.post('/webhooks/installments', webhook.node);

// The rest of the shop.
app.use(express.json());
app.post('/orders', (request, response) => void response.json(request.body));

export const server = app.listen(Number(process.env['PORT'] ?? 3000));
