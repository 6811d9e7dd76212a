// Mistake: the code repeats a request because it has a key, although the service ignores keys.
import { initiate, newOrder, newReference, settle, wait } from '../service.mjs';

for (let count = 0; count < 3; count++) {
  const order = newOrder(newReference());
  for (const pauseMs of [300, 1000, 2000]) {
    const result = await initiate(order, { key: order.referenceId }).catch(() => undefined);
    if (result?.answer.resultStatus === 'APPROVED') {
      await settle(order.referenceId, 'paid');
      break;
    }
    await wait(Math.max(result?.retryAfterMs ?? 0, pauseMs));
  }
}
