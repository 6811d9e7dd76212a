// Mistake: the customer's browser came back from the payment page, so the order counts as paid.
import { initiate, newOrder, serve, sign, wait } from '../service.mjs';

const orders = new Map();
const shop = `http://127.0.0.1:${process.env.WEBHOOK_PORT}`;

async function pay(reference) {
  const back = `${shop}/return?order=${reference}`;
  const order = newOrder(reference, { successRedirectUrl: back, unSuccessRedirectUrl: back });
  for (const pauseMs of [200, 500, 1000, 0]) {
    const result = await initiate(order, { key: reference }).catch(() => undefined);
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
  'GET /return'({ query }) {
    orders.set(query.get('order'), 'paid');
    return [200, 'Thank you!'];
  },
  'GET /orders/': ({ rest }) => [200, orders.get(rest) ?? 'unknown'],
  'POST /webhook'({ body, headers }) {
    if (headers.signature !== sign(body)) return [401, 'wrong signature'];
    const { referenceId, status } = JSON.parse(body);
    if (!orders.has(referenceId)) return [500, 'unknown reference'];
    if (status === 'paid') orders.set(referenceId, 'paid');
    return [204];
  },
});
