// Right: after a lost response the same bytes and key are sent again, a few times. Then staff handle the order.
import { initiate, newOrder, newReference, settle, upload, wait } from '../service.mjs';

async function pay(order) {
  for (const pauseMs of [200, 500, 1000, 0]) {
    let retryAfterMs = 0;
    try {
      const result = await initiate(order, { key: `pay-${order.referenceId}` });
      if (result.answer.resultStatus === 'APPROVED') return true;
      retryAfterMs = result.retryAfterMs;
    } catch (error) {
      console.error(`${order.referenceId}: no answer (${error.message})`);
    }
    await wait(Math.max(pauseMs, retryAfterMs));
  }
  console.error(`${order.referenceId}: not known, ask the service`);
  return false;
}

for (let count = 0; count < 3; count++) {
  const order = newOrder(newReference());
  if (!(await pay(order))) continue;
  await settle(order.referenceId, 'paid');
  await upload(order.referenceId).catch(() => console.error(`${order.referenceId}: look the invoice up`));
}
