// Right: the order is stored before it is sent, webhooks are verified, and paid counts whenever it is reported.
import { timingSafeEqual } from 'node:crypto';
import { initiate, newOrder, serve, sign, upload, wait } from '../service.mjs';

const orders = new Map(); // by reference
const redirect = `http://127.0.0.1:${process.env.WEBHOOK_PORT}/return`;

async function pay(reference) {
  const order = newOrder(reference, { successRedirectUrl: redirect, unSuccessRedirectUrl: redirect });
  for (const pauseMs of [200, 500, 1000, 0]) {
    const result = await initiate(order, { key: reference }).catch(() => undefined);
    if (result?.answer.resultStatus === 'APPROVED') return result.answer.paymentUrl;
    await wait(Math.max(result?.retryAfterMs ?? 0, pauseMs));
  }
}

function isGenuine(body, signature = '') {
  const expected = Buffer.from(sign(body), 'hex');
  const given = Buffer.from(signature, 'hex');
  return given.length === expected.length && timingSafeEqual(given, expected);
}

serve({
  async 'POST /checkout'({ query }) {
    const reference = query.get('order');
    const order = orders.get(reference) ?? { state: 'open' };
    orders.set(reference, order);
    order.paymentUrl ??= pay(reference);
    return [200, (await order.paymentUrl) ?? ''];
  },
  'GET /return': () => [200, 'Waiting for the confirmation.'],
  'GET /orders/': ({ rest }) => [orders.has(rest) ? 200 : 404, orders.get(rest)?.state ?? 'unknown'],
  async 'POST /webhook'({ body, headers }) {
    if (!isGenuine(body, headers.signature)) return [401, 'wrong signature'];
    const { referenceId, merchantId, amount, status } = JSON.parse(body);
    const order = orders.get(referenceId);
    if (!order) return [500, 'unknown reference'];
    const sent = newOrder(referenceId);
    const isSame = amount.value === sent.amount.value && amount.currency === sent.amount.currency;
    if (!isSame || merchantId !== sent.merchantId) return [409, 'another payment than the order'];
    if (order.state !== 'paid') {
      order.state = status;
      if (status === 'paid')
        upload(referenceId).catch(() => console.error(`${referenceId}: look the invoice up`));
    }
    return [204];
  },
});
