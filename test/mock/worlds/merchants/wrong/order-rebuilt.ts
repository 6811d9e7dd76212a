// Mistake: the key is the order's, and each call builds the order again with the minutes that are left to pay it.
import { setTimeout as sleep } from 'node:timers/promises';
import { InstallmentClient } from 'installment-payments';
import { newOrder, newReference, settle } from '../backend.js';

const client = new InstallmentClient({ maxRetries: 0 });

for (let count = 0; count < 3; count++) {
  const reference = newReference();
  const endsAt = Date.now() + 15 * 60_000;
  for (let attempt = 1; attempt <= 3; attempt++) {
    try {
      const order = newOrder(reference, { transExpiredTime: endsAt - Date.now() });
      await client.initiatePayment(order, { idempotencyKey: `order-${reference}` });
      await settle(reference, 'paid');
      break;
    } catch {
      await sleep(1100);
    }
  }
}
