// Mistake: a notification is verified only if it has a signature, so one without any is believed.
import { initiate, newOrder, serve, sign, wait } from '../service.mjs';

const orders = new Map();

async function pay(reference) {
  for (const pauseMs of [200, 500, 1000, 0]) {
    const result = await initiate(newOrder(reference), { key: reference }).catch(() => undefined);
    if (result?.answer.resultStatus === 'APPROVED') return result.answer.paymentUrl;
    await wait(Math.max(result?.retryAfterMs ?? 0, pauseMs));
  }
}

serve({
  async 'POST /checkout'({ query }) {
    const reference = query.get('order');
    if (!orders.has(reference)) orders.set(reference, 'open');
    return [200, (await pay(reference)) ?? ''];
  },
  'GET /orders/': ({ rest }) => [200, orders.get(rest) ?? 'unknown'],
  'POST /webhook'({ body, headers }) {
    if (headers.signature && headers.signature !== sign(body)) return [401, 'wrong signature'];
    const { referenceId, status } = JSON.parse(body);
    if (orders.get(referenceId) !== 'paid') orders.set(referenceId, status);
    return [204];
  },
});
