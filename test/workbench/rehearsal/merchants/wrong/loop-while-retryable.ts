// Mistake: the code retries at once and forever while the error is `retryable`.
import { InstallmentClient, isInstallmentError } from 'installment-payments';
import { newOrder, newReference, settle } from '../backend.js';

const client = new InstallmentClient({ maxRetries: 0 });

for (let count = 0; count < 3; count++) {
  const reference = newReference();
  for (let isOpen = true; isOpen;) {
    try {
      await client.initiatePayment(newOrder(reference), { mayHaveBeenSent: true });
      await settle(reference, 'paid');
      isOpen = false;
    } catch (error) {
      isOpen = isInstallmentError(error) && error.retryable;
    }
  }
}
