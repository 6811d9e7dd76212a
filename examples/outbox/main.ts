/**
 * Orders in PostgreSQL and their payments in BullMQ: nothing is lost between the two. Needs a PostgreSQL and a Redis. In
 * production the server, the workers and the sweeper are processes of their own.
 *
 *   DATABASE_URL=postgres://127.0.0.1:5432/shop REDIS_URL=redis://127.0.0.1:6379 npx tsx examples/outbox/main.ts
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { Queue, Worker } from 'bullmq';
import { InstallmentClient } from 'installment-payments';
import { createProcessor, workerOptions } from 'installment-payments/bullmq';
import { createMockService, samplePaymentRequest } from 'installment-payments/mock';
import { Pool } from 'pg';
import { createTable, storeOrder } from './orders.js';
import { placeOrder } from './place-order.js';
import { orderProcessor } from './process-order.js';
import { sweep } from './sweep.js';

// Prerequisites: a service, the database, the queue, a worker, and a shop.
const mock = createMockService();
const database = new Pool({ connectionString: process.env['DATABASE_URL'] });
await createTable(database);
const connection = { url: process.env['REDIS_URL'] ?? 'redis://127.0.0.1:6379' };
const queue = new Queue('orders', { connection });
const processor = orderProcessor(
  database,
  createProcessor({ client: new InstallmentClient(mock.clientOptions()) }),
);
const worker = new Worker('orders', processor, { connection, ...workerOptions });
worker.on('error', console.error);
const shop = createServer((request, response) => {
  const referenceId = new URL(request.url ?? '', 'http://shop').pathname.slice('/orders/'.length);
  void placeOrder(database, queue, samplePaymentRequest({ referenceId })).then(
    ({ state }) => response.writeHead(202).end(`${state}\n`),
    // Nothing is known: the order may be stored. The customer asks again, with the same reference.
    () => response.writeHead(503).end(),
  );
}).listen(0, '127.0.0.1');
await once(shop, 'listening');
const post = (referenceId: string) =>
  fetch(`http://127.0.0.1:${(shop.address() as AddressInfo).port}/orders/${referenceId}`, { method: 'POST' });

// The flow: an order; the same again; one whose process died before it was enqueued; one whose job Redis lost.
console.log('ORDER-1', (await (await post('ORDER-1')).text()).trim());
console.log('ORDER-1 again:', (await post('ORDER-1')).status);
await storeOrder(database, samplePaymentRequest({ referenceId: 'ORDER-2' }));
await worker.pause();
await post('ORDER-3');
await queue.drain();
void worker.resume();

const ends = async () =>
  (
    await database.query<{ reference: string; payment_end: string | null }>(
      'SELECT * FROM orders ORDER BY reference',
    )
  ).rows;
for (let rows = await ends(); rows.some((row) => row.payment_end === null); rows = await ends()) {
  await sweep(database, queue, 100); // in production every minute, for orders older than that
  await wait(100);
}
for (const row of await ends()) console.log(row.reference, row.payment_end);
console.log(`payments at the service: ${mock.payments.all().length}`);

await worker.close();
await queue.obliterate({ force: true });
await database.query('DROP TABLE orders');
await Promise.all([queue.close(), database.end()]);
shop.close();
