import { Queue, Worker } from 'bullmq';
import { expect, inject, test } from 'vitest';
import { connect } from './connect.js';
import { servePayments } from './payment-service.js';
import { startRedis } from './redis-server.js';
import { clientOf, orderRequest, paymentsOver } from '../orders/support.js';

test('BullMQ wakes up orders by their IDs: two jobs for each make one payment, and a lost job is found by the sweep', async () => {
  await using redis = await startRedis();
  await using service = await servePayments({ delayMs: 20 });
  await using database = connect('postgres', inject('postgresUrl'));
  const clock = { ahead: 0 };
  const payments = await paymentsOver(database, {
    client: clientOf(service.url),
    table: 'orders_bullmq',
    now: () => new Date(Date.now() + clock.ahead),
  });
  const connection = { host: '127.0.0.1', port: redis.port };
  const queue = new Queue('payments', { connection });
  const workers = [1, 2].map(
    () => new Worker('payments', ({ name }) => payments.start(name), { connection, concurrency: 5 }),
  );
  const orderIds = Array.from({ length: 20 }, (_, index) => `job-${String(index)}`);
  const done = new Promise<void>((resolve) => {
    let count = 0;
    for (const worker of workers)
      worker.on('completed', () => (count += 1) === orderIds.length * 2 && resolve());
  });
  for (const orderId of [...orderIds, 'lost']) await payments.add(orderId, orderRequest());
  await queue.addBulk([...orderIds, ...orderIds].map((name) => ({ name, data: {} })));
  await done;
  for (const orderId of orderIds) expect(await payments.get(orderId)).toMatchObject({ state: 'started' });
  clock.ahead = 61_000;
  await payments.sweep();
  expect(await payments.get('lost')).toMatchObject({ state: 'started' });
  expect([...service.arrived].sort()).toEqual([...orderIds, 'lost'].map((orderId) => `${orderId}-1`).sort());
  await Promise.all([...workers.map((worker) => worker.close()), queue.close()]);
});
