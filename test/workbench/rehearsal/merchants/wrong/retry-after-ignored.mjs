// Mistake: the code repeats at once after a 429, whatever Retry-After says.
import { initiate, newOrder, newReference, settle } from '../service.mjs';

async function pay(order) {
  for (let attempt = 1; attempt <= 5; attempt++) {
    const result = await initiate(order, { key: order.referenceId }).catch(() => undefined);
    if (result?.answer.resultStatus === 'APPROVED') return true;
  }
  return false;
}

for (let count = 0; count < 3; count++) {
  const order = newOrder(newReference());
  if (await pay(order)) await settle(order.referenceId, 'paid');
}
