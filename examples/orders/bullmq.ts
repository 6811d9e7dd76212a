/**
 * Payments that a worker of BullMQ sends. The job contains only the orderId: Redis triggers the work, and the row in
 * PostgreSQL is the truth. Start it as often as you like. It places the orders in its arguments.
 *
 *   DATABASE_URL=postgres://127.0.0.1/shop REDIS_URL=redis://127.0.0.1:6379 npx tsx examples/orders/bullmq.ts ORDER-1 ORDER-2
 */
import { Queue, Worker } from 'bullmq';
import { createTables, payments, placeOrder, sweepUntilEnd } from './postgres.js';

const connection = {
  url: process.env['REDIS_URL'] ?? 'redis://127.0.0.1:6379',
  maxRetriesPerRequest: null, // workers require this
};

await createTables();
const queue = new Queue<{ orderId: string }>('orders', { connection });

// A second job returns the existing payment. If the worker is killed, or `start` fails, the sweep continues.
const worker = new Worker<{ orderId: string }>(
  'orders',
  async ({ data: { orderId } }) => {
    const { state, paymentUrl = '' } = await payments.start(orderId);
    console.log(orderId, state, paymentUrl);
  },
  { connection, concurrency: 10 },
);

sweepUntilEnd(() => worker.close());

for (const orderId of process.argv.slice(2)) {
  await placeOrder(orderId);
  // A process that is killed here leaves no job. The sweep finds the order after a minute.
  await queue.add('pay', { orderId }, { removeOnComplete: true, removeOnFail: true });
}
