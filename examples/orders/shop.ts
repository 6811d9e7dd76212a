/**
 * A whole shop on Express and SQLite: one order, paid once, whatever the network, the customer and the processes do.
 *
 *   npx tsx examples/orders/shop.ts      then POST to /checkout?order=1, and open /orders/1
 *
 * It pays at INSTALLMENT_BASE_URL; without it, with a mock of its own. `rehearse` finds no error in it: see the README here.
 */
import express from 'express';
import Database from 'libsql'; // or better-sqlite3, which has the same methods
import { InstallmentClient } from 'installment-payments';
import { createOrderPayments } from 'installment-payments/orders';
import { createWebhookHandler } from 'installment-payments/webhooks';
import { mockWebhookEventSchema } from 'installment-payments/mock';
import { clientOptions, orderOf, sweepEveryMs } from './surroundings.js';

const database = new Database(process.env['SHOP_DATABASE'] ?? ':memory:');
const payments = createOrderPayments({
  client: new InstallmentClient(clientOptions),
  dialect: 'sqlite',
  query: (sql, values) => {
    const statement = database.prepare(sql);
    return Promise.resolve(statement.reader ? statement.all(values) : statement.run(values));
  },
  onPaid: ({ orderId }) => console.log(`ship ${orderId}`),
  repeatAfterMs: sweepEveryMs,
});
for (const statement of payments.schema) database.exec(statement);

const shop = express();

shop.post('/checkout', async (request, response) => {
  const orderId = request.query['order'] as string;
  const { state, paymentUrl, error } = await payments.start(orderId, orderOf(orderId));
  if (paymentUrl) response.redirect(303, paymentUrl);
  else response.status(state === 'refused' ? 422 : 202).json({ state, error });
});

// The signature is over the raw bytes, so no body parser comes before it.
const webhook = createWebhookHandler({
  schema: mockWebhookEventSchema, // in production, the schema of your own documents
  onEvent: async (event) => {
    await payments.handleEvent(event);
  },
});
shop.post('/webhooks/installments', webhook.node);

// Also where the customer comes back to. It tells what is known, and changes nothing.
shop.get('/orders/:id', async (request, response) => {
  const { id } = request.params;
  const order = await payments.get(id);
  // By the reference of a payment too: that of 1 is 1-1, then 1-2.
  response.json(order.state === 'none' ? await payments.get(id.replace(/-\d+$/, '')) : order);
});

setInterval(() => void payments.sweep().catch(console.error), sweepEveryMs);
shop.listen(Number(process.env['PORT'] ?? 3000), '127.0.0.1');
