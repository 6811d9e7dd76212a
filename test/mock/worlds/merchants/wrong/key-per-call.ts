// Mistake: a wrapper with retries of its own gives each call another idempotency key.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { InstallmentClient, type PaymentRequest } from 'installment-payments';
import { newOrder, newReference, settle } from '../backend.js';

const client = new InstallmentClient({ maxRetries: 0 });

async function payWithRetries(order: PaymentRequest, tries = 3): Promise<boolean> {
  for (; tries > 0; tries--) {
    try {
      await client.initiatePayment(order, { idempotencyKey: randomUUID() });
      return true;
    } catch {
      await sleep(1100);
    }
  }
  return false;
}

for (let count = 0; count < 3; count++) {
  const reference = newReference();
  if (await payWithRetries(newOrder(reference))) await settle(reference, 'paid');
}
