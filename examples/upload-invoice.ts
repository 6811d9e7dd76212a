/**
 * An invoice for an order that is paid, from each kind of source a backend has, with progress.
 *
 *   npx tsx examples/upload-invoice.ts
 */
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import {
  InstallmentClient,
  LimitExceededError,
  type InvoiceFileInput,
  type PaymentRequest,
} from 'installment-payments';
import { createMockService, DEMO_MERCHANT } from 'installment-payments/mock';

// Prerequisites: a service, and an order that was paid.
const mock = createMockService();
const { clientId, secretKey, merchantId, storeIds } = DEMO_MERCHANT;
const client = new InstallmentClient({
  baseUrl: 'https://sandbox.example',
  clientId,
  secretKey,
  merchantId,
  storeId: storeIds[0],
  platformId: 'WEBSHOP',
  fetch: mock.fetch,
});
const folder = new URL('.', import.meta.url);
const order = JSON.parse(await readFile(new URL('order.json', folder), 'utf8')) as PaymentRequest;
await client.initiatePayment(order);
mock.settle(order.referenceId, 'paid');

// The flow.
const pdf = new URL('invoice.pdf', folder);
const sources: Record<string, InvoiceFileInput> = {
  'a path': { path: pdf },
  'bytes, with a name': { data: await readFile(pdf), filename: 'hoá-đơn.pdf' },
  'a stream, with a name': { data: createReadStream(pdf), filename: 'invoice.pdf' },
};
for (const [kind, file] of Object.entries(sources)) {
  const invoice = await client.uploadInvoice(
    { referenceId: order.referenceId, invoiceNumber: 'INV-2026-0001', invoiceDate: new Date(), file },
    {
      onUploadProgress: ({ transferredBytes, totalBytes }) =>
        console.log(`  ${transferredBytes} of ${totalBytes} bytes`),
    },
  );
  console.log(`${kind}: ${invoice.invoiceId ?? ''}`);
}

// The fourth one is refused: an order holds three.
try {
  await client.uploadInvoice({ referenceId: order.referenceId, file: { path: pdf } });
} catch (error) {
  if (!(error instanceof LimitExceededError)) throw error;
  console.log(`refused: ${error.action}`);
}
