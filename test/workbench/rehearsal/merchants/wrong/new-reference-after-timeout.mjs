// Mistake: after a time-out or a broken connection the order is sent with a new reference, as if nothing had been sent.
import { initiate, newOrder, newReference, settle, upload } from '../service.mjs';

async function pay() {
  for (let attempt = 1; attempt <= 3; attempt++) {
    const order = newOrder(newReference());
    try {
      const { answer } = await initiate(order, { key: order.referenceId, timeoutMs: 3000 });
      if (answer.resultStatus === 'APPROVED') return order.referenceId;
    } catch (error) {
      console.error(`attempt ${attempt} failed: ${error.message}`);
    }
  }
}

for (let count = 0; count < 3; count++) {
  const reference = await pay();
  if (!reference) continue;
  await settle(reference, 'paid');
  await upload(reference).catch(() => undefined);
}
