/**
 * A shop in a container of its own, as a test: it creates a payment at the mock in another container, the customer pays,
 * and the shop waits for the webhook. See compose.yaml.
 */
import { strict as assert } from 'node:assert';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { env } from 'node:process';
import { InstallmentClient } from 'installment-payments';
import { sampleInvoice, samplePaymentRequest } from 'installment-payments/mock';
import { connectMock } from 'installment-payments/mock/remote';
import { createWebhookHandler } from 'installment-payments/webhooks';

const remote = connectMock(env['INSTALLMENT_BASE_URL'] ?? '', { waitMs: 30_000 });
await remote.reset();

const server = createServer();
const paid = new Promise((resolve) => {
  const webhook = createWebhookHandler({ onEvent: resolve });
  server.on('request', (request, response) => void webhook.node(request, response));
});
await once(server.listen(Number(env['PORT'] ?? 3000)), 'listening');

const client = new InstallmentClient();
const { paymentUrl } = await client.initiatePayment(samplePaymentRequest({ referenceId: 'ORDER-1' }));
const page = await fetch(paymentUrl);
assert.equal(page.status, 200);
console.log(`page     ${paymentUrl}`);

await remote.settle('ORDER-1', 'paid');
console.log(`webhook  ${JSON.stringify(await paid)}`);

const { invoiceId = '' } = await client.uploadInvoice(sampleInvoice({ referenceId: 'ORDER-1' }));
console.log(`invoice  ${invoiceId}`);
server.close();
