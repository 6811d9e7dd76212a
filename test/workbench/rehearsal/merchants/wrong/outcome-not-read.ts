// Mistake: every error counts as "not paid", so the order is sent again with a different reference, whatever the
// outcome.
import { InstallmentClient } from 'installment-payments';
import { newOrder, newReference, settle } from '../backend.js';

const client = new InstallmentClient();

async function pay(): Promise<string | undefined> {
  for (let attempt = 1; attempt <= 3; attempt++) {
    const reference = newReference();
    try {
      await client.initiatePayment(newOrder(reference));
      return reference;
    } catch (error) {
      console.error(`attempt ${attempt}:`, error);
    }
  }
  return undefined;
}

for (let count = 0; count < 3; count++) {
  const reference = await pay();
  if (reference !== undefined) await settle(reference, 'paid');
}
