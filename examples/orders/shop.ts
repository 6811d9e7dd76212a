/**
 * A whole shop on Express and SQLite: one order, paid once, whatever the network, the customer and the processes do.
 *
 *   npx tsx examples/orders/shop.ts      then POST to /checkout?order=1, and open /orders/1
 *
 * It calls the service at INSTALLMENT_BASE_URL. If this variable is not set, it starts a mock of the service.
 * `rehearse` finds no error in this shop: see the README in this folder.
 */
import express from 'express';
import Database from 'libsql'; // or better-sqlite3, which has the same methods
import { InstallmentClient } from 'installment-payments';
import { createOrderPayments, orderEventSchema } from 'installment-payments/orders';
import { createWebhookHandler } from 'installment-payments/webhooks';
import { clientOptions, paymentRequestOf, sweepEveryMs } from './surroundings.js';

const database = new Database(process.env['SHOP_DATABASE'] ?? ':memory:');
const payments = createOrderPayments({
  client: new InstallmentClient(clientOptions),
  dialect: 'sqlite',
  query: (sql, values) => {
    const statement = database.prepare(sql);
    return Promise.resolve(statement.reader ? statement.all(values) : statement.run(values));
  },
  // onPaid can run twice. `paidAmount` is the amount of the payment: the total of your order can have changed since.
  onPaid: ({ orderId, paidAmount }) => console.log(`ship ${orderId} for ${paidAmount.value}`),
  repeatAfterMs: sweepEveryMs,
});
for (const statement of payments.schema) database.exec(statement);

const shop = express();

shop.post('/checkout', async (request, response) => {
  const { order: orderId, units } = request.query as { order: string; units?: string };
  // `units` in the URL stands for a changed basket in a rehearsal. A real shop reads the amount from its order.
  // `open` is an open payment for an earlier basket. Do not send the customer to its link.
  const { state, paymentUrl, error, open } = await payments.start(
    orderId,
    paymentRequestOf(orderId, Number(units ?? 1)),
  );
  if (paymentUrl) response.redirect(303, paymentUrl);
  else response.status(state === 'refused' ? 422 : 202).json({ state, error, until: open?.until });
});

// The signature is over the raw bytes, so no body parser comes before it.
const webhook = createWebhookHandler({
  schema: orderEventSchema, // in production, the schema of your provider's documentation
  onEvent: async (event) => {
    await payments.handleEvent(event);
  },
});
shop.post('/webhooks/installments', webhook.node);

// The payment page sends the customer back to this page. It shows the state of the order, and changes nothing.
shop.get('/orders/:id', async (request, response) => {
  const { id } = request.params;
  // The URL can also contain the referenceId of a payment: 1-1, then 1-2.
  response.json((await payments.find(id)) ?? (await payments.get(id)));
});

setInterval(() => void payments.sweep().catch(console.error), sweepEveryMs);
shop.listen(Number(process.env['PORT'] ?? 3000), '127.0.0.1');
