// Runs in each runtime as CommonJS, where the quickstart is ESM: a payment, its invoice and a refusal.
import { readFileSync } from 'node:fs';
import { InstallmentClient, isInstallmentError, type PaymentRequest } from 'installment-payments';
import { createMockService, DEMO_MERCHANT } from 'installment-payments/mock';

async function main(): Promise<void> {
  const { storeIds, ...credentials } = DEMO_MERCHANT;
  const mock = createMockService();
  const server = await mock.listen();
  const client = new InstallmentClient({
    ...credentials,
    baseUrl: server.url,
    storeId: storeIds[0],
    platformId: 'WEBSHOP',
  });
  const order = JSON.parse(readFileSync('order.json', 'utf8')) as PaymentRequest;
  const { resultStatus } = await client.initiatePayment(order);
  mock.settle(order.referenceId, 'paid');
  const { invoiceId } = await client.uploadInvoice({
    referenceId: order.referenceId,
    file: { path: 'invoice.pdf' },
  });
  const refusal: unknown = await client
    .initiatePayment({ ...order, description: 'another' })
    .catch((error: unknown) => error);
  console.log(resultStatus, invoiceId, isInstallmentError(refusal) ? refusal.code : refusal);
  await server.close();
}

void main();
