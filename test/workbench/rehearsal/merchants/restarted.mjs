// A shop that keeps its orders in the file ORDERS. Without this variable it keeps them in memory, which a restart
// clears.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { initiate, newOrder, serve, sign } from './service.mjs';

const file = process.env.ORDERS;
const orders = file !== undefined && existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
const store = () => file !== undefined && writeFileSync(file, JSON.stringify(orders));

serve({
  async 'POST /checkout'({ query }) {
    const reference = query.get('order');
    orders[reference] ??= { state: 'open' };
    store();
    const { answer } = await initiate(newOrder(reference), { key: reference });
    return [200, answer.paymentUrl ?? ''];
  },
  'GET /orders/': ({ rest }) => [orders[rest] ? 200 : 404, orders[rest]?.state ?? 'unknown'],
  async 'POST /webhook'({ body, headers }) {
    if (headers.signature !== sign(body)) return [401, 'wrong signature'];
    const { referenceId, status } = JSON.parse(body);
    if (!orders[referenceId]) return [404, 'unknown reference'];
    orders[referenceId].state = status;
    store();
    return [204];
  },
});
