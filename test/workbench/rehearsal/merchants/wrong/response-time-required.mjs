// Mistake: a response without responseTime counts as a failure, even if it says APPROVED, and the order is sent again.
import { initiate, newOrder, newReference, settle } from '../service.mjs';

async function pay() {
  const order = newOrder(newReference());
  const { answer } = await initiate(order, { key: order.referenceId });
  const approvedAt = new Date(`${answer.responseTime.replace(' ', 'T')}+07:00`);
  console.log(`${order.referenceId}: ${answer.resultStatus} at ${approvedAt.toISOString()}`);
  return order.referenceId;
}

for (let count = 0; count < 3; count++) {
  // "The payment service is flaky, three tries are enough."
  const reference = await pay()
    .catch(pay)
    .catch(pay)
    .catch(() => undefined);
  if (reference) await settle(reference, 'paid');
}
