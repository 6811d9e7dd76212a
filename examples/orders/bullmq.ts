/**
 * Payments that a worker of BullMQ sends. A job contains only the orderId, and the order is stored in PostgreSQL. You can
 * start this program several times at once. It places the orders that its arguments name.
 *
 *   DATABASE_URL=postgres://127.0.0.1/shop REDIS_URL=redis://127.0.0.1:6379 npx tsx examples/orders/bullmq.ts ORDER-1 ORDER-2
 */
import { Queue, Worker } from 'bullmq';
import { createTables, payments, placeOrder, sweepUntilSigterm } from './postgres.js';

const connection = {
  url: process.env['REDIS_URL'] ?? 'redis://127.0.0.1:6379',
  maxRetriesPerRequest: null, // workers of BullMQ require this
};

await createTables();
const queue = new Queue<{ orderId: string }>('orders', { connection });

// A second job for the same order returns the existing payment. If the worker is killed, or `start` fails, the sweep
// continues the payment.
const worker = new Worker<{ orderId: string }>(
  'orders',
  async ({ data: { orderId } }) => {
    const { state, paymentUrl = '' } = await payments.start(orderId);
    console.log(orderId, state, paymentUrl);
  },
  { connection, concurrency: 10 },
);

sweepUntilSigterm(() => worker.close());

for (const orderId of process.argv.slice(2)) {
  await placeOrder(orderId);
  // If the process is killed here, the order has no job. The sweep finds the order after a minute.
  await queue.add('pay', { orderId }, { removeOnComplete: true, removeOnFail: true });
}
