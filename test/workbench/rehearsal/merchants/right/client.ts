// Right: the client retries only safe requests, the process repeats once with `mayHaveBeenSent`, and an upload is
// sent once.
import { InstallmentClient, isInstallmentError } from 'installment-payments';
import { invoiceOf, newOrder, newReference, settle } from '../backend.js';

const client = new InstallmentClient();

async function pay(reference: string): Promise<boolean> {
  for (const options of [{}, { mayHaveBeenSent: true }]) {
    try {
      await client.initiatePayment(newOrder(reference), options);
      return true;
    } catch (error) {
      if (!isInstallmentError(error)) throw error;
      console.error(`${reference}: ${error.outcome} ${error.code}`);
      if (error.outcome !== 'unknown' || !error.retryable) return false;
    }
  }
  return false;
}

for (let count = 0; count < 3; count++) {
  const reference = newReference();
  if (!(await pay(reference))) continue;
  await settle(reference, 'paid');
  await client.uploadInvoice(invoiceOf(reference)).catch((error: unknown) => {
    console.error(`${reference}: look the invoice up`, error);
  });
}
