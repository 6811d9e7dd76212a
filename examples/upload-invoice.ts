/**
 * An invoice for a paid order, from each kind of source in a backend, with progress.
 *
 *   npx tsx examples/upload-invoice.ts
 */
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { InstallmentClient, LimitExceededError, type InvoiceFileInput } from 'installment-payments';
import { createMockService, samplePaymentRequest } from 'installment-payments/mock';

// Prerequisites: a service, and an order that was paid.
const mock = createMockService();
const client = new InstallmentClient(mock.clientOptions());
const referenceId = 'ORDER-1';
await client.initiatePayment(samplePaymentRequest({ referenceId }));
mock.settle(referenceId, 'paid');

// The flow.
const pdf = new URL('invoice.pdf', import.meta.url);
const sources: Record<string, InvoiceFileInput> = {
  'a path': { path: pdf },
  'bytes, with a name': { data: await readFile(pdf), filename: 'hóa-đơn.pdf' },
  'a stream, with a name': { data: createReadStream(pdf), filename: 'invoice.pdf' },
};
for (const [kind, file] of Object.entries(sources)) {
  const invoice = await client.uploadInvoice(
    { referenceId, invoiceNumber: 'INV-2026-0001', invoiceDate: new Date(), file },
    {
      onUploadProgress: ({ transferredBytes, totalBytes }) =>
        console.log(`  ${transferredBytes} of ${totalBytes} bytes`),
    },
  );
  console.log(`${kind}: ${invoice.invoiceId ?? ''}`);
}

// The fourth invoice is refused: a referenceId accepts three.
try {
  await client.uploadInvoice({ referenceId, file: { path: pdf } });
} catch (error) {
  if (!(error instanceof LimitExceededError)) throw error;
  console.log(`refused: ${error.action}`);
}
