// Mistake: each try builds the order again, with the current time in it, so the client derives a different key from it.
import { setTimeout as sleep } from 'node:timers/promises';
import { InstallmentClient } from 'installment-payments';
import { newOrder, newReference, settle } from '../backend.js';

const client = new InstallmentClient({ maxRetries: 0 });

async function pay(reference: string): Promise<boolean> {
  for (let attempt = 1; attempt <= 3; attempt++) {
    const order = newOrder(reference, { extraData: JSON.stringify({ sentAt: Date.now() }) });
    try {
      await client.initiatePayment(order, { mayHaveBeenSent: attempt > 1 });
      return true;
    } catch (error) {
      console.error(`${reference}, attempt ${attempt}:`, error);
      await sleep(1000);
    }
  }
  return false;
}

for (let count = 0; count < 3; count++) {
  const reference = newReference();
  if (await pay(reference)) await settle(reference, 'paid');
}
