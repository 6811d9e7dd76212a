/**
 * A test shop in its own container. It starts a payment at the mock in another container, the customer pays,
 * and the shop gets the webhook and uploads the invoice. See compose.yaml.
 */
import { strict as assert } from 'node:assert';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { env } from 'node:process';
import Database from 'libsql';
import { InstallmentClient } from 'installment-payments';
import { mockWebhookEventSchema, samplePaymentRequest } from 'installment-payments/mock';
import { connectMock } from 'installment-payments/mock/remote';
import { createOrderPayments, type OrderView } from 'installment-payments/orders';
import { createWebhookHandler } from 'installment-payments/webhooks';

const remote = connectMock(env['INSTALLMENT_BASE_URL'] ?? '', { waitMs: 30_000 });
await remote.reset();

const database = new Database(':memory:');
const told: OrderView[] = [];
const payments = createOrderPayments({
  client: new InstallmentClient(),
  dialect: 'sqlite',
  query: (sql, values) => {
    const statement = database.prepare(sql);
    return Promise.resolve(statement.reader ? statement.all(values) : statement.run(values));
  },
  onPaid: (order) => told.push(order),
});
for (const statement of payments.schema) database.exec(statement);

const webhook = createWebhookHandler({
  schema: mockWebhookEventSchema,
  onEvent: async (event) => {
    await payments.handleEvent(event);
  },
});
const server = createServer((request, response) => void webhook.node(request, response));
await once(server.listen(Number(env['PORT'] ?? 3000)), 'listening');

const { referenceId: _referenceId, ...request } = samplePaymentRequest({ transExpiredTime: 900_000 });
const { paymentUrl = '' } = await payments.start('ORDER-1', request);
assert.equal((await fetch(paymentUrl)).status, 200);
console.log(`page     ${paymentUrl}`);

await remote.settle('ORDER-1-1', 'paid');
while (told.length === 0) await new Promise((resolve) => setTimeout(resolve, 50));
console.log(`paid     ${JSON.stringify(told)}`);

await payments.addInvoice('ORDER-1', { fileUrl: 'https://shop.example/invoices/1.pdf' });
await payments.sweep();
const [invoice] = await remote.invoices.all();
console.log(`invoice  ${invoice?.invoiceId ?? 'none'}`);
server.close();
