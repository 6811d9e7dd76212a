// Mistake: after its own time-out the code uses another reference, as if the request had not arrived.
import { initiate, newOrder, newReference, settle, wait } from '../service.mjs';

async function pay() {
  let order = newOrder(newReference());
  for (const pauseMs of [200, 500, 1000, 0]) {
    try {
      const { answer, retryAfterMs } = await initiate(order, { key: order.referenceId, timeoutMs: 3000 });
      if (answer.resultStatus === 'APPROVED') return order.referenceId;
      await wait(Math.max(pauseMs, retryAfterMs));
    } catch (error) {
      if (error.name === 'TimeoutError') order = newOrder(newReference());
      else await wait(pauseMs);
    }
  }
}

for (let count = 0; count < 3; count++) {
  const reference = await pay();
  if (reference) await settle(reference, 'paid');
}
