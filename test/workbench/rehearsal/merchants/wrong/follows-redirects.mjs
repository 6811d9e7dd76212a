// Mistake: the HTTP client follows redirects, as most clients do by default.
import { initiate, newOrder, newReference, settle, wait } from '../service.mjs';

async function pay(order) {
  for (const pauseMs of [200, 500, 1000, 0]) {
    const sent = initiate(order, { key: order.referenceId, redirect: 'follow' });
    const result = await sent.catch(() => undefined);
    if (result?.answer.resultStatus === 'APPROVED') return true;
    await wait(Math.max(pauseMs, result?.retryAfterMs ?? 0));
  }
  return false;
}

for (let count = 0; count < 3; count++) {
  const order = newOrder(newReference());
  if (await pay(order)) await settle(order.referenceId, 'paid');
}
