/**
 * Payments of two merchants through a queue: a producer, two workers, and what is left for a person. Needs a Redis.
 *
 *   REDIS_URL=redis://127.0.0.1:6379 npx tsx examples/bullmq/main.ts
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Queue, QueueEvents } from 'bullmq';
import type { EnqueuedJob } from 'installment-payments/bullmq';
import { createMockService, samplePaymentRequest } from 'installment-payments/mock';
import { printDeadLetters } from './dead-letters.js';
import { pay, sendInvoice } from './producer.js';
import { connection, queueName } from './queue.js';

// Prerequisites: a service, and two workers.
const shops = ['shop-1', 'shop-2'].map((account) => ({
  clientId: `client-${account}`,
  secretKey: `secret of ${account}`,
  merchantId: account,
  storeIds: ['STORE-01'],
}));
const mock = createMockService({ merchants: shops, uploads: 'any' });
const server = await mock.listen();
const merchants = shops.map(({ storeIds: [storeId], ...shop }) => [shop.merchantId, { ...shop, storeId }]);
const environment = {
  INSTALLMENT_BASE_URL: server.url,
  INSTALLMENT_PLATFORM_ID: 'WEBSHOP',
  MERCHANTS: JSON.stringify(Object.fromEntries(merchants)),
};
const workers = [1, 2].map(() =>
  spawn(process.execPath, [...process.execArgv, fileURLToPath(new URL('worker.ts', import.meta.url))], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'inherit', 'inherit'],
  }),
);
const queue = new Queue(queueName, { connection });
const events = new QueueEvents(queueName, { connection });
await events.waitUntilReady();

// The flow: the answer to the first order is lost, the second is refused, and the answer to the invoice is lost.
mock.injectFault('initiatePayment', 'connection-reset', { referenceId: 'ORDER-1', phase: 'after' });
mock.respondWith('initiatePayment', { resultStatus: 'INVALID_AMOUNT' }, { referenceId: 'ORDER-2' });
mock.injectFault('uploadInvoice', 'connection-reset', { phase: 'after' });
const finished = async ({ id }: EnqueuedJob) => {
  const job = await queue.getJob(id);
  await job?.waitUntilFinished(events).catch(() => undefined);
};
for (const referenceId of ['ORDER-1', 'ORDER-1', 'ORDER-2']) {
  await finished(await pay(queue, 'shop-1', samplePaymentRequest({ referenceId })));
}
await finished(await pay(queue, 'shop-2', samplePaymentRequest({ referenceId: 'ORDER-3' })));
await finished(await sendInvoice(queue, 'shop-1', 'ORDER-1', 'invoice.pdf'));
for (const { merchantId, referenceId } of mock.payments.all())
  console.log(`${merchantId} ${referenceId}: payment created`);
console.log(`payments at the service: ${mock.payments.all().length}`);
await printDeadLetters(queue);

for (const worker of workers) worker.kill('SIGTERM');
await Promise.all(workers.map((worker) => once(worker, 'exit')));
await queue.obliterate({ force: true });
await Promise.all([events.close(), queue.close(), server.close()]);
