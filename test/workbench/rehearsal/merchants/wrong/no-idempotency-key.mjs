// Mistake: the code repeats a request after a lost response, and sends no Idempotency-Key.
import { initiate, newOrder, newReference, settle, wait } from '../service.mjs';

for (let count = 0; count < 3; count++) {
  const order = newOrder(newReference());
  for (const pauseMs of [300, 1000, 2000]) {
    const result = await initiate(order).catch(() => undefined);
    if (result?.answer.resultStatus === 'APPROVED') {
      await settle(order.referenceId, 'paid');
      break;
    }
    await wait(Math.max(result?.retryAfterMs ?? 0, pauseMs));
  }
}
