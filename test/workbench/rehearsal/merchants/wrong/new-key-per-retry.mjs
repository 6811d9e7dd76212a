// Mistake: each retry has a new Idempotency-Key, so a service that checks keys treats it as a new request.
import { randomUUID } from 'node:crypto';
import { initiate, newOrder, newReference, settle, wait } from '../service.mjs';

async function pay(order) {
  for (let attempt = 1; attempt <= 3; attempt++) {
    const result = await initiate(order, { key: randomUUID() }).catch(() => undefined);
    if (result?.answer.resultStatus === 'APPROVED') return true;
    await wait(Math.max(result?.retryAfterMs ?? 0, 300));
  }
  return false;
}

for (let count = 0; count < 3; count++) {
  const order = newOrder(newReference());
  if (await pay(order)) await settle(order.referenceId, 'paid');
}
