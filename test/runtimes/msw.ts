// Runs with MSW 3, which needs Node 22: the shop's own client, its order and its invoice, intercepted for the mock.
import { readFileSync } from 'node:fs';
import { InstallmentClient, isInstallmentError, type PaymentRequest } from 'installment-payments';
import { createMockService, DEMO_MERCHANT } from 'installment-payments/mock';
import { mswHandlers } from 'installment-payments/mock/msw';
import { setupServer } from 'msw/node';

const { storeIds, ...credentials } = DEMO_MERCHANT;
const mock = createMockService();
const server = setupServer(...mswHandlers(mock, 'https://sandbox.example/gateway'));
const client = new InstallmentClient({
  ...credentials,
  baseUrl: 'https://sandbox.example/gateway',
  storeId: storeIds[0],
  platformId: 'WEBSHOP',
});
const order = JSON.parse(readFileSync('order.json', 'utf8')) as PaymentRequest;

server.listen();
mock.injectFault('initiatePayment', 'connection-reset', { phase: 'after' });
const payment = await client.initiatePayment(order);
mock.settle(order.referenceId, 'paid');
await client.uploadInvoice({ referenceId: order.referenceId, file: { path: 'invoice.pdf' } });
const refused: unknown = await client
  .initiatePayment({ ...order, description: 'another' })
  .catch((e: unknown) => e);
server.close();

console.log(
  `attempts ${String(payment.$metadata.attempts.length)}`,
  `payments ${String(mock.payments.all().length)}`,
  `invoice ${String(mock.invoices.all()[0]?.file?.size)} bytes`,
  isInstallmentError(refused) ? refused.code : refused,
);
