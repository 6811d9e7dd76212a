// Mistake: the upload is repeated after any error, also where the service may have stored the file.
import { InstallmentClient } from 'installment-payments';
import { invoiceOf, newOrder, newReference, settle } from '../backend.js';

const client = new InstallmentClient();

for (let count = 0; count < 3; count++) {
  const reference = newReference();
  const payment = await client.initiatePayment(newOrder(reference)).catch(console.error);
  if (!payment) continue;
  await settle(reference, 'paid');
  for (let attempt = 1; attempt <= 3; attempt++) {
    const invoice = await client.uploadInvoice(invoiceOf(reference)).catch(console.error);
    if (invoice) break;
  }
}
